//! A client of the Model Context Protocol, which waits for each answer.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};

pub struct Client {
    server: Child,
    answers: BufReader<ChildStdout>,
    last: u64,
}

impl Client {
    pub fn start(arguments: &[&str]) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_hitstop"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .arg("mcp")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let answers = BufReader::new(server.stdout.take().unwrap());
        Self {
            server,
            answers,
            last: 0,
        }
    }

    /// Started, and past the first messages of the protocol.
    pub fn ready(arguments: &[&str]) -> Self {
        let mut client = Self::start(arguments);
        let me = json!({ "name": "test", "version": "1" });
        let hello =
            json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": me });
        let answer = client.request("initialize", hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "hitstop");
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
        client.send(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        client
    }

    pub fn send(&mut self, line: &[u8]) {
        let input = self.server.stdin.as_mut().unwrap();
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// The answer to a request, past those to messages without an id.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.send(message.to_string().as_bytes());
        loop {
            let answer = self.answer();
            if answer["id"] == id {
                return answer;
            }
            assert!(answer["id"].is_null(), "{answer}");
        }
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        );
        assert!(answer["error"].is_null(), "{tool}: {answer}");
        answer["result"].clone()
    }

    /// What a tool gives, as data; as text it is the same.
    #[track_caller]
    pub fn result(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{tool}: {result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        let as_text: Value = serde_json::from_str(text).unwrap();
        assert_eq!(as_text, result["structuredContent"], "{tool}");
        as_text
    }

    /// What a tool says is wrong.
    #[track_caller]
    pub fn refusal(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        result["structuredContent"].clone()
    }

    /// The exit status, once the client has closed its end.
    pub fn end(mut self) -> i32 {
        drop(self.server.stdin.take());
        self.server.wait().unwrap().code().unwrap()
    }
}
