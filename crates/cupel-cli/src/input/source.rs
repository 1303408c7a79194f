//! Where input comes from: a file, standard input, or a program that has it already.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use super::place::{Origin, Place};
use crate::failure::{Complaint, Failure, Outcome, watched};

/// A file by its path, standard input, or a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    Stdin,
    File(PathBuf),
    /// What is there already, such as a row of a table, by what messages call it.
    Text(&'static str, String),
}

impl Source {
    /// `-` and nothing at all are standard input.
    pub(crate) fn new(path: Option<&Path>) -> Self {
        match path {
            None => Self::Stdin,
            Some(path) if path == Path::new("-") => Self::Stdin,
            Some(path) => Self::File(path.to_owned()),
        }
    }

    /// What messages call it.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Stdin => "<stdin>".to_owned(),
            Self::File(path) => path.display().to_string(),
            Self::Text(name, _) => (*name).to_owned(),
        }
    }

    /// What a title calls it: without folders.
    pub(crate) fn short_name(&self) -> String {
        match self {
            Self::Stdin => "standard input".to_owned(),
            Self::File(path) => path.file_name().unwrap_or(path.as_os_str()).display().to_string(),
            Self::Text(..) => self.name(),
        }
    }

    /// Its size, where that is known beforehand.
    pub(crate) fn size(&self) -> Option<u64> {
        match self {
            Self::Stdin => None,
            Self::File(path) => path.metadata().ok().filter(|it| it.is_file()).map(|it| it.len()),
            Self::Text(_, text) => Some(text.len() as u64),
        }
    }

    /// Opens it for reading.
    pub(crate) fn open(&self) -> Outcome<Box<dyn Read + Send>> {
        match self {
            Self::Stdin => {
                if io::stdin().is_terminal() && watched() {
                    anstream::eprintln!("reading from the terminal; end with Ctrl-D");
                }
                Ok(Box::new(io::stdin()))
            }
            Self::File(path) => match File::open(path).and_then(refuse_folder).and_then(Whole::new)
            {
                Ok(file) => Ok(Box::new(file)),
                Err(error) => Err(self.unreadable(&error)),
            },
            Self::Text(_, text) => Ok(Box::new(io::Cursor::new(text.clone()))),
        }
    }

    /// All of it, as text.
    pub(crate) fn read(&self) -> Outcome<String> {
        let mut bytes = Vec::new();
        self.open()?.read_to_end(&mut bytes).map_err(|error| self.unreadable(&error))?;
        self.text(bytes, 0)
    }

    /// All of it, as text, if it is no longer than `most` bytes. Of anything longer no more is read
    /// than it takes to know.
    pub(crate) fn read_at_most(&self, most: usize) -> Outcome<String> {
        let mut bytes = Vec::new();
        let mut input = self.open()?.take(most as u64 + 1);
        input.read_to_end(&mut bytes).map_err(|error| self.unreadable(&error))?;
        if bytes.len() > most {
            let complaint = Complaint::new(format!("this is longer than {most} bytes"));
            let remedy = "a policy is a small file; is this another one?";
            return Err(Failure::bad_input(complaint.at(self.name()).remedy(remedy)));
        }
        self.text(bytes, 0)
    }

    /// These bytes of it as text; so many lines come before them.
    pub(crate) fn text(&self, bytes: Vec<u8>, lines_before: usize) -> Outcome<String> {
        // Without its mark, UTF-16 of ASCII is UTF-8 with a zero in every other byte.
        if lines_before == 0
            && let Some(encoding) = unmarked_utf_16(&bytes)
        {
            let name = self.name();
            let complaint = Complaint::new("this is UTF-16, not UTF-8").at(name.clone());
            let remedy =
                format!("convert it, for example with: iconv -f {encoding} -t UTF-8 {name}");
            return Err(Failure::bad_input(complaint.remedy(remedy)));
        }
        String::from_utf8(bytes).map_err(|error| {
            let (valid_up_to, bytes) = (error.utf8_error().valid_up_to(), error.into_bytes());
            self.not_text(&bytes, valid_up_to, lines_before)
        })
    }

    pub(crate) fn unreadable(&self, error: &io::Error) -> Failure {
        let complaint = Complaint::new(match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            io::ErrorKind::IsADirectory => "this is a folder, not a file".to_owned(),
            io::ErrorKind::PermissionDenied => "you may not read this file".to_owned(),
            _ => format!("cannot be read: {error}"),
        });
        let remedy = match error.kind() {
            io::ErrorKind::NotFound => "check the path, or use - to read standard input",
            io::ErrorKind::IsADirectory => "name one of the files in it",
            io::ErrorKind::UnexpectedEof => "try again when nobody writes to it",
            _ => "check the file and its permissions",
        };
        Failure::bad_input(complaint.at(self.name()).remedy(remedy))
    }

    fn not_text(&self, bytes: &[u8], valid_up_to: usize, lines_before: usize) -> Failure {
        let name = self.name();
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            let complaint = Complaint::new("this is UTF-16, not UTF-8").at(name.clone());
            let remedy = format!("convert it, for example with: iconv -f UTF-16 -t UTF-8 {name}");
            return Failure::bad_input(complaint.remedy(remedy));
        }
        if bytes[..bytes.len().min(8192)].contains(&0) {
            let complaint = Complaint::new("this is a binary file, not JSON").at(name);
            let remedy = "give a request, or a JSON array or JSON Lines of items, in UTF-8";
            return Failure::bad_input(complaint.remedy(remedy));
        }
        let place = Place::after(&String::from_utf8_lossy(&bytes[..valid_up_to]));
        let byte = bytes[valid_up_to];
        let complaint = Complaint::new(format!("the byte 0x{byte:02x} is not valid UTF-8"));
        let remedy =
            "save the file as UTF-8; a text cut in the middle of a character is the usual cause";
        let origin = Origin { name: &name, lines_before };
        Failure::bad_input(complaint.at(origin.locate(place)).remedy(remedy))
    }
}

