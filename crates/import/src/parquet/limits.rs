//! What a Parquet file may ask for before anything is decoded: sizes and counts in its headers are held against the file.
//!
//! The decoder takes the memory that they ask for at once, and a few bytes can ask for gigabytes.

use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

use crate::limits::check_unpacked;

/// Values of dictionaries, and elements of lists, that any file may have.
const VALUES: u64 = 1 << 22;
/// Elements of lists for each byte of the file. Elements of one value take no bytes.
const ELEMENTS: u64 = 100;
/// Bytes of a page whose values repeat the beginning of the one before: each may be as long as the page.
const PREFIXED: usize = 2 << 20;
/// Bytes of the header of a page.
const HEADER: u64 = 1 << 20;

/// What a file has asked for so far.
pub(crate) struct Asked {
    /// Bytes of the file.
    stored: u64,
    sums: Mutex<Sums>,
    /// Whether its footer was read, so that what follows is pages.
    is_open: AtomicBool,
}

#[derive(Default)]
struct Sums {
    unpacked: u64,
    dictionary: u64,
    elements: u64,
    /// Why more was refused.
    refused: Option<String>,
}

impl Asked {
    pub(crate) fn of(file: &impl Length) -> Arc<Self> {
        Arc::new(Self {
            stored: file.len(),
            sums: Mutex::default(),
            is_open: AtomicBool::new(false),
        })
    }

    pub(crate) fn open(&self) {
        self.is_open.store(true, Ordering::Relaxed);
    }

    /// Why reading ended, if it asked for too much.
    pub(crate) fn refused(&self) -> Option<String> {
        let sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        sums.refused.clone()
    }

    fn add(&self, add: impl FnOnce(&mut Sums, u64) -> std::result::Result<(), String>) -> Result<()> {
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        add(&mut sums, self.stored).map_err(|what| {
            sums.refused = Some(what.clone());
            ParquetError::General(what)
        })
    }

    /// Adds this many bytes of pages, unpacked.
    fn add_page(&self, bytes: u64) -> Result<()> {
        self.add(|sums, stored| {
            sums.unpacked = sums.unpacked.saturating_add(bytes);
            check_unpacked(sums.unpacked, stored).map_err(|error| error.to_string())
        })
    }

    /// Adds this many values of a dictionary.
    fn add_dictionary(&self, values: u64) -> Result<()> {
        self.add(|sums, stored| {
            sums.dictionary += values;
            check(sums.dictionary, stored, "values of dictionaries")
        })
    }

    /// Adds this many elements of lists.
    fn add_elements(&self, count: u64) -> Result<()> {
        self.add(|sums, stored| {
            sums.elements += count;
            check(
                sums.elements,
                stored.saturating_mul(ELEMENTS),
                "elements of lists",
            )
        })
    }
}

fn check(count: u64, more: u64, what: &str) -> std::result::Result<(), String> {
    if count <= VALUES.saturating_add(more) {
        return Ok(());
    }
    Err(format!(
        "it has {count} {what}, more than a file of its size may; if that is right, write it as CSV"
    ))
}

/// A file whose pages are looked at before they are unpacked.
pub(crate) struct Checked<R> {
    file: R,
    asked: Arc<Asked>,
}

impl<R> Checked<R> {
    pub(crate) const fn new(file: R, asked: Arc<Asked>) -> Self {
        Self { file, asked }
    }
}

impl<R: ChunkReader> Length for Checked<R> {
    fn len(&self) -> u64 {
        self.file.len()
    }
}

impl<R: ChunkReader> ChunkReader for Checked<R> {
    type T = R::T;

    /// Of pages the decoder reads the headers so.
    fn get_read(&self, start: u64) -> Result<R::T> {
        if self.asked.is_open.load(Ordering::Relaxed) {
            let header = Compact(self.file.get_read(start)?.take(HEADER));
            self.asked.add_page(header.unpacked()?)?;
        }
        self.file.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let is_there = start
            .checked_add(length as u64)
            .is_some_and(|end| end <= self.len());
        if !is_there {
            return Err(broken("it ends before a part that it tells of"));
        }
        self.file.get_bytes(start, length)
    }
}

