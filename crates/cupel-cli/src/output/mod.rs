//! Where results go, and in which form.

mod atomic;
mod eval;
mod explained;
mod format;
mod replay;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};

pub(crate) use eval::{eval_json, questions_json};
pub(crate) use explained::{Explained, id_of};
pub(crate) use format::{Format, one_line};
pub(crate) use replay::replay_json;

use crate::failure::{Complaint, Failure, Outcome};
use crate::render::width;
use atomic::AtomicFile;

/// Standard output, or a file that appears once it is complete.
#[derive(Debug)]
pub(crate) enum Sink {
    Stdout(BufWriter<RawStdout>),
    File(AtomicFile),
}

impl Sink {
    /// `-` and nothing at all are standard output.
    pub(crate) fn open(path: Option<&Path>) -> Outcome<Self> {
        match path {
            Some(path) if path != Path::new("-") => Ok(Self::File(AtomicFile::create(path)?)),
            _ => Ok(Self::Stdout(BufWriter::with_capacity(1 << 16, raw_stdout()?))),
        }
    }

    /// How wide lines may be there.
    pub(crate) fn width(&self) -> usize {
        width(matches!(self, Self::Stdout(_)))
    }

    /// Writes text for people, with its colours if they are wanted there.
    pub(crate) fn write_styled(&mut self, text: &str) -> io::Result<()> {
        let coloured = match self {
            Self::Stdout(_) => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
            Self::File(_) => false,
        };
        match coloured {
            true => self.write_all(text.as_bytes()),
            false => write!(self, "{}", anstream::adapter::strip_str(text)),
        }
    }

    /// Completes the output. Without this a file never appears.
    pub(crate) fn finish(self) -> Outcome {
        match self {
            Self::Stdout(mut stdout) => Ok(stdout.flush()?),
            Self::File(file) => file.finish(),
        }
    }
}

/// Standard output as the file it is. What the standard library gives takes everything without
/// complaint when it may not be written to, and the result would be lost behind a success.
#[cfg(unix)]
type RawStdout = std::fs::File;

#[cfg(unix)]
fn raw_stdout() -> io::Result<RawStdout> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(not(unix))]
type RawStdout = io::Stdout;

#[cfg(not(unix))]
fn raw_stdout() -> io::Result<RawStdout> {
    Ok(io::stdout())
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::File(file) => file.flush(),
        }
    }
}

impl From<io::Error> for Failure {
    /// What happens while writing results. Reading says where it failed itself.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ClosedPipe,
            _ => Self::Failed(
                Complaint::new(format!("the output cannot be written: {error}"))
                    .remedy("check the disk and its free space"),
            ),
        }
    }
}
