//! Parts of a run come from anybody: `merge` joins what belongs together, and refuses the rest with the part's name.

use std::fs;
use std::path::Path;

use cbor2::Value;
use cbor2::de::Deserializer;
use serde::Deserialize as _;
use sha2::{Digest, Sha256};

use crate::common::{answer_in, matchwright};

const WORLD: &str = "\
name = \"tiny\"
policies = [\"widening\", \"prices\"]
worlds = 4
hours = 1
warm_up_hours = 0

[arrivals]
per_second = 0.05
";

/// Head and body of a part.
fn read(path: &Path) -> (Value, Value) {
    let bytes = fs::read(path).unwrap();
    let mut reader = Deserializer::from_slice(&bytes);
    let head = Value::deserialize(&mut reader).unwrap();
    (head, Value::deserialize(&mut reader).unwrap())
}

/// Writes a part with the digest of its body.
fn write(path: &Path, head: &Value, body: &Value) {
    let (mut head, mut content) = (head.clone(), cbor2::to_vec(body).unwrap());
    let digest = Sha256::digest(&content);
    let digest: Vec<String> = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    *at(&mut head, "sha256") = Value::Text(digest.concat());
    let mut bytes = cbor2::to_vec(&head).unwrap();
    bytes.append(&mut content);
    fs::write(path, bytes).unwrap();
}

/// What stands at a path such as `work.Worlds.worlds.0.world`.
fn at<'v>(value: &'v mut Value, path: &str) -> &'v mut Value {
    path.split('.').fold(value, |value, name| match value {
        Value::Array(values) => &mut values[name.parse::<usize>().unwrap()],
        Value::Map(entries) => {
            let entry = entries.iter_mut().find(|(key, _)| key.as_text() == Some(name));
            &mut entry.unwrap().1
        }
        other => other,
    })
}

fn set(part: &mut Value, path: &str, value: Value) {
    *at(part, path) = value;
}

/// Takes the last of a list away.
fn cut(part: &mut Value, path: &str) {
    list(part, path).pop();
}

fn list<'v>(value: &'v mut Value, path: &str) -> &'v mut Vec<Value> {
    at(value, path).as_array_mut().unwrap()
}

fn parts() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tiny.toml"), WORLD).unwrap();
    for part in [1, 2] {
        answer_in(
            folder.path(),
            &format!("simulate compare tiny.toml --shard {part}/2 --out {part}.cbor"),
        );
    }
    folder
}

/// The exit code of `merge` and what it said; it never panics.
fn merged(folder: &Path, line: &str) -> (i32, String) {
    let run = matchwright()
        .args(line.split(' '))
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(!said.contains("panicked"), "{said}");
    (run.status.code().unwrap(), said)
}

type Forge = fn(&mut Value);

#[test]
fn a_forged_part_is_refused_by_its_name() {
    let folder = parts();
    let path = |part: u32| folder.path().join(format!("{part}.cbor"));
    let (head, first) = read(&path(1));
    let (_, second) = read(&path(2));
    let forge: [(&str, Forge); 16] = [
        ("a world twice", |part| {
            set(part, "work.Worlds.worlds.1.world", 2.into());
        }),
        ("a world of the other part", |part| {
            set(part, "work.Worlds.worlds.0.world", 0.into());
        }),
        ("a world beyond all", |part| {
            set(part, "work.Worlds.worlds.1.world", u32::MAX.into());
        }),
        ("a world less", |part| cut(part, "work.Worlds.worlds")),
        ("a world more", |part| {
            let worlds = list(part, "work.Worlds.worlds");
            worlds.push(worlds[0].clone());
        }),
        ("no worlds", |part| list(part, "work.Worlds.worlds").clear()),
        ("another count", |part| {
            set(part, "work.Worlds.facts.worlds", 6.into());
        }),
        ("a policy less", |part| cut(part, "work.Worlds.facts.policies")),
        ("another policy", |part| {
            set(part, "work.Worlds.facts.policies.1.name", "even".into());
        }),
        ("a policy less in a world", |part| {
            cut(part, "work.Worlds.worlds.1.policies");
        }),
        ("a policy more in a world", |part| {
            let policies = list(part, "work.Worlds.worlds.1.policies");
            policies.push(policies[0].clone());
        }),
        ("hours less", |part| {
            cut(part, "work.Worlds.worlds.0.policies.0.by_hour");
        }),
        ("half a curve", |part| {
            list(part, "work.Worlds.worlds.0.policies.0.mismatch_curve").truncate(50);
        }),
        ("a curve without end", |part| {
            let curve = list(part, "work.Worlds.worlds.0.policies.0.wait_curve");
            curve.extend(vec![Value::Float(1.0); 500]);
        }),
        ("a count of all", |part| {
            set(part, "work.Worlds.worlds.0.policies.0.matches", u64::MAX.into());
        }),
        ("another claim", |part| {
            set(part, "work.Worlds.facts.about", "better".into());
        }),
    ];
    for (what, forge) in forge {
        let mut part = second.clone();
        forge(&mut part);
        write(&path(2), &head, &part);
        let (code, said) = merged(folder.path(), "merge 1.cbor 2.cbor --out page");
        assert_eq!(code, 1, "{what}: {said}");
        assert!(said.contains("2.cbor: part 2/2 "), "{what}: {said}");
        assert!(!folder.path().join("page").exists(), "{what}");
    }
    // Of both alike the first is named.
    let both: [(&str, Forge); 4] = [
        ("another count", |part| {
            set(part, "work.Worlds.facts.worlds", 6.into());
        }),
        ("a policy less", |part| cut(part, "work.Worlds.facts.policies")),
        ("no policies", |part| {
            list(part, "work.Worlds.facts.policies").clear();
            for world in list(part, "work.Worlds.worlds") {
                list(world, "policies").clear();
            }
        }),
        ("no time", |part| {
            set(part, "work.Worlds.facts.hours", f64::NAN.into());
        }),
    ];
    for (what, forge) in both {
        for (number, part) in [(1, &first), (2, &second)] {
            let mut part = part.clone();
            forge(&mut part);
            write(&path(number), &head, &part);
        }
        let (code, said) = merged(folder.path(), "merge 1.cbor 2.cbor --out page");
        assert_eq!(code, 1, "{what}: {said}");
        assert!(said.contains("1.cbor: part 1/2 "), "{what}: {said}");
    }
    write(&path(1), &head, &first);
    write(&path(2), &head, &second);
    assert_eq!(merged(folder.path(), "merge 2.cbor 1.cbor --out page").0, 0);
}