fn broken(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}

/// A struct in Thrift's compact protocol, of which nothing is kept that is not asked for.
struct Compact<R>(R);

impl<R: Read> Compact<R> {
    /// The bytes that the page of this header unpacks to.
    fn unpacked(mut self) -> Result<u64> {
        let mut unpacked = None;
        self.fields(0, &mut |field, number| {
            if field == 2 {
                unpacked = u64::try_from(number).ok();
            }
        })?;
        unpacked.ok_or_else(|| broken("a page does not say how long it is"))
    }

    /// Goes through the fields of a struct and tells of those that are whole numbers.
    fn fields(&mut self, depth: u32, tell: &mut dyn FnMut(i64, i64)) -> Result<()> {
        let mut field = 0_i64;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Ok(());
            }
            field = match head >> 4 {
                0 => self.number()?,
                step => field.saturating_add(step.into()),
            };
            match head & 15 {
                4..=6 => {
                    let number = self.number()?;
                    tell(field, number);
                }
                // The value is in the type.
                1 | 2 => {}
                kind => self.pass(kind, depth)?,
            }
        }
    }

    /// Passes over a value, as an element of a list has it.
    fn pass(&mut self, kind: u8, depth: u32) -> Result<()> {
        match kind {
            1..=3 => _ = self.byte()?,
            4..=6 => _ = self.varint()?,
            7 => self.skip(8)?,
            8 => {
                let length = self.varint()?;
                self.skip(length)?;
            }
            9 | 10 => {
                let head = self.byte()?;
                let count = match head >> 4 {
                    15 => self.varint()?,
                    count => count.into(),
                };
                for _ in 0..count {
                    self.pass(head & 15, depth + 1)?;
                }
            }
            // No header is so deep.
            12 if depth < 8 => self.fields(depth + 1, &mut |_, _| {})?,
            _ => return Err(broken("the header of a page is damaged")),
        }
        Ok(())
    }

    fn skip(&mut self, count: u64) -> Result<()> {
        let passed = std::io::copy(&mut self.0.by_ref().take(count), &mut std::io::sink())?;
        if passed < count {
            return Err(broken("the header of a page is cut off, or too long"));
        }
        Ok(())
    }

    fn byte(&mut self) -> Result<u8> {
        let mut byte = [0];
        self.0.read_exact(&mut byte)?;
        Ok(byte[0])
    }

    fn varint(&mut self) -> Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(broken("the header of a page has a number of too many digits"))
    }

    /// A number with its sign, as zigzag.
    fn number(&mut self) -> Result<i64> {
        let number = self.varint()?;
        Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }
}

/// Pages that are looked at before their values are decoded.
pub(crate) struct CheckedPages {
    pub(crate) pages: Box<dyn PageReader>,
    pub(crate) asked: Arc<Asked>,
    /// Whether the column has definition and repetition levels.
    pub(crate) levels: [bool; 2],
}

impl CheckedPages {
    fn check(&self, page: &Page) -> Result<()> {
        let count = u64::from(page.num_values());
        if page.is_dictionary_page() {
            if count > page.buffer().len() as u64 {
                return Err(broken("a dictionary has more values than bytes"));
            }
            return self.asked.add_dictionary(count);
        }
        if self.levels[1] {
            self.asked.add_elements(count)?;
        }
        let prefixed = match page.encoding() {
            Encoding::DELTA_BINARY_PACKED | Encoding::DELTA_LENGTH_BYTE_ARRAY => false,
            Encoding::DELTA_BYTE_ARRAY => true,
            Encoding::PLAIN
            | Encoding::PLAIN_DICTIONARY
            | Encoding::RLE
            | Encoding::RLE_DICTIONARY
            | Encoding::BYTE_STREAM_SPLIT => return Ok(()),
            other => return Err(ParquetError::General(format!("the encoding {other} is not read"))),
        };
        let values = self.values(page)?;
        let end = deltas(values, count)?;
        if prefixed {
            if values.len() > PREFIXED {
                return Err(broken(
                    "a page of DELTA_BYTE_ARRAY has more than 2 MiB; write smaller pages",
                ));
            }
            deltas(values.get(end..).unwrap_or_default(), count)?;
        }
        Ok(())
    }

