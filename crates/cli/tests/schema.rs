//! `docs/scenario.schema.json`, `docs/season.schema.json`, and the tables `[queue]` and `[objective]` of `docs/policy.schema.json`, which come from the
//! types that read them.

use std::path::PathBuf;

use matchwright_mmr_forensics::LadderSeasonParams;
use matchwright_queue::{ObjectiveParams, QueueParams};
use matchwright_sim::simulate::ScenarioParams;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// With this variable set the tables are written anew.
const WRITE: &str = "UPDATE_GOLDEN";

fn place(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/{name}.schema.json"))
}

/// Whether files are to be written anew.
fn writes() -> bool {
    std::env::var_os(WRITE).is_some_and(|value| value == "1")
}

/// The schema of a table, with what it is for.
fn table<T: JsonSchema>(about: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = Value::from(settings.into_generator().into_root_schema_for::<T>());
    let keys = schema.as_object_mut().unwrap();
    keys.remove("$schema");
    keys.remove("title");
    keys.insert("description".to_owned(), about.into());
    describe_plainly(&mut schema);
    schema.sort_all_objects();
    schema
}

/// Descriptions without what only the documentation of the library has: further paragraphs, links, line breaks.
fn describe_plainly(schema: &mut Value) {
    match schema {
        Value::Object(keys) => {
            for (key, value) in keys {
                match value {
                    Value::String(text) if key == "description" => *text = plain(text),
                    value => describe_plainly(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(describe_plainly),
        _ => {}
    }
}

fn plain(text: &str) -> String {
    let first = text.split("\n\n").next().unwrap_or_default();
    let mut text = first.replace('\n', " ").replace("\\[", "[").replace("\\]", "]");
    while let Some(middle) = text.find("](") {
        let start = text[..middle].rfind('[').unwrap();
        let end = middle + text[middle..].find(')').unwrap();
        text = format!(
            "{}{}{}",
            &text[..start],
            &text[start + 1..middle],
            &text[end + 1..]
        );
    }
    text
}

fn tables() -> [(&'static str, Value); 2] {
    [
        ("queue", table::<QueueParams>("When matches are made.")),
        (
            "objective",
            table::<ObjectiveParams>(
                "What matches, waits and lost tickets cost, by which policies are compared.",
            ),
        ),
    ]
}

/// The text of the schema with these tables, which stand last among its properties.
fn with_tables(text: &str) -> String {
    let start = text.find("    \"queue\": ").unwrap();
    let end = start + text[start..].find("\n  },\n  \"$defs\"").unwrap();
    let written = tables().map(|(name, table)| {
        let table = serde_json::to_string_pretty(&table)
            .unwrap()
            .replace('\n', "\n    ");
        format!("    \"{name}\": {table}")
    });
    format!("{}{}{}", &text[..start], written.join(",\n"), &text[end..])
}

#[test]
fn the_tables_of_the_queue_are_those_of_the_types() {
    let text = std::fs::read_to_string(place("policy")).unwrap();
    if writes() {
        std::fs::write(place("policy"), with_tables(&text)).unwrap();
        return;
    }
    let schema: Value = serde_json::from_str(&text).unwrap();
    for (name, table) in tables() {
        assert!(
            schema["properties"][name] == table,
            "[{name}] has changed: {WRITE}=1 cargo test -p matchwright-cli schema:: writes docs/policy.schema.json anew"
        );
    }
}

fn scenario() -> Value {
    document::<ScenarioParams>(
        "scenario",
        "A world to simulate, and the policies that it is for.",
    )
}

fn season() -> Value {
    document::<LadderSeasonParams>(
        "season",
        "A season of a ladder: its leagues, tiers and constants.",
    )
}

fn document<T: JsonSchema>(name: &str, about: &str) -> Value {
    let mut schema = table::<T>(about);
    let keys = schema.as_object_mut().unwrap();
    keys.insert(
        "$schema".to_owned(),
        "https://json-schema.org/draft/2020-12/schema".into(),
    );
    keys.insert("title".to_owned(), format!("matchwright {name}").into());
    schema
}

#[test]
fn the_schemas_of_documents_are_those_of_the_types() {
    for (name, schema) in [("scenario", scenario()), ("season", season())] {
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if writes() {
            std::fs::write(place(name), text).unwrap();
            continue;
        }
        assert!(
            std::fs::read_to_string(place(name)).unwrap() == text,
            "it has changed: {WRITE}=1 cargo test -p matchwright-cli schema:: writes docs/{name}.schema.json anew"
        );
    }
}

#[test]
fn every_key_of_the_tables_is_described() {
    fn described(at: &str, schema: &Value) {
        // A choice that is named by its only key is described as a whole.
        let is_choice = schema["description"].is_string()
            && schema["required"].as_array().is_some_and(|keys| keys.len() == 1);
        for (key, property) in schema["properties"].as_object().into_iter().flatten() {
            let is_described = property["description"]
                .as_str()
                .is_some_and(|text| text.len() > 8);
            assert!(is_described || is_choice, "{at}.{key}");
            described(&format!("{at}.{key}"), property);
        }
        described_each(at, &schema["items"]);
        for branch in ["anyOf", "oneOf"] {
            schema[branch]
                .as_array()
                .into_iter()
                .flatten()
                .for_each(|one| described_each(at, one));
        }
    }
    fn described_each(at: &str, schema: &Value) {
        if schema.is_object() {
            described(at, schema);
        }
    }
    let documents = [("scenario", scenario()), ("season", season())];
    for (name, table) in tables().into_iter().chain(documents) {
        assert!(
            table["properties"]
                .as_object()
                .is_some_and(|keys| keys.len() >= 4),
            "{name}"
        );
        described(name, &table);
    }
}
