//! CBOR (RFC 8949): the payloads of records.

use cbor2::de::Deserializer;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Appends a value.
pub(super) fn write(value: &impl Serialize, to: &mut Vec<u8>) -> Result<(), String> {
    cbor2::to_writer(value, to).map_err(|error| error.to_string())
}

/// The value that these bytes are, to the last of them.
pub(super) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let mut from = Deserializer::from_slice(bytes);
    let value = T::deserialize(&mut from).map_err(|error| error.to_string())?;
    match bytes.len().saturating_sub(from.offset()) {
        0 => Ok(value),
        more => Err(format!("{more} bytes too many")),
    }
}
