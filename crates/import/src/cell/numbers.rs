//! Numbers as texts have them: a double says the same, or the text is refused.

use serde_json::Value;

/// Every whole number up to here, either way, is a double: 2^53.
pub const GREATEST_WHOLE: f64 = 9_007_199_254_740_992.0;
const GREATEST_DIGITS: &str = "9007199254740992";

/// What is wrong with a number whose digits a double loses, and how to mend it.
pub const ROUNDED: &str = "whole numbers beyond 9007199254740992 (2^53) either way lose digits: scale them down, or \
    write them with an exponent (9.01e15) if the last digits do not matter";

/// A finite number, or what is wrong.
pub(crate) fn finite(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    match number.ok_or("a finite number is needed")? {
        number if is_rounded(text, number) => Err(ROUNDED),
        number => Ok(number),
    }
}

/// Whether a text that was read as this number says another: a whole number beyond 2^53, or one with an exponent that has
/// other digits than the double that it became.
#[must_use]
pub fn is_rounded(text: &str, number: f64) -> bool {
    if !number.is_finite() || number.abs() < GREATEST_WHOLE {
        return false;
    }
    let digits = text.trim_start_matches(['+', '-']);
    if let Some(end) = digits.find(['e', 'E']) {
        let shortest = format!("{:e}", number.abs());
        return significant(&digits[..end]) != significant(shortest.split('e').next().unwrap_or_default());
    }
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    whole.trim_start_matches('0') != GREATEST_DIGITS || fraction.bytes().any(|digit| digit != b'0')
}

/// The digits of a number without zeros around them.
fn significant(digits: &str) -> String {
    digits.replace('.', "").trim_matches('0').to_owned()
}

/// The first number of a JSON value that is whole and beyond 2^53, where it is to be a double; those of keys in `exact`
/// are not.
#[must_use]
pub fn rounded_number(value: &Value, exact: &[&str]) -> Option<String> {
    match value {
        Value::Number(number) if !number.is_f64() => {
            let text = number.to_string();
            let is_lost = number.as_f64().is_some_and(|number| is_rounded(&text, number));
            is_lost.then_some(text)
        }
        Value::Array(values) => values.iter().find_map(|value| rounded_number(value, exact)),
        Value::Object(values) => {
            let mut values = values.iter().filter(|(key, _)| !exact.contains(&key.as_str()));
            values.find_map(|(_, value)| rounded_number(value, exact))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_it_is_written_or_refused() {
        for text in [
            "9007199254740992",
            "-9007199254740992",
            "+09007199254740992.00",
            "0.1",
            "1e300",
            "-1.7976931348623157e308",
            "9.007199254740992e15",
            "9.01e15",
            "1e16",
        ] {
            assert_eq!(finite(text).ok(), text.parse().ok(), "{text}");
        }
        for text in [
            "9007199254740993",
            "-9007199254740993",
            "9007199254740993.0",
            "9007199254740992.5",
            "9007199254740991.5",
            "9.007199254740993e15",
            "10000000000000000",
            "18446744073709551617",
            "1.23456789012345678901e30",
        ] {
            assert_eq!(finite(text), Err(ROUNDED), "{text}");
        }
        for text in ["", "NaN", "inf", "1e999", "two"] {
            assert_eq!(finite(text), Err("a finite number is needed"), "{text}");
        }
    }
}