/// A file that must not end before the size it had when it was opened.
///
/// One that shrinks while it is read would otherwise look complete wherever it happens to end
/// between two lines. What grows is read to its new end.
#[derive(Debug)]
struct Whole<R> {
    file: R,
    missing: u64,
}

impl Whole<File> {
    fn new(file: File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        // What is no plain file has no size to speak of.
        let missing = if metadata.is_file() { metadata.len() } else { 0 };
        Ok(Self { file, missing })
    }
}

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        if read == 0 && !buffer.is_empty() && self.missing > 0 {
            let problem = format!("it ended {} bytes early; it shrank meanwhile", self.missing);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, problem));
        }
        self.missing = self.missing.saturating_sub(read as u64);
        Ok(read)
    }
}

/// Which UTF-16 a text without a byte order mark is, by its first two characters.
fn unmarked_utf_16(bytes: &[u8]) -> Option<&'static str> {
    let zeros: Vec<_> = bytes.iter().take(4).map(|byte| *byte == 0).collect();
    match zeros.as_slice() {
        [true, false] | [true, false, true, false] => Some("UTF-16BE"),
        [false, true] | [false, true, false, true] => Some("UTF-16LE"),
        _ => None,
    }
}

fn refuse_folder(file: File) -> io::Result<File> {
    // Opening a folder succeeds on Unix; reading it would then fail with a stranger message.
    if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8], size: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        Whole { file: text, missing: size }.read_to_end(&mut bytes).map(|_| bytes)
    }

    #[test]
    fn a_file_may_grow_but_not_shrink_while_it_is_read() {
        assert_eq!(read(b"abc", 3).unwrap(), b"abc");
        assert_eq!(read(b"abcdef", 3).unwrap(), b"abcdef");
        assert_eq!(read(b"", 0).unwrap(), b"");
        let error = read(b"abc", 5).unwrap_err();
        assert_eq!(error.to_string(), "it ended 2 bytes early; it shrank meanwhile");
    }
}
