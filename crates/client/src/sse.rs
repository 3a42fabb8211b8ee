//! Server-sent events as WHATWG defines them, from bytes in any pieces.

use std::collections::VecDeque;
use std::mem::take;

/// The longest line, and the most data of one event, in bytes: a bad server does not fill the memory.
pub(crate) const LONGEST: usize = 1 << 20;

/// The fields between two empty lines. Without data it is no event, but its `id` and `retry` count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Block {
    /// The event's name; empty for `message`.
    pub(crate) event: String,
    pub(crate) data: Option<String>,
    pub(crate) id: Option<String>,
    /// Milliseconds to come again after.
    pub(crate) retry: Option<u64>,
}

/// A line or an event is longer than [`LONGEST`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

#[derive(Debug, Default)]
pub(crate) struct Parser {
    line: Vec<u8>,
    block: Block,
    /// The last byte was CR: an LF after it ends no other line.
    had_cr: bool,
    /// The first line, which may begin with a byte order mark, is over.
    has_begun: bool,
}

impl Parser {
    /// Reads on; adds the blocks that end in these bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8], blocks: &mut VecDeque<Block>) -> Result<(), TooLong> {
        for &byte in bytes {
            let had_cr = take(&mut self.had_cr);
            match byte {
                b'\n' if had_cr => {}
                b'\r' | b'\n' => {
                    self.had_cr = byte == b'\r';
                    self.end_line(blocks);
                }
                _ if self.line.len() + self.block.data.as_ref().map_or(0, String::len) >= LONGEST => {
                    return Err(TooLong);
                }
                _ => self.line.push(byte),
            }
        }
        Ok(())
    }

    fn end_line(&mut self, blocks: &mut VecDeque<Block>) {
        let bytes = take(&mut self.line);
        let mut line = &bytes[..];
        if !self.has_begun {
            self.has_begun = true;
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if line.is_empty() {
            let block = take(&mut self.block);
            if block != Block::default() {
                blocks.push_back(block);
            }
            return;
        }
        let line = String::from_utf8_lossy(line);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.block.event),
            "data" => match &mut self.block.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                none => *none = Some(value.to_owned()),
            },
            "id" if !value.contains('\0') => self.block.id = Some(value.to_owned()),
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.block.retry = value.parse().ok().or(self.block.retry);
            }
            // Comments, whose field is empty, and fields of later versions.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&[u8]]) -> Vec<Block> {
        let (mut parser, mut blocks) = (Parser::default(), VecDeque::new());
        for piece in pieces {
            parser.feed(piece, &mut blocks).unwrap();
        }
        blocks.into()
    }

    fn event(event: &str, data: &str, id: Option<&str>) -> Block {
        Block {
            event: event.to_owned(),
            data: Some(data.to_owned()),
            id: id.map(str::to_owned),
            retry: None,
        }
    }

    #[test]
    fn fields_comments_and_ends_of_lines() {
        let text = b"\xef\xbb\xbf: hello\r\nevent: ticket\rdata: a\ndata:b\r\ndata:  c\ndata\nid: 7\nother: x\n\n\
            \n\r\n:\n\nretry: 1500\n\nretry: 1x\nretry:-1\n\ndata:\nid:a\0b\n\nid: 9\n\nevent: gone\n\ndata: cut off\n";
        let retry = Block {
            retry: Some(1500),
            ..Block::default()
        };
        let id = Block {
            id: Some("9".to_owned()),
            ..Block::default()
        };
        let gone = Block {
            event: "gone".to_owned(),
            ..Block::default()
        };
        let expected = [
            event("ticket", "a\nb\n c\n", Some("7")),
            retry,
            event("", "", None),
            id,
            gone,
        ];
        assert_eq!(read(&[text]), expected);
    }

    #[test]
    fn a_byte_order_mark_is_one_only_at_the_beginning() {
        assert_eq!(
            read(&[b"\xef\xbb", b"\xbfdata: x\n\n\xef\xbb\xbfdata: y\n\n"]),
            [event("", "x", None)]
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(read(&[b"data: a\xffb\n\n"]), [event("", "a\u{fffd}b", None)]);
    }

    /// The same in whatever pieces it comes, and with whatever ends of lines.
    #[test]
    fn pieces_do_not_matter() {
        let mut seed = 1_u64;
        let mut random = |below: usize| {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            usize::try_from(seed >> 33).unwrap() % below
        };
        let lines = [
            "",
            "",
            "data: \u{e4}\u{1f600}",
            "data",
            "event: match",
            "id: 12",
            ": c",
            "retry: 3",
            "x:y",
            "\u{feff}",
        ];
        for _ in 0..2000 {
            let text: Vec<&str> = (0..random(20)).map(|_| lines[random(lines.len())]).collect();
            let whole: String = text.iter().flat_map(|line| [*line, "\n"]).collect();
            let expected = read(&[whole.as_bytes()]);
            let ends = ["\n", "\r", "\r\n"];
            let end = ends[random(3)];
            let other: String = text.iter().flat_map(|line| [*line, end]).collect();
            let mut rest = other.as_bytes();
            let mut pieces = Vec::new();
            while !rest.is_empty() {
                let (piece, after) = rest.split_at(1 + random(rest.len().min(9)));
                pieces.push(piece);
                rest = after;
            }
            assert_eq!(read(&pieces), expected, "{text:?} {pieces:?}");
        }
    }

    #[test]
    fn lines_and_events_without_end_are_refused() {
        let (mut parser, mut blocks) = (Parser::default(), VecDeque::new());
        let line = vec![b'x'; LONGEST];
        assert_eq!(parser.feed(&line, &mut blocks), Ok(()));
        assert_eq!(parser.feed(b"\n", &mut blocks), Ok(()));
        assert_eq!(parser.feed(&line, &mut blocks), Ok(()));
        assert_eq!(parser.feed(b"x", &mut blocks), Err(TooLong));
        let mut parser = Parser::default();
        let half = [&b"data:"[..], &line[..LONGEST / 2], b"\n"].concat();
        assert_eq!(parser.feed(&half, &mut blocks), Ok(()));
        assert_eq!(parser.feed(&half, &mut blocks), Err(TooLong));
        assert!(blocks.is_empty());
    }
}
