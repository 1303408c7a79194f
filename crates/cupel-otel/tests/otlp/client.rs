//! The HTTP that OTLP needs, to this machine only: a hundredth of a full client to build.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use async_trait::async_trait;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};

const PATIENCE: Duration = Duration::from_secs(10);

/// Sends one request per connection, to loopback.
#[derive(Debug)]
pub(crate) struct LoopbackClient;

#[async_trait]
impl HttpClient for LoopbackClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let authority = request.uri().authority().ok_or("no address")?;
        let address: SocketAddr = authority.as_str().parse()?;
        assert!(address.ip().is_loopback(), "{address} is not on this machine");
        let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;

        let path = request.uri().path();
        let mut head = format!("{} {path} HTTP/1.1\r\nhost: {address}\r\n", request.method());
        for (name, value) in request.headers() {
            head.push_str(&format!("{name}: {}\r\n", value.to_str()?));
        }
        head.push_str(&format!("content-length: {}\r\n\r\n", request.body().len()));
        stream.write_all(head.as_bytes())?;
        stream.write_all(request.body())?;

        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let status = answer.split(' ').nth(1).ok_or("no status")?;
        Ok(Response::builder().status(status).body(Bytes::new())?)
    }
}