    /// The values of a data page, behind its levels.
    fn values<'p>(&self, page: &'p Page) -> Result<&'p [u8]> {
        let cut = || broken("the levels of a page are cut off");
        match page {
            Page::DataPageV2 {
                buf,
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => {
                let start = def_levels_byte_len.checked_add(*rep_levels_byte_len);
                start.and_then(|start| buf.get(start as usize..)).ok_or_else(cut)
            }
            Page::DataPage {
                buf,
                def_level_encoding,
                rep_level_encoding,
                ..
            } => {
                let mut rest = &buf[..];
                for (_, encoding) in (self
                    .levels
                    .into_iter()
                    .rev()
                    .zip([rep_level_encoding, def_level_encoding]))
                .filter(|(is_there, _)| *is_there)
                {
                    if *encoding != Encoding::RLE {
                        return Err(broken("its levels have an encoding of old that is not read"));
                    }
                    let (length, behind) = rest.split_first_chunk().ok_or_else(cut)?;
                    rest = behind
                        .get(u32::from_le_bytes(*length) as usize..)
                        .ok_or_else(cut)?;
                }
                Ok(rest)
            }
            Page::DictionaryPage { buf, .. } => Ok(buf),
        }
    }
}

/// Where deltas end, of which there may be at most `most` (Parquet's `Encodings.md`, "Delta encoding").
fn deltas(bytes: &[u8], most: u64) -> Result<usize> {
    let mut rest = Compact(bytes);
    let (block, parts, count) = (rest.varint()?, rest.varint()?, rest.varint()?);
    let is_sound = block % 128 == 0 && parts > 0 && block % parts == 0 && block / parts % 32 == 0;
    if !is_sound || block == 0 || block > 1 << 20 || count > most {
        return Err(broken("the counts of a page contradict each other"));
    }
    rest.varint()?;
    let mut left = count.saturating_sub(1);
    while left > 0 {
        rest.varint()?;
        let mut widths = vec![0; usize::try_from(parts).unwrap_or(usize::MAX)];
        rest.0.read_exact(&mut widths)?;
        for width in widths {
            if left > 0 {
                rest.skip(u64::from(width) * (block / parts) / 8)?;
            }
            left = left.saturating_sub(block / parts);
        }
    }
    Ok(bytes.len() - rest.0.len())
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        page.iter().try_for_each(|page| self.check(page))?;
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parquet::parquet_text;
    use parquet::data_type::{ByteArray, ByteArrayType};
    use parquet::file::properties::{WriterProperties, WriterVersion};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    #[test]
    fn a_header_tells_the_last_size_that_it_has_or_is_refused() {
        // A kind, 100 bytes unpacked, 9 packed, and a struct with a list of texts, doubles and a boolean.
        let header = [
            0x15, 0, 0x15, 0xc8, 1, 0x15, 18, 0x2c, 0x19, 0x28, 1, b'a', 2, b'b', b'c', 0x17, 0, 0, 0, 0, 0,
            0, 0, 0, 0x11, 0, 0,
        ];
        assert_eq!(Compact(&header[..]).unpacked().unwrap(), 100);
        for end in 0..header.len() {
            assert!(Compact(&header[..end]).unpacked().is_err(), "{end}");
        }
        // The same field once more, by its number.
        let twice = [&header[..header.len() - 1], &[0x05, 4, 0x90, 3, 0]].concat();
        assert_eq!(Compact(&twice[..]).unpacked().unwrap(), 200);
        let below = [0x15, 0, 0x15, 1, 0];
        assert!(Compact(&below[..]).unpacked().is_err());
        let deep = [0x1c; 100];
        assert!(Compact(&deep[..]).unpacked().is_err());
    }

    #[test]
    fn counts_of_deltas_are_held_against_the_page() {
        // Blocks of 128 in 4 parts, 200 values, widths 1 and 0.
        let head = |count: u8| [0x80, 1, 4, count, 1, 0];
        let block = [&[0, 1, 0, 0, 1][..], &[0; 8]].concat();
        // The last part of the second block has no values.
        let bytes = [&head(200)[..], &block, &block[..9], &[7; 3]].concat();
        assert_eq!(deltas(&bytes, 200).unwrap(), bytes.len() - 3);
        assert!(deltas(&bytes, 199).is_err() && deltas(&bytes[..20], 200).is_err());
        for bad in [[0_u8, 0, 4, 1], [0x80, 1, 0, 1], [0x80, 1, 3, 1], [1, 0, 1, 1]] {
            assert!(deltas(&[&bad[..], &[0; 9]].concat(), 200).is_err(), "{bad:?}");
        }
    }

    /// A file of one column.
    fn file(
        schema: &str,
        properties: WriterProperties,
        values: &[ByteArray],
        levels: [Option<&[i16]>; 2],
    ) -> Bytes {
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let [defined, repeated] = levels;
        column
            .typed::<ByteArrayType>()
            .write_batch(values, defined, repeated)
            .unwrap();
        column.close().unwrap();
        group.close().unwrap();
        writer.into_inner().unwrap().into()
    }

    fn read(file: Bytes) -> std::result::Result<usize, String> {
        let mut text = Vec::new();
        let read = parquet_text(file, &mut Vec::new()).and_then(|mut rows| rows.read_to_end(&mut text));
        read.map_err(|error| error.to_string())
    }

    #[test]
    fn a_list_without_an_end_is_refused() {
        let schema =
            "message m { required group a (LIST) { repeated group list { optional binary element; } } }";
        for (count, is_read) in [(100_000, true), (6_000_000, false)] {
            let repeated: Vec<i16> = (0..count).map(|place| i16::from(place > 0)).collect();
            let defined = vec![1; count];
            let levels = [Some(&defined[..]), Some(&repeated[..])];
            let found = read(file(schema, WriterProperties::default(), &[], levels));
            match found {
                Ok(_) => assert!(is_read),
                Err(what) => assert!(!is_read && what.contains("elements of lists"), "{what}"),
            }
        }
    }

    #[test]
    fn values_in_deltas_are_read_as_before_in_pages_that_are_no_longer_than_most() {
        let schema = "message m { optional binary a (UTF8); }";
        let properties = |limit| {
            WriterProperties::builder()
                .set_writer_version(WriterVersion::PARQUET_2_0)
                .set_dictionary_enabled(false)
                .set_data_page_size_limit(limit)
                .set_encoding(Encoding::DELTA_BYTE_ARRAY)
                .build()
        };
        let texts: Vec<ByteArray> = (0..300_000)
            .map(|k| ByteArray::from(&*format!("player number {k}")))
            .collect();
        let defined = vec![1; texts.len()];
        let length: usize = texts.iter().map(|text| text.data().len() + 1).sum();
        let whole = |limit| read(file(schema, properties(limit), &texts, [Some(&defined), None]));
        assert_eq!(whole(1 << 20), Ok(length + 4));
        let same = vec![ByteArray::from(vec![b'x'; 3 << 20]); 2];
        let told = read(file(schema, properties(64 << 20), &same, [Some(&[1, 1]), None])).unwrap_err();
        assert!(told.contains("write smaller pages"), "{told}");
    }
}
