//! Recordings of web pages: `hitstop listen --http` takes them as posts, and hands them on to the listener as a recorder of any program does.
//!
//! A recording has a name of its own and sends its lines in posts to `/NAME/0`, `/NAME/1` and so on, the last one with `?end`. An answer
//! other than 200 ends it; its body is the line that a recorder gets, `{"error": ".."}`. Each connection takes one request, with limits on
//! its size and time, and only pages of this machine and of the origins that were named may send.

use crate::core::file::from_json;
use crate::core::problem::Problem;
use std::collections::{BTreeMap, HashSet};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Most bytes of a request up to its body, and of the body. The recorder sends a mebibyte at most.
const HEAD: usize = 16 << 10;
const BODY: usize = 4 << 20;
/// Most requests that are read at a time, and recordings that are handed on.
const REQUESTS: usize = 16;
const RECORDINGS: usize = 8;
/// Longest time for a request, and for handing on its lines to a viewer that is slow.
const REQUEST: Duration = Duration::from_secs(10);
const HAND_ON: Duration = Duration::from_secs(30);
/// Time without a post after which a recording has ended.
const SILENT: Duration = Duration::from_secs(20);
/// Longest time that a post waits for the one before it.
const EARLY: Duration = Duration::from_secs(1);

/// Takes posts for a listener.
struct Gateway {
    listener: SocketAddr,
    origins: Vec<String>,
    recordings: Mutex<BTreeMap<String, Recording>>,
    /// Origins that were refused; each is told once.
    refused: Mutex<HashSet<String>>,
    requests: AtomicUsize,
}

/// A recording that is handed on.
struct Recording {
    stream: TcpStream,
    /// The number of its next post.
    next: u64,
    last: Instant,
}

/// What a page gets.
struct Answer {
    status: &'static str,
    error: String,
}

impl Answer {
    fn new(status: &'static str, error: impl Into<String>) -> Self {
        let error = error.into();
        Self { status, error }
    }

    fn ok() -> Self {
        Self::new("200 OK", "")
    }
}

/// Starts to take posts on a port of the loopback address, for the listener at an address; `say` tells of pages that are refused.
///
/// # Errors
/// When the port is in use.
pub fn start(
    port: u16,
    listener: SocketAddr,
    origins: &[String],
    say: fn(&str),
) -> Result<SocketAddr, Problem> {
    let wanted = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port);
    let failed = |error: io::Error| {
        let help = "another program listens there: choose another port, `--http PORT`";
        Problem::new(
            wanted.to_string(),
            format!("listening failed: {error}"),
            help,
        )
    };
    let socket = TcpListener::bind(wanted).map_err(failed)?;
    let address = socket.local_addr().map_err(failed)?;
    let host = match listener.ip() {
        ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        ip => ip,
    };
    let gateway = Arc::new(Gateway {
        listener: SocketAddr::new(host, listener.port()),
        origins: origins.iter().map(|one| normal(one)).collect(),
        recordings: Mutex::default(),
        refused: Mutex::default(),
        requests: AtomicUsize::new(0),
    });
    let silent = Arc::clone(&gateway);
    thread::spawn(move || {
        loop {
            thread::sleep(Duration::from_secs(1));
            silent.end_silent();
        }
    });
    thread::spawn(move || {
        for stream in socket.incoming() {
            let Ok(stream) = stream else {
                // Such as too many open files, which lasts.
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            // One more is dropped, as is one for which the system has no thread left, and the page tries again.
            let mut is_taken = gateway.requests.fetch_add(1, Ordering::Relaxed) < REQUESTS;
            if is_taken {
                let taking = Arc::clone(&gateway);
                let take = move || {
                    taking.take(&stream, say);
                    taking.requests.fetch_sub(1, Ordering::Relaxed);
                };
                is_taken = thread::Builder::new().spawn(take).is_ok();
            }
            if !is_taken {
                gateway.requests.fetch_sub(1, Ordering::Relaxed);
            }
        }
    });
    Ok(address)
}

impl Gateway {
    /// Reads the request of a connection and answers it. One that is cut off is left out, as if it had not been sent.
    fn take(&self, stream: &TcpStream, say: fn(&str)) {
        let request = match Request::read(stream) {
            Ok(Some(request)) => request,
            Ok(None) => return,
            Err(answer) => return respond(stream, &answer, None),
        };
        let origin = request.origin.as_deref();
        if let Some(origin) = origin.filter(|origin| !self.allows(origin)) {
            let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
            if refused.len() < RECORDINGS && refused.insert(origin.to_owned()) {
                say(&format!(
                    "a page of {origin} was refused; to allow it, start with `--origin {origin}`"
                ));
            }
            return respond(
                stream,
                &Answer::new("403 Forbidden", "this origin is not allowed"),
                None,
            );
        }
        // Its end is told to the listener after the answer: with `--once` the program ends by it.
        let mut ended = None;
        let answer = match request.method.as_str() {
            "OPTIONS" => Answer::ok(),
            "POST" => self
                .post(&request, &mut ended)
                .unwrap_or_else(|answer| answer),
            _ => Answer::new(
                "405 Method Not Allowed",
                "only POST is taken: send the lines of a recording",
            ),
        };
        respond(stream, &answer, origin);
        drop(ended);
    }

