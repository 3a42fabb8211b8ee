//! Parquet, gzip and zstd; journals and parts of runs, with their checksums made right again.

use std::sync::Arc;

use cbor2::Value;
use cbor2::de::Deserializer;
use clap::FromArgMatches;
use matchwright_papers::eomm::study::{StudyPart, in_order};
use matchwright_queue::journal::{JournalReader, JournalWriter, recover};
use matchwright_queue::{Event, EventKind, State, Ticket, Time, step};
use matchwright_sim::policy::load;
use parquet::basic::{Compression, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde::Deserialize as _;

use super::super::generated::Dice;
use super::Kind;
use super::mutate::{TOKENS, text, tree};
use super::tables::{example, read_matches, read_tickets};
use crate::arguments::{Arguments, definition};
use crate::commands::simulate::WorldsAnswer;
use crate::commands::simulate::page::worlds_page;
use crate::failure::Failure;
use crate::input::{recorded_queue, sha256_hex};
use crate::parts::{PartFile, Work};

pub(super) fn kinds() -> Vec<Kind> {
    let packed = |name, seeds: Vec<Vec<u8>>, change, read| Kind {
        name,
        seeds,
        change,
        read,
        is_packed: true,
    };
    let gzip = |text: &[u8]| {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut packer, text).unwrap();
        packer.finish().unwrap()
    };
    let texts = [example("matches.csv"), example("teams.jsonl")];
    let streams = texts
        .iter()
        .flat_map(|text| [gzip(text), zstd::encode_all(&text[..], 3).unwrap()]);
    vec![
        packed("gzip and zstd", streams.collect(), text, read_matches),
        packed(
            "parquet",
            parquets(MATCHES),
            |dice, seeds| match dice.below(3) {
                0 => text(dice, seeds),
                _ => parquet(dice, true, MATCHES),
            },
            read_matches,
        ),
        packed(
            "tickets in parquet",
            parquets(TICKETS),
            |dice, seeds| match dice.below(3) {
                0 => text(dice, seeds),
                _ => parquet(dice, true, TICKETS),
            },
            read_tickets,
        ),
        packed("journals", vec![journal()], forged_journal, |dice, text| {
            read_tickets(dice, text)?;
            let open =
                |change: &matchwright_queue::PolicyChange| Ok(recorded_queue(&change.document)?.policy);
            recover(text, open).map(drop).map_err(Failure::of)
        }),
        packed("parts", parts(), forged_part, |_, text| {
            let part = PartFile::of(text, "part")?;
            let parts = in_order(vec![part], PartFile::shard).map_err(Failure::of)?;
            for PartFile { origin, work } in parts {
                match work {
                    Work::Worlds(part) => {
                        if let Some(fault) = part.fault(&part, &origin) {
                            return Err(Failure::Failed(fault));
                        }
                        drop(worlds_page(&WorldsAnswer::of(vec![*part])));
                    }
                    Work::Study(_, part) => drop(StudyPart::join(vec![*part]).map_err(Failure::of)?),
                    Work::Reproduction(_, part) => {
                        drop(StudyPart::join(vec![part.study]).map_err(Failure::of)?);
                    }
                }
            }
            Ok(())
        }),
    ]
}

