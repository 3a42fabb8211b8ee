//! Numbers that are mostly 0, 1/2 or 1, in a byte where a format is not for people to read.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
enum Packed {
    Zero,
    Half,
    One,
    Other(f64),
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "so serde calls it")]
pub(crate) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if serializer.is_human_readable() {
        return number.serialize(serializer);
    }
    let is = |one: f64| one.to_bits() == number.to_bits();
    let packed = match *number {
        _ if is(0.0) => Packed::Zero,
        _ if is(0.5) => Packed::Half,
        _ if is(1.0) => Packed::One,
        other => Packed::Other(other),
    };
    packed.serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    if deserializer.is_human_readable() {
        return f64::deserialize(deserializer);
    }
    Ok(match Packed::deserialize(deserializer)? {
        Packed::Zero => 0.0,
        Packed::Half => 0.5,
        Packed::One => 1.0,
        Packed::Other(number) => number,
    })
}
