//! Sends a log over a socket to a viewer, which may come and go, without ever waiting for it.

use super::json::{FrameLine, HeaderLine};
use super::output::{LogOutput, line_text};
use crate::core::file::from_json;
use crate::core::schema::Scalar;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The port at which a viewer listens for recordings unless it is given another.
pub const LIVE_PORT: u16 = 9740;
/// Bytes of lines that wait for the viewer, unless another limit is given.
const LIMIT: usize = 16 << 20;
/// Time between two attempts to connect, and the longest time of one.
const AGAIN: Duration = Duration::from_secs(1);
/// Longest time that the end of a recording waits for the viewer.
const LAST: Duration = Duration::from_secs(2);
/// Time between two looks whether the recording has ended while the viewer does not read.
const LOOK: Duration = Duration::from_millis(50);

/// An output that a running `hitstop listen` receives.
///
/// ```
/// use hitstop::prelude::*;
///
/// let mut recorder = Recorder::new(LiveOutput::new()?, Header::default())?;
/// let ball = recorder.add_object(Object::new("ball", Shape::Sphere { radius: 0.1 }, DVec3::ZERO))?;
/// recorder.frame(0.0, &[Body::new(ball, Pose::IDENTITY)])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Frames are sent by a thread of its own. While there is no viewer it looks for one every second; one that connects gets the objects and
/// the latest frames. For a viewer that is too slow the oldest frames are dropped: numbers of frames skip there, and the viewer shows a
/// gap. Dropping the output ends the recording, and waits up to two seconds for what is not sent yet.
#[derive(Debug)]
pub struct LiveOutput {
    shared: Arc<Shared>,
    limit: usize,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// There are new lines, or the recording has ended.
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The header and the lines of objects that are no longer in the queue.
    objects: Vec<u8>,
    queue: VecDeque<QueuedLine>,
    /// Bytes of the frames in the queue.
    size: usize,
    dropped: u64,
    is_connected: bool,
    ended: Option<Instant>,
    answer: Option<String>,
}

#[derive(Debug)]
struct QueuedLine {
    text: Vec<u8>,
    has_objects: bool,
}

impl LiveOutput {
    /// To a viewer on this machine, at its usual port.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn new() -> io::Result<Self> {
        Self::to((Ipv4Addr::LOCALHOST, LIVE_PORT), LIMIT)
    }

    /// To a viewer at an address, such as `127.0.0.1:9740`. At most `limit` bytes wait for it (16 MiB for [`LiveOutput::new`]).
    ///
    /// # Errors
    /// When there is no such address, or the thread cannot be started.
    pub fn to(address: impl ToSocketAddrs, limit: usize) -> io::Result<Self> {
        let addresses: Vec<SocketAddr> = address.to_socket_addrs()?.collect();
        if addresses.is_empty() {
            return Err(ErrorKind::AddrNotAvailable.into());
        }
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("hitstop live".to_owned())
            .spawn(move || of_thread.run(&addresses))?;
        Ok(Self {
            shared,
            limit,
            thread: Some(thread),
        })
    }

    /// True while a viewer is connected.
    pub fn is_connected(&self) -> bool {
        self.shared.lock().is_connected
    }

    /// Number of frames that were dropped because the viewer was too slow.
    pub fn dropped(&self) -> u64 {
        self.shared.lock().dropped
    }

    /// The latest error that a viewer has sent.
    pub fn answer(&self) -> Option<String> {
        self.shared.lock().answer.clone()
    }

    fn push(&self, text: Vec<u8>, has_objects: bool) {
        let mut state = self.shared.lock();
        // Objects are never dropped.
        state.size += if has_objects { 0 } else { text.len() };
        state.queue.push_back(QueuedLine { text, has_objects });
        while state.size > self.limit && state.drop_frame() {}
        self.shared.changed.notify_one();
    }
}

