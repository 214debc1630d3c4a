//! Recordings that arrive over a socket while the game runs.
//!
//! A recorder connects and sends the lines of a JSON Lines log, as docs/record.md says, or PhysX the stream of OmniPVD. One recording is received at a time.

use super::file::Opened;
use super::level::{self, Level, LevelParts};
use super::log::{self, Format, ReadOptions};
use super::problem::{Problem, Problems};
use super::progress::Progress;
use super::scene::MemoryFolder;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Time between two looks for a client, or for more of its lines.
const LOOK_AGAIN: Duration = Duration::from_millis(30);
/// Longest time to write an error to a client.
const ANSWER: Duration = Duration::from_millis(500);
/// Time without a line after which another recorder takes the place of one, such as a game that hangs or is paused in a debugger.
const SILENT: Duration = Duration::from_secs(5);
/// Clients that may wait without having sent anything (a count); beyond it the first of them is refused.
const WAITING: usize = 16;

/// Waits for recorders.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
    /// What the user says about the recordings.
    pub options: ReadOptions,
    /// The next recorder, which has connected while another was silent.
    next: Mutex<Option<(TcpStream, SocketAddr)>>,
    /// Clients that have connected while one was silent, and have sent nothing yet.
    waiting: Mutex<Vec<(TcpStream, SocketAddr)>>,
}

/// The message about a recorder at an address that has connected while another is received.
pub fn refused(from: SocketAddr) -> String {
    format!("another recorder, at {from}, was refused: only one recording is received at a time")
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
            Ok(Self {
                socket,
                address,
                options: ReadOptions::default(),
                next: Mutex::default(),
                waiting: Mutex::default(),
            })
        });
        bound.map_err(|error| {
            let help = match error.kind() {
                ErrorKind::AddrInUse => {
                    "another program listens there, perhaps another Hitstop: close it, or choose another port"
                }
                ErrorKind::PermissionDenied => "choose a port above 1023",
                ErrorKind::AddrNotAvailable => "choose an address of this machine: 127.0.0.1",
                _ => "listen again",
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
            let waits = || {
                let mut waiting = self.waiting();
                (!waiting.is_empty()).then(|| waiting.remove(0))
            };
            let next = self.next().take().or_else(waits);
            let next = next.map_or_else(|| self.socket.accept(), Ok);
            match next {
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

    /// Handles recorders that connect while another is `silent` for so long: the first that begins a recording takes its place if that is too long,
    /// and others are refused. Returns the address of one that was refused.
    fn look(&self, silent: Duration) -> Option<SocketAddr> {
        let mut refused = None;
        let mut waiting = self.waiting();
        for (stream, from) in std::iter::from_fn(|| self.socket.accept().ok()).take(WAITING) {
            let _ = stream.set_nonblocking(true);
            waiting.push((stream, from));
        }
        let all = std::mem::take(&mut *waiting);
        let too_many = all.len().saturating_sub(WAITING);
        for (index, (stream, from)) in all.into_iter().enumerate() {
            let begins = begins_recording(&stream);
            let is_one_of_many = begins.is_none() && index < too_many;
            let mut next = self.next();
            if silent <= SILENT || next.is_some() || begins == Some(false) || is_one_of_many {
                refused = Some(from);
                // The recorder whose thread this is does not wait for it. Without a thread for it the connection just ends.
                let _ = std::thread::Builder::new().spawn(move || {
                    let _ = stream.set_nonblocking(false);
                    let _ = stream.set_write_timeout(Some(ANSWER));
                    send_error(&stream, "another recording is being received");
                });
            } else if begins.is_some() {
                *next = Some((stream, from));
            } else {
                waiting.push((stream, from));
            }
        }
        refused
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<(TcpStream, SocketAddr)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> MutexGuard<'_, Option<(TcpStream, SocketAddr)>> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Receives a recording until the recorder ends it, another one takes its place, or the progress is cancelled; hands on the level so far.
    /// A client that sends something else gets a line with the error. `refused` is called once, with the address of a recorder that has
    /// connected meanwhile.
    ///
    /// # Errors
    /// When it is no recording, or one without a frame.
    pub fn receive(
        self,
        parts: LevelParts<'_>,
        refused: &mut dyn FnMut(SocketAddr),
    ) -> Result<Level, Problems> {
        let name = self.from.to_string();
        let now = Instant::now();
        let input = Input {
            client: &self,
            read: now,
            looked: now,
            refused: Some(refused),
        };
        let mut input = BufReader::with_capacity(1 << 16, input);
        let format = loop {
            match input.fill_buf() {
                Err(error) if log::is_waiting(&error) => {}
                start => break Format::of_stream(start.ok().and_then(<[u8]>::first).copied()),
            }
        };
        let opened = Opened {
            input: Box::new(input),
            length: 0,
            file: None,
        };
        let none = MemoryFolder::default();
        let options = &self.listener.options;
        let mut level =
            level::open_log_with(format, opened, &name, options, &none, &(), Some(parts));
        if self.listener.next().is_some() {
            let seconds = SILENT.as_secs();
            let what = format!("another recorder has connected after {seconds} s without a line");
            send_error(&self.stream, &what);
            if let Ok(level) = &mut level {
                let help = "record it again, if it was not at its end";
                level.notices.push(Problem::new(&name, what, help));
            }
        } else if let Err(problems) = &level {
            let text: Vec<_> = problems.0.iter().map(|one| one.what.as_str()).collect();
            send_error(&self.stream, &text.join("; "));
        }
        level
    }
}

/// The lines of a client.
struct Input<'c> {
    client: &'c Client<'c>,
    /// When something was read last.
    read: Instant,
    /// When other clients were looked for last.
    looked: Instant,
    /// Is called for the first client that is refused.
    refused: Option<&'c mut dyn FnMut(SocketAddr)>,
}

impl Read for Input<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let Client {
            stream,
            listener,
            progress,
            ..
        } = self.client;
        if progress.cancelled() {
            return Ok(0);
        }
        if self.looked.elapsed() > LOOK_AGAIN {
            if let Some(from) = listener.look(self.read.elapsed())
                && let Some(refused) = self.refused.take()
            {
                refused(from);
            }
            if listener.next().is_some() {
                return Ok(0);
            }
            self.looked = Instant::now();
        }
        let count = (&*stream).read(bytes)?;
        self.read = Instant::now();
        Ok(count)
    }
}

/// Whether a client sends a recording; `None` while it has sent nothing.
fn begins_recording(stream: &TcpStream) -> Option<bool> {
    let mut first = [0];
    match stream.peek(&mut first) {
        Ok(0) => Some(false),
        // A browser begins with a word.
        Ok(_) => Some(
            !first[0].is_ascii_alphabetic() || Format::of_stream(Some(first[0])) == Format::Ovd,
        ),
        Err(error) => (error.kind() != ErrorKind::WouldBlock).then_some(false),
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
