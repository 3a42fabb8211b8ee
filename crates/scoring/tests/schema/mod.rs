//! `docs/policy.schema.json` against the code: the same keys and defaults, the same documents allowed.

mod validator;

use matchwright_scoring::{FactorsParams, PolicyDocument, RulesParams, ScoringPolicyParams};
use serde_json::{Map, Value, json};
use validator::Validator;

fn file(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn schema() -> Value {
    serde_json::from_str(&file("docs/policy.schema.json")).unwrap()
}

fn validator() -> Validator {
    Validator(schema())
}

/// Every factor and rule there is, with its defaults.
fn everything() -> Value {
    let params = ScoringPolicyParams {
        factors: FactorsParams::all(),
        rules: RulesParams::all(),
        ..ScoringPolicyParams::default()
    };
    json!({ "scoring": params })
}

/// Numbers as floats, so that 1 and 1.0 are the same.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(list) => list.iter().map(plain).collect(),
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.clone(), plain(value)))
            .collect(),
        other => other.clone(),
    }
}

/// What the schema says that a table holds if it is left empty.
fn defaults(table: &Value) -> Map<String, Value> {
    assert_eq!(table["additionalProperties"], json!(false), "{table}");
    let properties = table["properties"].as_object().unwrap();
    let given = properties.iter().filter(|(key, _)| *key != "floor");
    given
        .map(|(key, property)| (key.clone(), plain(&property["default"])))
        .collect()
}

#[test]
fn the_schema_has_the_keys_and_the_defaults_of_the_code() {
    let (schema, code) = (schema(), everything());
    let scoring = &schema["properties"]["scoring"];
    for section in ["factors", "rules"] {
        let tables = scoring["properties"][section]["properties"].as_object().unwrap();
        let known: Vec<&str> = if section == "factors" {
            FactorsParams::KEYS
        } else {
            RulesParams::KEYS
        }
        .to_vec();
        assert_eq!(tables.len(), known.len());
        for key in known {
            let wanted = plain(&code["scoring"][section][key]);
            assert_eq!(Value::Object(defaults(&tables[key])), wanted, "{section}.{key}");
            assert_eq!(
                tables[key]["properties"].get("floor").is_some(),
                section == "factors",
                "{key}"
            );
        }
    }
    let mut own = defaults(scoring);
    own.retain(|key, _| key != "factors" && key != "rules");
    for (key, default) in own {
        assert_eq!(default, plain(&code["scoring"][&key]), "{key}");
    }
    let keys: Vec<&String> = scoring["properties"].as_object().unwrap().keys().collect();
    let wanted: Vec<&String> = code["scoring"].as_object().unwrap().keys().collect();
    assert_eq!(sorted(keys), sorted(wanted));
}

fn sorted(mut keys: Vec<&String>) -> Vec<&String> {
    keys.sort();
    keys
}

#[test]
fn every_key_of_the_schema_is_described() {
    fn described(at: &str, table: &Value) {
        for (key, property) in table["properties"].as_object().unwrap() {
            assert!(
                property["description"]
                    .as_str()
                    .is_some_and(|text| text.len() > 10),
                "{at}.{key}"
            );
            if property.get("properties").is_some() {
                described(&format!("{at}.{key}"), property);
            }
        }
    }
    described("scoring", &schema()["properties"]["scoring"]);
}

#[test]
fn the_schema_allows_the_examples_and_the_defaults() {
    let validator = validator();
    let folder = format!("{}/../../examples/policies", env!("CARGO_MANIFEST_DIR"));
    let mut examples = 0;
    for example in std::fs::read_dir(folder).unwrap() {
        let path = example.unwrap().path();
        let document: Value = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let errors = validator.errors(&document);
        assert!(errors.is_empty(), "{path:?}: {errors:?}");
        examples += 1;
    }
    assert!(examples >= 11);
    let total = |total: Value| json!({ "scoring": { "total": total, "factors": { "glory": {} } } });
    let totals = [
        json!("median"),
        json!({ "quantile": 0.1 }),
        json!({ "exponent": -1 }),
    ]
    .map(total);
    for whole in [everything(), json!({}), json!({ "queue": {} })]
        .into_iter()
        .chain(totals)
    {
        assert_eq!(validator.errors(&whole), [] as [String; 0]);
    }
}

#[test]
fn schema_and_code_refuse_the_same_documents() {
    let validator = validator();
    let reads = |document: &Value| {
        let document: Result<PolicyDocument, _> = serde_json::from_value(document.clone());
        document.is_ok_and(|document| document.scoring.is_none_or(|scoring| scoring.build().is_ok()))
    };
    assert!(reads(&everything()));
    let mut tried = 0;
    let mut refused = |path: &str, value: Value| {
        let mut document = everything();
        let (table, key) = path.rsplit_once('/').unwrap();
        document
            .pointer_mut(table)
            .unwrap()
            .as_object_mut()
            .unwrap()
            .insert(key.to_owned(), value);
        assert!(!reads(&document), "read: {path}");
        assert!(!validator.is_valid(&document), "valid: {path}");
        tried += 1;
    };
    for key in FactorsParams::KEYS {
        let at = format!("/scoring/factors/{key}");
        refused(&format!("{at}/weight"), json!(-1));
        refused(&format!("{at}/weight"), json!("1"));
        refused(&format!("{at}/floor"), json!(1.5));
        refused(&format!("{at}/no_such_key"), json!(1));
    }
    for key in RulesParams::KEYS {
        refused(&format!("/scoring/rules/{key}/no_such_key"), json!(1));
    }
    refused("/scoring", json!(null));
    refused("/scoring/threshold", json!(2));
    refused("/scoring/factors/hosts/one", json!(2));
    refused("/scoring/factors/experience/unit", json!(0));
    refused("/scoring/factors/experience/party", json!("median"));
    refused("/scoring/factors/win_probability/size_points", json!([1, 2]));
    refused("/scoring/factors/win_probability/spread_points", json!(0.5));
    refused("/scoring/factors/languages/team_share", json!(1.1));
    refused("/scoring/factors/roles/team", json!({ "tank": 0 }));
    for ping in [
        json!({ "shape": "ramp", "best": 1 }),
        json!({ "shape": "ramp", "best": 1, "worst": 2, "power": 0 }),
        json!({ "shape": "points", "points": [] }),
        json!({ "shape": "points", "points": [[0, 2]] }),
    ] {
        refused("/scoring/factors/enemy_ping/ping", ping);
    }
    refused("/scoring/rules/team_sizes/allowed", json!([]));
    refused("/scoring/rules/ping_limit/most", json!(-1));
    refused("/scoring/combine/exponent", json!(1000));
    for total in [
        json!("mean"),
        json!({}),
        json!({ "quantile": 2 }),
        json!({ "quantile": 0.5, "exponent": 1 }),
        json!(0.5),
    ] {
        refused("/scoring/total", total);
    }
    refused("/scoring/no_such_key", json!(1));
    refused("/no_such_section", json!({}));
    assert!(tried > 4 * FactorsParams::KEYS.len());
    // The other tables are read by another crate, from whose types their schema is.
    for (table, key, value) in [
        ("queue", "no_such_key", json!(1)),
        ("queue", "accept", json!("nobody")),
        ("queue", "longest_wait", json!("long")),
        ("queue", "windows", json!([{ "of": "skill", "strat": 1 }])),
        ("objective", "no_such_key", json!(1)),
        ("objective", "waiting", json!("dear")),
    ] {
        assert!(
            !validator.is_valid(&json!({ table: { key: value } })),
            "{table}.{key}"
        );
    }
}