    /// Whether pages of an origin may send. Browsers name the origin of every post; a request without one is of a program.
    fn allows(&self, origin: &str) -> bool {
        let origin = normal(origin);
        let host = origin
            .strip_prefix("http://")
            .or(origin.strip_prefix("https://"));
        let is_here = host.is_some_and(|host| {
            ["localhost", "127.0.0.1", "[::1]"].into_iter().any(|name| {
                let port = host.strip_prefix(name);
                port.is_some_and(|port| {
                    port.is_empty()
                        || port
                            .strip_prefix(':')
                            .is_some_and(|port| port.parse::<u16>().is_ok())
                })
            })
        });
        is_here || self.origins.contains(&origin)
    }

    /// Ends the recordings of pages that are gone without a last post. One that goes on begins again.
    fn end_silent(&self) {
        let recordings = self.recordings.lock();
        let mut recordings = recordings.unwrap_or_else(PoisonError::into_inner);
        recordings.retain(|_, recording| recording.last.elapsed() < SILENT);
    }

    /// The recordings, once it is the turn of a post: the last one of a page that is left does not wait for the one before it.
    fn recordings(&self, name: &str, number: u64) -> MutexGuard<'_, BTreeMap<String, Recording>> {
        let until = Instant::now() + EARLY;
        loop {
            let recordings = self.recordings.lock();
            let recordings = recordings.unwrap_or_else(PoisonError::into_inner);
            let next = recordings.get(name).map(|recording| recording.next);
            if next.is_none_or(|next| next + 1 != number) || Instant::now() > until {
                return recordings;
            }
            drop(recordings);
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Hands on the lines of a post, and takes out the recording that has ended by it.
    fn post(&self, request: &Request, ended: &mut Option<Recording>) -> Result<Answer, Answer> {
        let (name, number, ends) = request.place().ok_or_else(|| {
            Answer::new(
                "404 Not Found",
                "the path is not that of a recording; use the recorder hitstop.js",
            )
        })?;
        let mut recordings = self.recordings(&name, number);
        if number == 0 {
            // A recorder that looks for a viewer, when there is none, says nothing.
            let stream = TcpStream::connect(self.listener)
                .map_err(|_| Answer::new("503 Service Unavailable", ""))?;
            let _ = stream.set_write_timeout(Some(HAND_ON));
            let last = Instant::now();
            if recordings.len() >= RECORDINGS {
                let oldest = recordings.iter().min_by_key(|(_, one)| one.last);
                let oldest = oldest.map(|(name, _)| name.clone());
                oldest.map(|name| recordings.remove(&name));
            }
            recordings.insert(
                name.clone(),
                Recording {
                    stream,
                    next: 0,
                    last,
                },
            );
        }
        let Some(recording) = recordings.get_mut(&name) else {
            return Err(Answer::new(
                "409 Conflict",
                "this recording has not begun here; begin again",
            ));
        };
        if recording.next != number {
            let what = format!(
                "post {number} came where {} was the next; begin again",
                recording.next
            );
            *ended = recordings.remove(&name);
            return Err(Answer::new("409 Conflict", what));
        }
        recording.next += 1;
        recording.last = Instant::now();
        let sent = recording.stream.write_all(&request.body);
        if let Some(error) = recording.error(sent.is_err()) {
            *ended = recordings.remove(&name);
            return Err(Answer::new("409 Conflict", error));
        }
        if ends {
            *ended = recordings.remove(&name);
        }
        Ok(Answer::ok())
    }
}

impl Recording {
    /// What the listener has answered, after which it takes no more.
    fn error(&mut self, has_failed: bool) -> Option<String> {
        let wait = if has_failed {
            Duration::from_millis(500)
        } else {
            Duration::from_millis(1)
        };
        let _ = self.stream.set_read_timeout(Some(wait));
        let mut line = [0; 4096];
        match self.stream.read(&mut line) {
            Ok(count) if count > 0 => {
                let answer: Option<serde_json::Value> = from_json(&line[..count]).ok();
                let error = answer.and_then(|answer| answer["error"].as_str().map(str::to_owned));
                Some(error.unwrap_or_else(|| "the viewer takes no more".to_owned()))
            }
            Ok(_) => Some("the viewer has ended".to_owned()),
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
                    && !has_failed =>
            {
                None
            }
            Err(_) => Some("the viewer has ended".to_owned()),
        }
    }
}

/// A request of one connection.
struct Request {
    method: String,
    path: String,
    origin: Option<String>,
    body: Vec<u8>,
}

impl Request {
    /// `None` for one that ends before it is whole, or takes too long.
    fn read(mut stream: &TcpStream) -> Result<Option<Self>, Answer> {
        let until = Instant::now() + REQUEST;
        let mut bytes = Vec::new();
        let mut more = |bytes: &mut Vec<u8>| {
            let mut part = [0; 16 << 10];
            let left = until.saturating_duration_since(Instant::now());
            let is_set = !left.is_zero() && stream.set_read_timeout(Some(left)).is_ok();
            match is_set.then(|| stream.read(&mut part)) {
                Some(Ok(count)) if count > 0 => {
                    bytes.extend_from_slice(&part[..count]);
                    true
                }
                _ => false,
            }
        };
        let end = loop {
            let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
            if end.unwrap_or(bytes.len()) > HEAD {
                return Err(Answer::new(
                    "431 Request Header Fields Too Large",
                    "the header is too long",
                ));
            }
            if let Some(end) = end {
                break end;
            }
            if !more(&mut bytes) {
                return Ok(None);
            }
        };
        let mut body = bytes.split_off(end + 4);
        let bad = || Answer::new("400 Bad Request", "this is not a request of HTTP/1.1");
        let head = String::from_utf8(bytes).map_err(|_| bad())?;
        let mut lines = head.lines();
        let mut words = lines.next().unwrap_or_default().split(' ');
        let (Some(method), Some(path), Some("HTTP/1.1" | "HTTP/1.0")) =
            (words.next(), words.next(), words.next())
        else {
            return Err(bad());
        };
        let (mut length, mut origin) = (0, None);
        for (name, value) in lines.filter_map(|line| line.split_once(':')) {
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().map_err(|_| bad())?,
                "origin" => origin = Some(value.to_owned()),
                "transfer-encoding" => {
                    return Err(Answer::new(
                        "411 Length Required",
                        "give the length of the body, `Content-Length`",
                    ));
                }
                _ => {}
            }
        }
        if length > BODY {
            return Err(Answer::new(
                "413 Content Too Large",
                format!("a post holds up to {BODY} bytes; send the lines in several"),
            ));
        }
        while body.len() < length {
            if !more(&mut body) {
                return Ok(None);
            }
        }
        body.truncate(length);
        let (method, path) = (method.to_owned(), path.to_owned());
        Ok(Some(Self {
            method,
            path,
            origin,
            body,
        }))
    }

