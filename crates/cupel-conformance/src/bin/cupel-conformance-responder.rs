//! Our engine at the other end of the protocol: the smallest program that can be asked.

use std::io;
use std::process::ExitCode;

use cupel_conformance::external::serve;
use cupel_conformance::native::Native;

fn main() -> ExitCode {
    match serve(&mut Native, io::stdin().lock(), io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cupel-conformance-responder: {error}");
            ExitCode::FAILURE
        }
    }
}
