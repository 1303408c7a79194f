//! A running program that is asked line by line.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How long a program may take to end once its input is closed.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Dropped to close the program's input.
    requests: Option<Sender<String>>,
    answers: Receiver<io::Result<String>>,
}

/// Why there is no line.
#[derive(Debug)]
pub(super) enum Silence {
    /// Nothing came in time.
    TimedOut,
    /// The program closed its output; says how it ended.
    Ended(String),
    /// Its output could not be read.
    Unreadable(io::Error),
}

impl Process {
    /// Starts a program. Its standard error stays the caller's.
    pub(super) fn start(command: &[String]) -> io::Result<Self> {
        let [program, arguments @ ..] = command else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the command is empty"));
        };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let piped = "standard input and output were piped";
        let requests = write_in_background(child.stdin.take().expect(piped));
        let answers = read_in_background(child.stdout.take().expect(piped));
        Ok(Self { child, requests: Some(requests), answers })
    }

    /// Sends one line and waits for one.
    pub(super) fn ask(&mut self, line: String, timeout: Duration) -> Result<String, Silence> {
        if let Some(requests) = &self.requests {
            // A program that is gone shows when its answer is read.
            let _ = requests.send(line);
        }
        match self.answers.recv_timeout(timeout) {
            Ok(Ok(line)) => Ok(line),
            Ok(Err(error)) => Err(Silence::Unreadable(error)),
            Err(RecvTimeoutError::Timeout) => {
                // Whatever comes now would answer the wrong request. If it cannot be stopped, it is
                // at least not listened to any more.
                let _ = self.child.kill();
                Err(Silence::TimedOut)
            }
            Err(RecvTimeoutError::Disconnected) => Err(Silence::Ended(self.end())),
        }
    }

    /// Closes the program's input and waits for its end, for a while; says how it ended.
    fn end(&mut self) -> String {
        self.requests = None;
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.to_string(),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                Ok(None) => break,
                Err(error) => return error.to_string(),
            }
        }
        // It may have ended by itself in the meantime, which is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
        "it closed its output and was stopped".to_owned()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Writing has a thread of its own: a program that does not read must not block the caller.
fn write_in_background(mut input: ChildStdin) -> Sender<String> {
    let (sender, receiver) = mpsc::channel::<String>();
    thread::spawn(move || {
        for line in receiver {
            if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
                break;
            }
        }
    });
    sender
}

/// Reading has a thread of its own: only a channel can be waited for with a limit.
fn read_in_background(output: ChildStdout) -> Receiver<io::Result<String>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            let failed = line.is_err();
            if sender.send(line).is_err() || failed {
                break;
            }
        }
    });
    receiver
}
