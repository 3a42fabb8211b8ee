//! JSON Schema 2020-12, as far as `docs/policy.schema.json` goes; a keyword that is not known here is an error,
//! not passed over.

use serde_json::{Map, Value};

pub(crate) struct Validator(pub(crate) Value);

impl Validator {
    /// What is wrong with `document`, each with its place; empty if nothing is.
    pub(crate) fn errors(&self, document: &Value) -> Vec<String> {
        let mut errors = Vec::new();
        self.visit(&self.0, document, "", &mut errors);
        errors
    }

    pub(crate) fn is_valid(&self, document: &Value) -> bool {
        self.errors(document).is_empty()
    }

    fn visit(&self, schema: &Value, value: &Value, at: &str, errors: &mut Vec<String>) {
        let rules = schema.as_object().unwrap();
        for (keyword, rule) in rules {
            let holds = match keyword.as_str() {
                "$schema" | "$defs" | "title" | "description" | "default" | "format" => true,
                "$ref" => {
                    let target = rule.as_str().unwrap().strip_prefix('#').unwrap();
                    self.visit(self.0.pointer(target).unwrap(), value, at, errors);
                    true
                }
                "oneOf" | "anyOf" => {
                    let fits = |branch: &&Value| {
                        let mut inner = Vec::new();
                        self.visit(branch, value, at, &mut inner);
                        inner.is_empty()
                    };
                    let count = rule.as_array().unwrap().iter().filter(fits).count();
                    count == 1 || (keyword == "anyOf" && count > 0)
                }
                "properties" | "additionalProperties" => {
                    self.visit_object(keyword, rules, value, at, errors);
                    true
                }
                "items" | "prefixItems" => {
                    self.visit_array(keyword, rules, value, at, errors);
                    true
                }
                _ => leaf(keyword, rule, value),
            };
            if !holds {
                errors.push(format!("{at}: {keyword}"));
            }
        }
    }

    fn visit_object(
        &self,
        keyword: &str,
        rules: &Map<String, Value>,
        value: &Value,
        at: &str,
        errors: &mut Vec<String>,
    ) {
        let named = rules.get("properties").and_then(Value::as_object);
        for (key, inner) in value.as_object().into_iter().flatten() {
            let at = format!("{at}/{key}");
            match (named.and_then(|named| named.get(key)), &rules[keyword]) {
                (Some(property), _) if keyword == "properties" => self.visit(property, inner, &at, errors),
                (None, Value::Bool(false)) => errors.push(format!("{at}: not a key")),
                (None, schema) if keyword == "additionalProperties" => self.visit(schema, inner, &at, errors),
                _ => {}
            }
        }
    }

    fn visit_array(
        &self,
        keyword: &str,
        rules: &Map<String, Value>,
        value: &Value,
        at: &str,
        errors: &mut Vec<String>,
    ) {
        let first: &[Value] = rules
            .get("prefixItems")
            .and_then(Value::as_array)
            .map_or(&[], Vec::as_slice);
        for (place, inner) in value.as_array().into_iter().flatten().enumerate() {
            let at = format!("{at}/{place}");
            match (first.get(place), &rules[keyword]) {
                (Some(schema), _) if keyword == "prefixItems" => self.visit(schema, inner, &at, errors),
                (None, Value::Bool(false)) => errors.push(format!("{at}: one too many")),
                (None, schema) if keyword == "items" => self.visit(schema, inner, &at, errors),
                _ => {}
            }
        }
    }
}

fn leaf(keyword: &str, rule: &Value, value: &Value) -> bool {
    let number =
        |fits: fn(f64, f64) -> bool| value.as_f64().is_none_or(|own| fits(own, rule.as_f64().unwrap()));
    let length = |own: Option<usize>, fits: fn(usize, usize) -> bool| {
        let limit = usize::try_from(rule.as_u64().unwrap()).unwrap();
        own.is_none_or(|own| fits(own, limit))
    };
    let items = value.as_array().map(Vec::len);
    match keyword {
        "type" => match rule {
            Value::Array(types) => types.iter().any(|one| is_of(one, value)),
            one => is_of(one, value),
        },
        "const" => value == rule,
        "enum" => rule.as_array().unwrap().contains(value),
        "minimum" => number(|own, limit| own >= limit),
        "maximum" => number(|own, limit| own <= limit),
        "exclusiveMinimum" => number(|own, limit| own > limit),
        "minItems" => length(items, |own, limit| own >= limit),
        "maxItems" => length(items, |own, limit| own <= limit),
        "minProperties" => length(value.as_object().map(Map::len), |own, limit| own >= limit),
        "required" => {
            let keys = rule.as_array().unwrap();
            value
                .as_object()
                .is_none_or(|own| keys.iter().all(|key| own.contains_key(key.as_str().unwrap())))
        }
        other => panic!("the keyword {other} is not known to this validator"),
    }
}

fn is_of(name: &Value, value: &Value) -> bool {
    match name.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|own| own.fract() == 0.0),
        "string" => value.is_string(),
        "null" => value.is_null(),
        other => panic!("type {other}"),
    }
}