impl LogOutput for LiveOutput {
    fn header(&mut self, line: &HeaderLine, scalar: Scalar) -> io::Result<()> {
        self.push(line_text(line, scalar)?, true);
        Ok(())
    }

    fn line(&mut self, line: FrameLine, scalar: Scalar) -> io::Result<()> {
        self.push(line_text(&line, scalar)?, line.frame.is_none());
        Ok(())
    }

    fn flush_lines(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for LiveOutput {
    fn drop(&mut self) {
        self.shared.lock().ended = Some(Instant::now());
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic there loses only the rest of the recording.
            let _ = thread.join();
        }
    }
}

impl State {
    /// Takes the first line out; objects stay known for the next viewer.
    fn take_first(&mut self) -> Option<QueuedLine> {
        let line = self.queue.pop_front()?;
        match line.has_objects {
            true => self.objects.extend_from_slice(&line.text),
            false => self.size -= line.text.len(),
        }
        Some(line)
    }

    /// Drops the oldest frame, counted if a viewer misses it; false if there is only the newest line.
    fn drop_frame(&mut self) -> bool {
        let older = self.queue.len().saturating_sub(1);
        let mut lines = self.queue.iter().take(older);
        let Some(first) = lines.position(|line| !line.has_objects) else {
            return false;
        };
        if let Some(line) = self.queue.remove(first) {
            self.size -= line.text.len();
            self.dropped += u64::from(self.is_connected);
        }
        true
    }

    /// Objects that a new viewer has to receive first, from which moment on it is connected.
    fn connect(&mut self) -> Vec<u8> {
        self.is_connected = true;
        self.objects.clone()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Connects and sends, again and again, until the recording ends.
    fn run(&self, addresses: &[SocketAddr]) {
        let connect = |address| TcpStream::connect_timeout(address, AGAIN).ok();
        loop {
            let begun = Instant::now();
            if let Some(stream) = addresses.iter().find_map(connect) {
                let sent = self.send_all(&stream);
                let mut state = self.lock();
                state.is_connected = false;
                if sent.is_err() {
                    state.answer = answer_of(&stream).or(state.answer.take());
                }
                if sent.is_ok() {
                    return;
                }
            }
            let mut state = self.lock();
            while state.ended.is_none() && begun.elapsed() < AGAIN {
                let wait = self.changed.wait_timeout(state, AGAIN);
                state = wait.unwrap_or_else(PoisonError::into_inner).0;
            }
            if state.ended.is_some() {
                return;
            }
        }
    }

    /// Sends the objects so far and every line to the end of the recording.
    fn send_all(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(LOOK))?;
        let objects = self.lock().connect();
        self.send(stream, &objects)?;
        loop {
            let mut state = self.lock();
            while state.queue.is_empty() && state.ended.is_none() {
                let wait = self.changed.wait(state);
                state = wait.unwrap_or_else(PoisonError::into_inner);
            }
            let Some(line) = state.take_first() else {
                return Ok(());
            };
            drop(state);
            self.send(stream, &line.text)?;
        }
    }

    fn send(&self, mut stream: &TcpStream, mut text: &[u8]) -> io::Result<()> {
        while !text.is_empty() {
            let ended = self.lock().ended;
            if ended.is_some_and(|since| since.elapsed() > LAST) {
                return Err(ErrorKind::TimedOut.into());
            }
            match stream.write(text) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(count) => text = &text[count..],
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {}
                    _ => return Err(error),
                },
            }
        }
        Ok(())
    }
}

/// The error line of a viewer that has closed the connection.
fn answer_of(mut stream: &TcpStream) -> Option<String> {
    stream.set_read_timeout(Some(LOOK)).ok()?;
    let mut bytes = [0; 1024];
    let count = stream.read(&mut bytes).ok().filter(|count| *count > 0)?;
    let answer: serde_json::Value = from_json(&bytes[..count]).ok()?;
    Some(answer.get("error")?.as_str()?.to_owned())
}