/// Names of a column of times, two of texts, two of numbers.
type Names = [&'static str; 5];
const MATCHES: Names = ["time", "player1", "player2", "score1", "score2"];
const TICKETS: Names = ["time", "player", "region", "rating", "ping_eu"];

fn parquets(names: Names) -> Vec<Vec<u8>> {
    let sound = |number| parquet(&mut Dice::of(number), false, names);
    (0..8).map(sound).collect()
}

/// A valid Parquet file, with values as people write them or with hostile ones.
fn parquet(dice: &mut Dice, is_hostile: bool, [time_name, one, two, number, count]: Names) -> Vec<u8> {
    let sound = [
        "INT64 {} (TIMESTAMP(NANOS,false))",
        "BYTE_ARRAY {} (UTF8)",
        "DOUBLE {}",
    ];
    let strange = ["INT64 {}", "INT64 {} (TIMESTAMP(MILLIS,true))"];
    let time = if is_hostile && dice.one_in(2) {
        dice.pick(&strange)
    } else {
        dice.pick(&sound)
    };
    let time = time.replace("{}", time_name);
    let number = dice
        .pick(&["DOUBLE {}", "INT64 {}", "INT64 {} (DECIMAL(18,2))"])
        .replace("{}", number);
    let schema = format!(
        "message m {{ optional {time}; optional BYTE_ARRAY {one} (UTF8); optional BYTE_ARRAY {two} (UTF8); optional {number}; optional INT64 {count}; }}"
    );
    let schema = Arc::new(parse_message_type(&schema).unwrap());
    let version = [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0][dice.below(2)];
    let compression = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::ZSTD(ZstdLevel::default()),
    ];
    let properties = WriterProperties::builder()
        .set_writer_version(version)
        .set_dictionary_enabled(dice.one_in(2))
        .set_compression(compression[dice.below(compression.len())])
        .build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).unwrap();
    for part in 0..=dice.below(2) {
        let most = if is_hostile && dice.one_in(20) { 500 } else { 12 };
        let rows = 1 + dice.below(most);
        let mut group = writer.next_row_group().unwrap();
        let mut place = 0;
        while let Some(mut column) = group.next_column().unwrap() {
            let levels: Vec<i16> = (0..rows)
                .map(|_| i16::from(!is_hostile || !dice.one_in(5)))
                .collect();
            let values = levels.iter().filter(|level| **level == 1).count();
            match column.untyped() {
                ColumnWriter::Int64ColumnWriter(typed) => {
                    let value = |row| integer(dice, is_hostile, (place, 9000 * part + row));
                    let values: Vec<i64> = (0..values).map(value).collect();
                    typed.write_batch(&values, Some(&levels), None).unwrap();
                }
                ColumnWriter::DoubleColumnWriter(typed) => {
                    let value = |row| double(dice, is_hostile, (place, 9000 * part + row));
                    let values: Vec<f64> = (0..values).map(value).collect();
                    typed.write_batch(&values, Some(&levels), None).unwrap();
                }
                ColumnWriter::ByteArrayColumnWriter(typed) => {
                    let value = |row| ByteArray::from(name(dice, is_hostile, (place, 14 * part + row)));
                    let values: Vec<ByteArray> = (0..values).map(value).collect();
                    typed.write_batch(&values, Some(&levels), None).unwrap();
                }
                _ => unreachable!("three kinds of columns"),
            }
            column.close().unwrap();
            place += 1;
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

fn integer(dice: &mut Dice, is_hostile: bool, (place, row): (usize, usize)) -> i64 {
    match dice.below(if is_hostile { 12 } else { 6 }) {
        0 if place > 0 => 0,
        6 => i64::MIN,
        7 => i64::MAX,
        8 => -1,
        9 => 1 << 53,
        _ if place == 0 => 1_700_000_000_000_000_000 + 1000 * i64::try_from(row).unwrap(),
        _ => i64::try_from(dice.below(9)).unwrap(),
    }
}

fn double(dice: &mut Dice, is_hostile: bool, (place, row): (usize, usize)) -> f64 {
    match dice.below(if is_hostile { 12 } else { 6 }) {
        6 => f64::NAN,
        7 => f64::NEG_INFINITY,
        8 => f64::MAX,
        9 => -0.5,
        _ if place == 0 => 1_700_000_000.5 + row as f64,
        _ => dice.below(9) as f64,
    }
}

fn name(dice: &mut Dice, is_hostile: bool, (place, row): (usize, usize)) -> Vec<u8> {
    match dice.below(if is_hostile { 10 } else { 6 }) {
        6 => dice.pick(&TOKENS).as_bytes().to_vec(),
        7 => vec![0xc3, 0x28],
        8 => b"long ".repeat(dice.below(400)),
        _ if place == 0 => format!("2024-01-{:02}", 1 + row % 28).into_bytes(),
        _ => format!("player {place}{}", dice.below(9)).into_bytes(),
    }
}

const POLICY: &str = "name = 'two'\n[queue]\naccept = 'both'\nacceptance = { within = 30 }\nlongest_wait = 600\n\
                      [[queue.windows]]\nof = 'rating'\nstart = 60\nper_second = 1\n";

/// Some steps of a queue, with answers, a decline and a snapshot.
fn journal() -> Vec<u8> {
    let mut policy = load(toml::from_str(POLICY).unwrap()).unwrap();
    let mut state = State::new(policy.label.clone(), policy.settings.clone());
    let (mut writer, mut bytes) = JournalWriter::begin(POLICY, &state, &*policy.policy).unwrap();
    let mut event = 0;
    for number in 1..=8_u64 {
        let now = Time::from_millis(1000 * i64::try_from(number).unwrap());
        let asked = state.proposals();
        let asked: Vec<_> = asked
            .flat_map(|(one, players)| players.iter().map(|&player| (one.id, player)))
            .collect();
        let answers = asked.into_iter().map(|(proposal, player)| match number {
            5 => EventKind::Decline { proposal, player },
            _ => EventKind::Accept { proposal, player },
        });
        let ticket = Ticket::of_one(number, number).with("rating", 1500.0 + 20.0 * number as f64);
        let all = answers.chain([EventKind::Create(Arc::new(ticket))]);
        let events: Vec<Event> = all
            .map(|kind| {
                event += 1;
                Event::new(event, kind)
            })
            .collect();
        let outcome = step(&mut state, &mut *policy.policy, now, &events).unwrap();
        bytes.extend(writer.step(now, &events, &outcome).unwrap());
        if number == 4 {
            bytes.extend(writer.snapshot(&state, &*policy.policy).unwrap());
        }
    }
    bytes
}

/// Length of the magic and version, of what is before a payload, and of what is after it.
const JOURNAL: (usize, usize, usize) = (12, 9, 4);

/// A journal with payloads that were changed, dropped or doubled, under lengths and checksums that are right; or one with
/// other bytes.
fn forged_journal(dice: &mut Dice, seeds: &[Vec<u8>]) -> Vec<u8> {
    if dice.one_in(4) {
        return text(dice, seeds);
    }
    let (header, head, tail) = JOURNAL;
    let (seed, mut records) = (&seeds[0], Vec::new());
    for entry in JournalReader::new(seed).unwrap() {
        let entry = entry.unwrap();
        let [from, to] = [entry.offset, entry.end].map(|at| usize::try_from(at).unwrap());
        records.push((seed[from + 4], seed[from + head..to - tail].to_vec()));
    }
    for _ in 0..=dice.below(3) {
        let at = dice.below(records.len());
        match dice.below(8) {
            0 => drop(records.remove(at)),
            1 => records.insert(at, records[at].clone()),
            2 => records.swap(at, 0),
            3 => records[at].1 = text(dice, &[records[at].1.clone()]),
            _ => {
                let mut value: Value = cbor2::from_slice(&records[at].1).unwrap_or(Value::Null);
                tree(dice, &mut value);
                records[at].1 = cbor2::to_vec(&value).unwrap();
            }
        }
        if records.is_empty() {
            break;
        }
    }
    let mut bytes = seed[..header].to_vec();
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(&bytes);
    for (kind, payload) in records {
        let start = [&u32::try_from(payload.len()).unwrap().to_le_bytes()[..], &[kind]].concat();
        for piece in [&start, &payload] {
            checksum.update(piece);
            bytes.extend(piece);
            bytes.extend(checksum.clone().finalize().to_le_bytes());
        }
    }
    bytes
}

/// Parts of comparisons and studies, as the commands write them.
fn parts() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let world = "policies = ['widening', 'prices']\nhours = 0.5\nworlds = 2\narrivals.per_second = 0.05\n";
    std::fs::write(path("w.toml"), world).unwrap();
    let lines = [
        format!("simulate compare {} --out", path("w.toml")),
        "study eomm --players 100 --days 8 --rounds 3 --out".to_owned(),
        "reproduce eomm --players 100 --days 8 --rounds 3 --out".to_owned(),
    ];
    let part = |(number, line): (usize, &String)| {
        let place = path(&format!("{number}.cbor"));
        let words = ["matchwright"].into_iter().chain(line.split(' '));
        let words = words.chain([place.as_str(), "--shard", "1/1"]);
        let matches = definition().try_get_matches_from(words).unwrap();
        let arguments = Arguments::from_arg_matches(&matches).unwrap();
        crate::run(&arguments.command, String::new(), false).unwrap();
        std::fs::read(place).unwrap()
    };
    lines.iter().enumerate().map(part).collect()
}

/// A part with other values, and a digest that is right; or one with other bytes.
fn forged_part(dice: &mut Dice, seeds: &[Vec<u8>]) -> Vec<u8> {
    if dice.one_in(4) {
        return text(dice, seeds);
    }
    let seed = &seeds[dice.below(seeds.len())];
    let mut reader = Deserializer::from_slice(seed);
    let mut head = Value::deserialize(&mut reader).unwrap();
    let mut body = seed[reader.offset()..].to_vec();
    if dice.one_in(4) {
        body = text(dice, &[body]);
    } else {
        let mut value: Value = cbor2::from_slice(&body).unwrap();
        tree(dice, &mut value);
        body = cbor2::to_vec(&value).unwrap();
    }
    for (key, value) in head.as_map_mut().into_iter().flatten() {
        if key.as_text() == Some("sha256") {
            *value = Value::Text(sha256_hex(&body));
        }
    }
    let bytes = cbor2::to_vec(&head).unwrap();
    [bytes, body].concat()
}
