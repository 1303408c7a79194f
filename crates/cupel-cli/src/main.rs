//! The program around the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    cupel_cli::run(std::env::args_os()).into()
}
