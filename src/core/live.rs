//! Recordings that arrive over a socket while the game runs.
//!
//! A recorder connects and sends the lines of a JSON Lines log, as docs/record.md says. One recording is received at a time.

use super::file::Opened;
use super::level::{self, Level, LevelParts};
use super::log::Format;
use super::problem::{Problem, Problems};
use super::progress::Progress;
use super::scene::MemoryFolder;
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Time between two looks for a client, or for more of its lines.
const LOOK_AGAIN: Duration = Duration::from_millis(30);
/// Longest time to write an error to a client.
const ANSWER: Duration = Duration::from_millis(500);

/// Waits for recorders.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Listens on an address; port 0 is a free one. Only programs of this machine reach a loopback address.
    ///
    /// # Errors
    /// When the port is in use, or the address is not one of this machine.
    pub fn new(host: IpAddr, port: u16) -> Result<Self, Problem> {
        let wanted = SocketAddr::new(host, port);
        let bound = TcpListener::bind(wanted).and_then(|socket| {
            socket.set_nonblocking(true)?;
            let address = socket.local_addr()?;
            Ok(Self { socket, address })
        });
        bound.map_err(|error| {
            let help = match error.kind() {
                ErrorKind::AddrInUse => {
                    "another program listens there, perhaps another Hitstop: close it, or choose another port"
                }
                ErrorKind::PermissionDenied => "choose a port above 1023",
                _ => "choose an address of this machine: 127.0.0.1",
            };
            let what = format!("listening failed: {error}");
            Problem::new(wanted.to_string(), what, help)
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The next recorder; `None` when the progress is cancelled.
    ///
    /// # Errors
    /// Those of the socket.
    pub fn accept<'l>(&'l self, progress: &'l dyn Progress) -> Result<Option<Client<'l>>, Problem> {
        while !progress.cancelled() {
            match self.socket.accept() {
                Ok((stream, from)) => {
                    // A client that is gone already is found out when it is read.
                    let _ = stream.set_nonblocking(false);
                    let _ = stream.set_read_timeout(Some(LOOK_AGAIN));
                    let _ = stream.set_write_timeout(Some(ANSWER));
                    return Ok(Some(Client {
                        stream,
                        from,
                        listener: self,
                        progress,
                    }));
                }
                Err(error) if is_passing(&error) => sleep(LOOK_AGAIN),
                Err(error) => {
                    let what = format!("listening failed: {error}");
                    let help = "listen again";
                    return Err(Problem::new(self.address.to_string(), what, help));
                }
            }
        }
        Ok(None)
    }

    /// Refuses those who connect while a recording is received.
    fn refuse_others(&self) {
        while let Ok((stream, _)) = self.socket.accept() {
            let _ = stream.set_write_timeout(Some(ANSWER));
            send_error(&stream, "another recording is being received");
        }
    }
}

/// A recorder that has connected.
pub struct Client<'l> {
    stream: TcpStream,
    from: SocketAddr,
    listener: &'l Listener,
    progress: &'l dyn Progress,
}

impl Client<'_> {
    /// Its address.
    pub fn from(&self) -> SocketAddr {
        self.from
    }

    /// Receives a recording until the recorder ends it or the progress is cancelled; hands on the level so far. A client that sends
    /// something else gets a line with the error.
    ///
    /// # Errors
    /// When it is no recording, or one without a frame.
    pub fn receive(self, parts: LevelParts<'_>) -> Result<Level, Problems> {
        let name = self.from.to_string();
        let input = Input {
            stream: &self.stream,
            listener: self.listener,
            progress: self.progress,
            looked: Instant::now(),
        };
        let opened = Opened {
            input: Box::new(BufReader::with_capacity(1 << 16, input)),
            length: 0,
            file: None,
        };
        let none = MemoryFolder::default();
        let format = Format::JsonLines;
        let level = level::open_log(format, opened, &name, &none, &(), Some(parts));
        if let Err(problems) = &level {
            let text: Vec<_> = problems.0.iter().map(|one| one.what.as_str()).collect();
            send_error(&self.stream, &text.join("; "));
        }
        level
    }
}

/// The lines of a client.
struct Input<'c> {
    stream: &'c TcpStream,
    listener: &'c Listener,
    progress: &'c dyn Progress,
    /// When others were refused last.
    looked: Instant,
}

impl Read for Input<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.progress.cancelled() {
            return Ok(0);
        }
        if self.looked.elapsed() > LOOK_AGAIN {
            self.listener.refuse_others();
            self.looked = Instant::now();
        }
        self.stream.read(bytes)
    }
}

/// Writes an error for the client; one that does not read it misses it.
fn send_error(mut stream: &TcpStream, what: &str) {
    let line = serde_json::json!({ "error": what });
    let _ = writeln!(stream, "{line}");
    // What the client sent and was not read would make the system drop the answer.
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let _ = stream.set_read_timeout(Some(LOOK_AGAIN));
    let until = Instant::now() + ANSWER;
    let mut rest = [0; 4096];
    while Instant::now() < until && stream.read(&mut rest).is_ok_and(|count| count > 0) {}
}

fn is_passing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock
            | ErrorKind::Interrupted
            | ErrorKind::ConnectionAborted
            | ErrorKind::ConnectionReset
    )
}
