//! A process that receives two exports, tells what it received, and ends.

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread;
use std::time::Duration;

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;

use crate::wire;

const IS_RECEIVER: &str = "CUPEL_OTEL_TEST_IS_RECEIVER";
const LISTENING: &str = "listening on ";
const EXPORTS: usize = 2;
const LARGEST_EXPORT: usize = 1 << 20;
const PATIENCE: Duration = Duration::from_secs(60);

/// The receiving process as the test sees it.
pub(crate) struct Receiver {
    process: Child,
    /// Its standard error: standard output belongs to the test harness.
    says: BufReader<ChildStderr>,
    address: SocketAddr,
}

impl Receiver {
    pub(crate) fn start() -> Self {
        let mut process = Command::new(env::current_exe().unwrap())
            .args(["--exact", "receive", "--ignored", "--nocapture"])
            .env(IS_RECEIVER, "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut says = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        says.read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix(LISTENING).expect(&line).parse().unwrap();
        Self { process, says, address }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Everything it received, once it is done.
    pub(crate) fn received(mut self) -> String {
        let mut received = String::new();
        self.says.read_to_string(&mut received).unwrap();
        let status = self.process.wait().unwrap();
        assert!(status.success(), "{status}: {received}");
        received
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        // Already gone unless the test failed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What the receiving process does.
pub(crate) fn serve() {
    if env::var_os(IS_RECEIVER).is_none() {
        return;
    }
    thread::spawn(|| {
        thread::sleep(PATIENCE);
        eprintln!("nothing more came within {PATIENCE:?}");
        std::process::exit(1);
    });
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    eprintln!("{LISTENING}{}", listener.local_addr().unwrap());
    for _ in 0..EXPORTS {
        let (stream, _) = listener.accept().unwrap();
        eprint!("{}", receive_export(stream));
    }
}

/// Takes one export and tells what was in it.
fn receive_export(stream: TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        match line.trim_end() {
            "" => break,
            line => head.push(line.to_ascii_lowercase()),
        }
    }
    let header = |name: &str| head.iter().find_map(|line| line.strip_prefix(name)).map(str::trim);
    assert_eq!(header("content-type:"), Some("application/x-protobuf"));
    let length: usize = header("content-length:").unwrap().parse().unwrap();
    assert!(length <= LARGEST_EXPORT, "{length} bytes");
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();

    let told = match head[0].split(' ').nth(1) {
        Some("/v1/traces") => {
            let export = ExportTraceServiceRequest::decode(body.as_slice()).unwrap();
            format!("POST /v1/traces\n{}", wire::traces(export))
        }
        Some("/v1/metrics") => {
            let export = ExportMetricsServiceRequest::decode(body.as_slice()).unwrap();
            format!("POST /v1/metrics\n{}", wire::metrics(export))
        }
        other => panic!("an export to {other:?}"),
    };
    // An empty body is the empty protobuf message, which says that all was accepted.
    let answer = "HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\n\
                  content-length: 0\r\nconnection: close\r\n\r\n";
    reader.into_inner().write_all(answer.as_bytes()).unwrap();
    told
}
