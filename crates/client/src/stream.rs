//! Streams of events that go on where they were cut off.

use std::collections::VecDeque;
use std::io::Read;
use std::iter::FusedIterator;
use std::mem::take;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;

use crate::send::{Call, stream};
use crate::sse::{Block, Parser, TooLong};
use crate::{Change, Client, ClientError, Event, Ticket};

/// The most data of one step, in bytes.
const LONGEST_STEP: usize = 64 << 20;
/// A stream that lasted this long is not one that ends again and again.
const LASTING: Duration = Duration::from_secs(30);

/// A stream that is open.
struct Open {
    reader: Box<dyn Read + Send>,
    parser: Parser,
    since: Instant,
}

/// Blocks of one stream after another.
struct Stream {
    client: Client,
    path: String,
    /// The step that was seen last.
    seen: Option<u64>,
    open: Option<Open>,
    /// No block of this connection was given yet.
    is_anew: bool,
    blocks: VecDeque<Block>,
    /// What the service says of when to come again.
    retry: Duration,
    /// How often it was cut off since something came.
    cuts: u32,
    is_over: bool,
}

impl Stream {
    fn new(client: Client, path: String) -> Self {
        Self {
            client,
            path,
            seen: None,
            open: None,
            is_anew: false,
            blocks: VecDeque::new(),
            retry: Duration::ZERO,
            cuts: 0,
            is_over: false,
        }
    }

    fn next(&mut self) -> Result<Block, ClientError> {
        loop {
            if let Some(block) = self.blocks.pop_front() {
                if let Some(retry) = block.retry {
                    self.retry = Duration::from_millis(retry);
                }
                return Ok(block);
            }
            self.read()?;
        }
    }

    /// Reads on, from another connection where the last was cut off.
    fn read(&mut self) -> Result<(), ClientError> {
        let open = match &mut self.open {
            Some(open) => open,
            none => {
                let call = Call {
                    wait: None,
                    last_seen: self.seen,
                    ..Call::get(self.path.clone())
                };
                let reader = Box::new(self.client.send(&call, stream)?);
                self.is_anew = true;
                none.insert(Open {
                    reader,
                    parser: Parser::default(),
                    since: Instant::now(),
                })
            }
        };
        let mut bytes = [0; 8192];
        let why = match open.reader.read(&mut bytes) {
            Ok(0) => "the stream of events ended".to_owned(),
            Ok(count) => {
                let fed = open.parser.feed(&bytes[..count], &mut self.blocks);
                return fed
                    .map_err(|TooLong| ClientError::Unreadable("an event is longer than 1 MiB".to_owned()));
            }
            Err(error) => error.to_string(),
        };
        if open.since.elapsed() > LASTING {
            self.cuts = 0;
        }
        self.open = None;
        let retries = self.client.retries;
        if self.cuts >= retries.times {
            return Err(ClientError::Connection {
                why,
                tries: self.cuts.saturating_add(1),
                request_id: None,
            });
        }
        sleep(retries.wait(self.cuts).max(self.retry.min(retries.longest_wait)));
        self.cuts += 1;
        Ok(())
    }

    /// Nothing more comes.
    fn end(&mut self) {
        self.is_over = true;
        self.open = None;
    }
}

fn read_data<T: DeserializeOwned>(data: &str) -> Result<T, ClientError> {
    let unreadable = |error| ClientError::Unreadable(format!("an event is not what it should be: {error}"));
    serde_json::from_str(data).map_err(unreadable)
}

/// The states of a ticket from [`Client::watch`].
pub struct Watch(Stream);

impl Watch {
    pub(crate) fn new(client: Client, path: String) -> Self {
        Self(Stream::new(client, path))
    }

    fn ticket(&mut self) -> Result<Ticket, ClientError> {
        loop {
            let block = self.0.next()?;
            let Some(data) = block.data.filter(|_| block.event == "ticket") else {
                continue;
            };
            let ticket: Ticket = read_data(&data)?;
            if self.0.seen.is_none_or(|seen| ticket.version > seen) {
                self.0.seen = Some(ticket.version);
                self.0.cuts = 0;
                return Ok(ticket);
            }
        }
    }
}

impl Iterator for Watch {
    type Item = Result<Ticket, ClientError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_over {
            return None;
        }
        let ticket = self.ticket();
        if ticket.as_ref().map_or(true, Ticket::is_over) {
            self.0.end();
        }
        Some(ticket)
    }
}

/// All changes from [`Client::events`].
pub struct Events {
    stream: Stream,
    /// Of a step that is not complete, with the length of its data.
    step: Vec<Event>,
    length: usize,
    ready: VecDeque<Event>,
}

impl Events {
    pub(crate) fn new(client: Client, path: String) -> Self {
        Self {
            stream: Stream::new(client, path),
            step: Vec::new(),
            length: 0,
            ready: VecDeque::new(),
        }
    }

    /// The last step that came whole, if one did.
    #[must_use]
    pub const fn seen(&self) -> Option<u64> {
        self.stream.seen
    }

    /// Reads on.
    fn read(&mut self) -> Result<(), ClientError> {
        let block = self.stream.next()?;
        if take(&mut self.stream.is_anew) {
            // What was cut off comes again whole.
            self.step.clear();
            self.length = 0;
        }
        if let Some(data) = &block.data {
            self.length = self.length.saturating_add(data.len());
            if self.length > LONGEST_STEP {
                return Err(ClientError::Unreadable("a step is longer than 64 MiB".to_owned()));
            }
            let change = match &block.event[..] {
                "ticket" => Some(Change::Ticket(read_data(data)?)),
                "match" => Some(Change::Match(read_data(data)?)),
                _ => None,
            };
            self.step
                .extend(change.map(|change| Event { step: None, change }));
        }
        let Some(step) = block.id.and_then(|id| id.parse().ok()) else {
            return Ok(());
        };
        if let Some(last) = self.step.last_mut() {
            last.step = Some(step);
        }
        self.ready.extend(self.step.drain(..));
        self.length = 0;
        self.stream.seen = Some(step);
        self.stream.cuts = 0;
        Ok(())
    }
}

impl Iterator for Events {
    type Item = Result<Event, ClientError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(Ok(event));
            }
            if self.stream.is_over {
                return None;
            }
            if let Err(error) = self.read() {
                self.stream.end();
                return Some(Err(error));
            }
        }
    }
}

impl FusedIterator for Watch {}
impl FusedIterator for Events {}
