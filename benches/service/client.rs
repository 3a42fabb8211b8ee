//! A client that costs little: one connection, one call at a time, no more of HTTP than the server needs.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    used: Instant,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self {
            stream,
            buffer: Vec::new(),
            used: Instant::now(),
        }
    }

    /// Whether the server may have closed it by now, as it does with idle ones.
    pub(crate) fn is_old(&self) -> bool {
        self.used.elapsed() > Duration::from_secs(5)
    }

    /// The status and the body of an answer.
    pub(crate) async fn call(&mut self, method: &str, path: &str, body: &str) -> (u16, String) {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await.unwrap();
        self.buffer.clear();
        let (head, length) = loop {
            assert!(
                self.stream.read_buf(&mut self.buffer).await.unwrap() > 0,
                "the connection was closed"
            );
            if let Some(end) = self.buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                let head = std::str::from_utf8(&self.buffer[..end]).unwrap();
                let length = head
                    .lines()
                    .find_map(|line| line.strip_prefix("content-length: "));
                break (end + 4, length.unwrap().parse::<usize>().unwrap());
            }
        };
        while self.buffer.len() < head + length {
            assert!(
                self.stream.read_buf(&mut self.buffer).await.unwrap() > 0,
                "the connection was closed"
            );
        }
        self.used = Instant::now();
        let status = std::str::from_utf8(&self.buffer[9..12]).unwrap().parse().unwrap();
        (status, String::from_utf8(self.buffer[head..].to_vec()).unwrap())
    }
}

/// The text after `"name":` in JSON that the service wrote, up to the next comma, bracket or quote.
pub(crate) fn field<'a>(json: &'a str, name: &str) -> &'a str {
    let key = format!("\"{name}\":");
    let Some(at) = json.find(&key) else {
        return "";
    };
    let value = json[at + key.len()..].trim_start_matches('"');
    value.split(['"', ',', '}']).next().unwrap_or_default()
}