/// Every place of a value.
fn places(value: &Value, path: &str, all: &mut Vec<String>) {
    let inner = |name: String| {
        if path.is_empty() {
            name
        } else {
            format!("{path}.{name}")
        }
    };
    all.extend((!path.is_empty()).then(|| path.to_owned()));
    match value {
        Value::Array(values) => {
            for (place, value) in values.iter().enumerate().take(3) {
                places(value, &inner(place.to_string()), all);
            }
        }
        Value::Map(entries) => {
            for (key, value) in entries {
                if let Some(key) = key.as_text().filter(|key| !key.contains('.')) {
                    places(value, &inner(key.to_owned()), all);
                }
            }
        }
        _ => {}
    }
}

/// The value otherwise, in one of a few ways.
fn changed(value: &Value, way: usize) -> Value {
    let numbers = [
        Value::from(u32::MAX),
        Value::from(u64::MAX),
        Value::Float(f64::NAN),
        Value::Float(1e308),
    ];
    match value {
        Value::Array(values) => match way % 3 {
            0 => Value::Array(Vec::new()),
            1 => Value::Array(values.iter().skip(1).cloned().collect()),
            _ => Value::Array(values.iter().chain(values).cloned().collect()),
        },
        Value::Integer(_) | Value::Float(_) => numbers[way % 4].clone(),
        Value::Text(_) => Value::Text(["", "1/1", "x\n\u{202e}"][way % 3].to_owned()),
        Value::Bool(is_so) => Value::Bool(!is_so),
        Value::Null => Value::from(1),
        other => other.clone(),
    }
}

#[test]
fn no_change_of_a_part_makes_merge_panic() {
    let folder = parts();
    answer_in(
        folder.path(),
        "simulate compare tiny.toml --worlds 2 --shard 1/1 --out worlds.cbor",
    );
    answer_in(
        folder.path(),
        "study eomm --players 60 --days 30 --rounds 2 --pools 4 --shard 1/1 --out study.cbor",
    );
    for name in ["worlds.cbor", "study.cbor"] {
        let (head, body) = read(&folder.path().join(name));
        let mut all = Vec::new();
        places(&body, "", &mut all);
        let step = all.len().div_ceil(120).max(1);
        for (number, place) in all.iter().step_by(step).enumerate() {
            let mut part = body.clone();
            let value = at(&mut part, place);
            *value = changed(value, number);
            write(&folder.path().join("changed.cbor"), &head, &part);
            let (code, said) = merged(folder.path(), &format!("merge changed.cbor --out page{number}"));
            assert!(code < 2, "{name}: {place}: {said}");
        }
    }
}

#[test]
fn a_small_reproduction_has_its_page_though_a_plot_has_nothing_to_show() {
    let folder = tempfile::tempdir().unwrap();
    answer_in(
        folder.path(),
        "reproduce eomm --players 200 --days 8 --rounds 4 --out d",
    );
    let page = fs::read_to_string(folder.path().join("d/index.html")).unwrap();
    let sentence = crate::common::sentence(&page);
    assert!(
        sentence.contains(" EOMM ") && sentence.contains(" were checked here: "),
        "{sentence}"
    );
    assert!(
        page.contains("published and ours: nothing to draw, "),
        "no sentence"
    );
}
