//! Texts in other encodings than UTF-8, decoded as they are read; what is no text in its encoding is refused, never replaced.

use std::io::{self, BufRead, Read};

use encoding_rs::{Decoder, DecoderResult, Encoding};

use crate::error::Damaged;

/// The encoding of a name, as the web has them: `latin1`, `windows-1251`, `utf-16le`, `shift_jis`.
pub(crate) fn encoding(name: &str) -> Option<&'static Encoding> {
    Encoding::for_label_no_replacement(name.as_bytes())
}

/// Whether [`Input::with_encoding`](crate::Input::with_encoding) knows a name.
#[must_use]
pub fn is_encoding(name: &str) -> bool {
    encoding(name).is_some()
}

/// The encoding that the first bytes tell by their mark, and how long that is.
pub(crate) fn by_mark(start: &[u8]) -> Option<(&'static Encoding, usize)> {
    Encoding::for_bom(start)
}

/// A text as UTF-8.
pub(crate) struct Decoded<R> {
    bytes: R,
    decoder: Decoder,
    /// How many bytes were decoded.
    read: u64,
    text: Vec<u8>,
    given: usize,
    is_over: bool,
    /// What is wrong behind the text.
    fault: Option<String>,
}

impl<R: BufRead> Decoded<R> {
    /// Of bytes behind any mark.
    pub(crate) fn new(bytes: R, encoding: &'static Encoding) -> Self {
        Self {
            bytes,
            decoder: encoding.new_decoder_without_bom_handling(),
            read: 0,
            text: Vec::new(),
            given: 0,
            is_over: false,
            fault: None,
        }
    }

    fn decode(&mut self) -> io::Result<()> {
        let input = self.bytes.fill_buf()?;
        let is_last = input.is_empty();
        // A byte or two become three; more than that are for what is kept of a character that goes on.
        self.text.resize(3 * input.len() + 16, 0);
        self.given = 0;
        let (result, read, written) =
            (self.decoder).decode_to_utf8_without_replacement(input, &mut self.text, is_last);
        self.text.truncate(written);
        self.bytes.consume(read);
        self.read += read as u64;
        match result {
            DecoderResult::InputEmpty => self.is_over = is_last,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(..) => {
                let name = self.decoder.encoding().name();
                let what = format!(
                    "it is no {name}: the bytes before number {} are no character of it; give another --encoding, or mend the file",
                    self.read + 1
                );
                self.fault = Some(what);
            }
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() && !self.is_over {
            // It is told at each reading, since the first may be a look alone.
            if let Some(what) = &self.fault {
                return Err(io::Error::other(Damaged::new(what.clone())));
            }
            self.decode()?;
        }
        let more = &self.text[self.given..];
        let count = more.len().min(buffer.len());
        buffer[..count].copy_from_slice(&more[..count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8], name: &str, piece: usize) -> Result<String, String> {
        let bytes = io::BufReader::with_capacity(piece, bytes);
        let mut text = String::new();
        let mut decoded = Decoded::new(bytes, encoding(name).unwrap());
        let read = decoded.read_to_string(&mut text);
        read.map(|_| text).map_err(|error| error.to_string())
    }

    proptest! {
        #[test]
        fn a_text_comes_back_from_utf_16_in_pieces_of_any_size(text in ".{0,60}", piece in 1..40_usize) {
            for (name, bytes) in [
                ("utf-16le", text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
                ("utf-16be", text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
            ] {
                let decoded = read(&bytes, name, piece);
                prop_assert_eq!(decoded.as_deref(), Ok(&*text));
            }
        }

        #[test]
        fn any_bytes_are_text_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..80), piece in 1..40_usize) {
            // Dropped: either is fine.
            drop(read(&bytes, "utf-16le", piece));
            prop_assert!(read(&bytes, "latin1", piece).is_ok());
        }
    }

    #[test]
    fn what_is_no_character_is_refused_where_it_stands() {
        let mut bytes: Vec<u8> = "time".encode_utf16().flat_map(u16::to_le_bytes).collect();
        // Half a pair.
        bytes.extend([0x00, 0xd8, 0x61, 0x00]);
        let what = read(&bytes, "utf-16le", 64).unwrap_err();
        assert!(
            what.starts_with("it is no UTF-16LE: the bytes before number 1"),
            "{what}"
        );
        assert_eq!(read(b"Jos\xe9 \x80", "latin1", 64).as_deref(), Ok("José €"));
        assert!(encoding("latin9000").is_none() && encoding("iso-2022-kr").is_none());
    }
}
