//! A policy document with other values at some of its keys.

use matchwright_sim::policy::{PolicyDocument, load};
use serde_json::{Number, Value};

use crate::arguments::Varied;
use crate::failure::Failure;
use crate::input::Source;
use crate::output::{comment, to_toml};

/// A document whose keys can be set.
pub(super) struct Template {
    document: Value,
    keys: Vec<String>,
}

impl Template {
    /// Refuses keys whose tables the document has not.
    pub(super) fn new(source: &Source, vary: &[Varied]) -> Result<Self, Failure> {
        let text = source.utf8()?;
        let document = if text.trim_start().starts_with('{') {
            serde_json::from_str(text).map_err(Failure::of)?
        } else {
            toml::from_str(text).map_err(Failure::of)?
        };
        let keys: Vec<String> = vary.iter().map(|varied| varied.key.clone()).collect();
        let mut template = Self { document, keys };
        for (at, varied) in vary.iter().enumerate() {
            if template.keys[..at].contains(&varied.key) {
                return Err(Failure::Usage(format!("--vary {}: given twice", varied.key)));
            }
            if varied.is_range && varied.values.is_empty() {
                return Err(Failure::Usage(format!("--vary {}: an empty range", varied.key)));
            }
            place(&mut template.document, &varied.key)?;
        }
        Ok(template)
    }

    /// The policy with these values, checked.
    pub(super) fn with(&self, values: &[f64]) -> Result<PolicyDocument, Failure> {
        let set = || {
            let pairs = self.keys.iter().zip(values);
            let pairs: Vec<String> = pairs.map(|(key, value)| format!("{key}={value}")).collect();
            pairs.join(" ")
        };
        let refuse = |what: String| Failure::Failed(format!("--vary {}: {what}", set()));
        let document: PolicyDocument =
            serde_json::from_value(self.changed(values)?).map_err(|error| refuse(error.to_string()))?;
        load(document.clone()).map_err(|error| refuse(error.to_string()))?;
        Ok(document)
    }

    /// The policy with these values as TOML.
    pub(super) fn text(&self, values: &[f64], command: &str) -> Result<String, Failure> {
        let text = to_toml(&self.changed(values)?)?;
        Ok(format!("{}\n{text}", comment(&format!("Found by: {command}"))))
    }

    fn changed(&self, values: &[f64]) -> Result<Value, Failure> {
        let mut document = self.document.clone();
        for (key, &value) in self.keys.iter().zip(values) {
            *place(&mut document, key)? = number(value);
        }
        Ok(document)
    }
}

/// Whole numbers stay whole: some keys take no others.
fn number(value: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
    let whole = (value.fract() == 0.0 && value.abs() < 9e15).then(|| Number::from(value as i64));
    whole
        .or_else(|| Number::from_f64(value))
        .map_or(Value::Null, Value::Number)
}

/// Where a key stands, or would.
fn place<'a>(document: &'a mut Value, key: &str) -> Result<&'a mut Value, Failure> {
    let refuse = |part: &str, known: String| {
        Failure::Usage(format!(
            "--vary {key}: there is no `{part}` in the policy; there are {known}"
        ))
    };
    let parts: Vec<&str> = key.split('.').collect();
    let last = parts.len() - 1;
    let mut value = document;
    for (at, part) in parts.into_iter().enumerate() {
        value = match value {
            Value::Object(table) => {
                if at < last && !table.contains_key(part) {
                    return Err(refuse(part, table.keys().cloned().collect::<Vec<_>>().join(", ")));
                }
                table.entry(part).or_insert(Value::Null)
            }
            Value::Array(list) => {
                let known = format!("{} of them, from 0 on", list.len());
                let found = part.parse::<usize>().ok().and_then(|number| list.get_mut(number));
                found.ok_or_else(|| refuse(part, known))?
            }
            _ => return Err(refuse(part, "no keys in a value".to_owned())),
        };
    }
    Ok(value)
}
