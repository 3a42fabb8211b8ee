//! Changes at random: of bytes, words, cells and lines, of two inputs together, of values in trees.

use std::ops::Range;

use cbor2::Value;

use super::super::generated::Dice;

/// What stands where something else was.
pub(super) const TOKENS: [&str; 64] = [
    "",
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "1e999",
    "-1e999",
    "1e-999",
    "1e308",
    "5e-324",
    "NaN",
    "nan",
    "inf",
    "-inf",
    "Infinity",
    "18446744073709551615",
    "18446744073709551616",
    "9223372036854775807",
    "-9223372036854775808",
    "9007199254740993",
    "4294967295",
    "4294967296",
    "65535",
    "0.1",
    "1_000",
    "1,000",
    "1.000,5",
    "0x10",
    "+5",
    "١٢",
    "true",
    "null",
    "\"",
    "\"\"",
    "'",
    "\\",
    "\\u0000",
    "\\ud800",
    "\u{feff}",
    "\u{202e}",
    "\u{2028}",
    "\0",
    "\r",
    "\r\n",
    "\n",
    "\n\n",
    "\t",
    ",",
    ";",
    "{",
    "}",
    "[",
    "]",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    "{\"a\":{\"a\":{\"a\":",
    "__proto__",
    "=1+1",
    "<script>",
    "1970-01-01",
    "9999-12-31T23:59:60Z",
    "-271821-04-20",
    "24:00",
    "é\u{301}",
];

/// A part of a text that is no longer than `most`.
fn range(dice: &mut Dice, length: usize, most: usize) -> Range<usize> {
    let from = dice.below(length + 1);
    let to = (from + dice.below(most.max(1)) + 1).min(length);
    from..to
}

/// The range of bytes around a place that are alike by `is_end`.
fn around(text: &[u8], at: usize, is_end: impl Fn(u8) -> bool) -> Range<usize> {
    let from = text[..at]
        .iter()
        .rposition(|byte| is_end(*byte))
        .map_or(0, |end| end + 1);
    let to = text[at..]
        .iter()
        .position(|byte| is_end(*byte))
        .map_or(text.len(), |end| at + end);
    from..to
}

fn line(dice: &mut Dice, text: &[u8]) -> Range<usize> {
    let at = dice.below(text.len() + 1);
    let line = around(text, at, |byte| byte == b'\n');
    line.start..(line.end + 1).min(text.len())
}

fn token(dice: &mut Dice) -> Vec<u8> {
    match dice.below(40) {
        0 => vec![b'9'; 400],
        1 => vec![0xff, 0xfe, b'x'],
        2 => b"abc".repeat(1 + dice.below(500)),
        _ => dice.pick(&TOKENS).as_bytes().to_vec(),
    }
}

fn put(text: &mut Vec<u8>, place: Range<usize>, new: impl IntoIterator<Item = u8>) {
    drop(text.splice(place, new));
}

/// One of the inputs, changed in a few places; one in three hundred is then as long as many.
pub(super) fn text(dice: &mut Dice, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut text = seeds[dice.below(seeds.len())].clone();
    let few = dice.below(4) * dice.below(2);
    for _ in 0..=few {
        step(dice, &mut text, seeds);
    }
    if dice.one_in(300) {
        repeat(dice, &mut text);
    }
    text.truncate(1 << 18);
    text
}

fn step(dice: &mut Dice, text: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    let length = text.len();
    let at = dice.below(length + 1);
    match dice.below(15) {
        0 if at < length => text[at] ^= 1 << dice.below(8),
        1 if at < length => text[at] = u8::try_from(dice.below(256)).unwrap(),
        2 => put(text, range(dice, length, 40), []),
        3 => {
            let part = text[range(dice, length, 200)].to_vec();
            put(text, at..at, part);
        }
        4 => {
            let other = &seeds[dice.below(seeds.len())];
            text.truncate(at);
            text.extend_from_slice(&other[dice.below(other.len() + 1)..]);
        }
        5 => text.truncate(at),
        6 => put(text, at..at, token(dice)),
        7 | 8 => {
            let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"._-+:".contains(&byte) || byte >= 128;
            put(text, around(text, at, |byte| !is_word(byte)), token(dice));
        }
        9 | 10 => {
            let cell = around(text, at, |byte| b",\n;\t".contains(&byte));
            let new = match dice.below(3) {
                0 => text[around(text, dice.below(length + 1), |byte| b",\n;\t".contains(&byte))].to_vec(),
                _ => token(dice),
            };
            put(text, cell, new);
        }
        11 => put(text, line(dice, text), []),
        12 => columns(dice, text),
        13 => {
            let copy = text[line(dice, text)].to_vec();
            let place = line(dice, text).start;
            put(text, place..place, copy);
        }
        _ => {
            let moved = line(dice, text);
            let copy: Vec<u8> = text.drain(moved).collect();
            let place = line(dice, text).start;
            put(text, place..place, copy);
        }
    }
}

