//! Policies, scenarios, seasons, populations, parameters and manifests, in TOML and JSON.

use matchwright_mmr_forensics::LadderSeasonParams;
use matchwright_rating::{RatingParams, SystemName};
use matchwright_report::FileRecord;
use matchwright_sim::population::GeneratorParams;
use matchwright_sim::simulate::ScenarioParams;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::generated::Dice;
use super::Kind;
use super::mutate::{text, tree};
use crate::bundled::EXAMPLES;
use crate::failure::Failure;
use crate::input::document::Document;
use crate::input::policy::queue_of;
use crate::input::scale::Beside;
use crate::input::systems::SystemFile;

/// Examples below a folder, whole, and the same as JSON.
fn folder(folder: &str) -> Vec<Vec<u8>> {
    let of_folder = EXAMPLES.iter().filter(|example| example.name.starts_with(folder));
    // Of policies those of queues.
    let of_folder = of_folder.filter(|example| folder != "policies/" || example.text.contains("[queue]"));
    of_folder.flat_map(|example| both(example.text)).collect()
}

/// A document in TOML and as JSON.
fn both(text: &str) -> Vec<Vec<u8>> {
    let value: toml::Table = toml::from_str(text).unwrap();
    vec![
        text.as_bytes().to_vec(),
        serde_json::to_vec_pretty(&value).unwrap(),
    ]
}

fn default_of(params: &impl Serialize) -> Vec<Vec<u8>> {
    both(&toml::to_string(params).unwrap())
}

/// Values of a document changed and written as TOML or JSON again, or its text changed: always where the values that
/// come have no such text, as null has none in TOML.
fn changed(dice: &mut Dice, seeds: &[Vec<u8>]) -> Vec<u8> {
    let seed = &seeds[dice.below(seeds.len())];
    let value = match seed.first() {
        Some(b'{') => serde_json::from_slice(seed).ok(),
        _ => toml::from_slice(seed).ok(),
    };
    let Some(mut value) = value.filter(|_| dice.one_in(2)) else {
        return text(dice, seeds);
    };
    tree(dice, &mut value);
    let written = if dice.one_in(2) {
        toml::to_string(&value).ok().map(String::into_bytes)
    } else {
        serde_json::to_vec(&value).ok()
    };
    written.unwrap_or_else(|| text(dice, seeds))
}

/// TOML that still begins with a brace is read as JSON, and some of both as the other.
fn document<T: DeserializeOwned>(dice: &mut Dice, text: &[u8]) -> Result<Document<T>, Failure> {
    Document::of_text(text, text.starts_with(b"{") != dice.one_in(50))
}

pub(super) fn kinds() -> Vec<Kind> {
    let kind = |name, seeds, read| Kind {
        name,
        seeds,
        change: changed,
        read,
        is_packed: false,
    };
    vec![
        kind("policies", folder("policies/"), |dice, text| {
            queue_of(document(dice, text)?).map(drop)
        }),
        kind("scenarios", folder("scenarios/"), |dice, text| {
            let built = document(dice, text)?.check(ScenarioParams::build)?;
            std::hint::black_box(built.value.plan());
            Ok(())
        }),
        kind("seasons", seasons(), |dice, text| {
            document(dice, text)?.check(LadderSeasonParams::build).map(drop)
        }),
        kind(
            "populations",
            default_of(&GeneratorParams::default()),
            |dice, text| {
                document(dice, text)?
                    .check(|params: GeneratorParams| params.check())
                    .map(drop)
            },
        ),
        kind("systems", both(&systems()), |dice, text| {
            document(dice, text).map(SystemFile::of).map(drop)
        }),
        kind("manifests", vec![RATINGS.as_bytes().to_vec()], |_, text| {
            let facts = FileRecord::new("ratings.csv", 3, "aa".to_owned());
            // Where one does not count that is said, and no error.
            match Beside::of_text(&String::from_utf8_lossy(text), ("manifest", true), &facts) {
                Beside::Ratings(_) => Ok(()),
                _ => Err(Failure::Failed("it does not count".to_owned())),
            }
        }),
    ]
}

/// As tuning writes it.
fn systems() -> String {
    let mut file = SystemFile::default();
    for &name in SystemName::ALL {
        file.set(RatingParams::of(name));
    }
    file.to_toml().unwrap()
}

fn seasons() -> Vec<Vec<u8>> {
    let all = EXAMPLES
        .iter()
        .filter(|example| example.name.starts_with("ladder/"));
    let own = all.filter(|example| toml::from_str::<toml::Table>(example.text).is_ok());
    let own = own.flat_map(|example| both(example.text));
    own.chain(default_of(&LadderSeasonParams::default())).collect()
}

const RATINGS: &str = "{\"program\":\"matchwright\",\"version\":\"0.1.0\",\"command\":\"matchwright rate\",\"seed\":1,\
                       \"configuration\":{\"system\":\"elo\",\"params\":{\"elo\":{\"params\":{\"k\":24}}},\"points_for_ten_to_one\":400},\
                       \"inputs\":[],\"outputs\":[{\"name\":\"ratings.csv\",\"bytes\":3,\"sha256\":\"aa\"}]}";