    /// The name of the recording, the number of the post, and whether it is the last.
    fn place(&self) -> Option<(String, u64, bool)> {
        let (path, query) = self.path.split_once('?').unwrap_or((&self.path, ""));
        let (name, number) = path.strip_prefix('/')?.split_once('/')?;
        let is_name =
            (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_name.then_some((name.to_owned(), number.parse().ok()?, query == "end"))
    }
}

/// An origin as browsers write it.
fn normal(origin: &str) -> String {
    origin.trim_end_matches('/').to_ascii_lowercase()
}

/// Answers a request; a page reads the answer only if its origin is given back.
fn respond(mut stream: &TcpStream, answer: &Answer, origin: Option<&str>) {
    let Answer { status, error } = answer;
    let body = match error.as_str() {
        "" => String::new(),
        error => format!("{}\n", serde_json::json!({ "error": error })),
    };
    // A page of another address space asks before it posts to this machine.
    let allowed = origin.map(|origin| format!("Access-Control-Allow-Origin: {origin}\r\nVary: Origin\r\nAccess-Control-Allow-Methods: POST\r\nAccess-Control-Allow-Headers: content-type\r\nAccess-Control-Allow-Private-Network: true\r\n"));
    let allowed = allowed.unwrap_or_default();
    let _ = stream.set_write_timeout(Some(REQUEST));
    let length = body.len();
    let _ = write!(
        stream,
        "HTTP/1.1 {status}\r\n{allowed}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    );
    // What was sent and not read would make the system drop the answer.
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
    let mut rest = [0; 16 << 10];
    for _ in 0..1024 {
        if !stream.read(&mut rest).is_ok_and(|count| count > 0) {
            break;
        }
    }
}