/// A whole column is left out, comes twice, changes places with another or has another name.
fn columns(dice: &mut Dice, text: &mut Vec<u8>) {
    let mark = b",;\t"[dice.below(3)];
    let places = around(text, 0, |byte| byte == b'\n');
    let many = text[places].split(|byte| *byte == mark).count();
    let (one, other, how) = (dice.below(many), dice.below(many), dice.below(4));
    let name = token(dice);
    let rows = text.split(|byte| *byte == b'\n').enumerate().map(|(row, line)| {
        let mut cells: Vec<&[u8]> = line.split(|byte| *byte == mark).collect();
        if one.max(other) < cells.len() {
            match how {
                0 => drop(cells.remove(one)),
                1 => cells.insert(other, cells[one]),
                2 => cells.swap(one, other),
                _ if row == 0 => cells[one] = &name,
                _ => {}
            }
        }
        cells.join(&mark)
    });
    *text = rows.collect::<Vec<_>>().join(&b'\n');
}

/// Repeats a piece until the text has up to 100 KB: a line or more, or a few bytes.
fn repeat(dice: &mut Dice, text: &mut Vec<u8>) {
    let piece = if dice.one_in(2) {
        line(dice, text)
    } else {
        range(dice, text.len(), 30)
    };
    let copy = text[piece.clone()].to_vec();
    if copy.is_empty() {
        return;
    }
    let times = (1 + dice.below(100_000)) / copy.len();
    // Numbers in copies differ, half of the time: names that come once and times that go on.
    let is_counted = dice.one_in(2);
    let mut all = Vec::new();
    for number in 0..times {
        for &byte in &copy {
            all.push(byte);
            if is_counted && byte.is_ascii_alphabetic() && dice.one_in(4) {
                all.extend(number.to_string().bytes());
            }
        }
    }
    put(text, piece.end..piece.end, all);
}

/// Some values of a tree are changed.
pub(super) fn tree(dice: &mut Dice, value: &mut Value) {
    for _ in 0..=dice.below(3) {
        let leaves = count(value);
        let mut place = dice.below(leaves.max(1));
        change(dice, value, &mut place);
    }
}

fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(values) => values.iter().map(count).sum(),
        Value::Map(pairs) => pairs.iter().map(|(_, value)| count(value)).sum(),
        _ => 0,
    }
}

fn change(dice: &mut Dice, value: &mut Value, place: &mut usize) {
    if *place == 0 {
        *place = usize::MAX;
        *value = changed(dice, value);
        return;
    }
    *place = place.wrapping_sub(1);
    let mut within = |value: &mut Value| {
        if *place != usize::MAX {
            change(dice, value, place);
        }
    };
    match value {
        Value::Array(values) => values.iter_mut().for_each(&mut within),
        Value::Map(pairs) => pairs.iter_mut().for_each(|(_, value)| within(value)),
        _ => {}
    }
}

fn changed(dice: &mut Dice, value: &Value) -> Value {
    const INTEGERS: [i128; 10] = [
        0,
        1,
        -1,
        2,
        255,
        u32::MAX as i128,
        i64::MAX as i128,
        i64::MIN as i128,
        u64::MAX as i128,
        1 << 53,
    ];
    const FLOATS: [f64; 9] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN_POSITIVE,
    ];
    match (dice.below(8), value) {
        (0, _) => Value::Null,
        (1, _) => Value::Text(dice.pick(&TOKENS).to_owned()),
        (2, _) => Value::Array(Vec::new()),
        (_, Value::Array(values)) => {
            let mut values = values.clone();
            let at = dice.below(values.len() + 1);
            match dice.below(3) {
                0 => values.truncate(at),
                1 if at < values.len() => drop(values.remove(at)),
                _ if at < values.len() => values.insert(at, values[at].clone()),
                _ => {}
            }
            Value::Array(values)
        }
        (_, Value::Map(pairs)) => {
            let mut pairs = pairs.clone();
            let at = dice.below(pairs.len() + 1);
            match dice.below(3) {
                0 if at < pairs.len() => drop(pairs.remove(at)),
                1 if at < pairs.len() => pairs.insert(at, pairs[at].clone()),
                _ if at < pairs.len() => pairs[at].0 = Value::Text(dice.pick(&TOKENS).to_owned()),
                _ => {}
            }
            Value::Map(pairs)
        }
        (_, Value::Text(text)) => {
            let text = self::text(dice, &[text.clone().into_bytes()]);
            Value::Text(String::from_utf8_lossy(&text).into_owned())
        }
        (3..5, Value::Float(_)) | (5.., Value::Integer(_)) => {
            let number = INTEGERS[dice.below(INTEGERS.len())];
            number.try_into().map_or(Value::Null, Value::Integer)
        }
        _ => Value::Float(FLOATS[dice.below(FLOATS.len())]),
    }
}
