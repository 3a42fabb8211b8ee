//! Deserialisation of curves, with messages that name the missing or superfluous key.

use serde::de::{Deserialize, Deserializer, Error};

use super::CurveParams;
use crate::policy::strict::Strict;

#[derive(serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Shape {
    Ramp,
    Points,
}

/// Every key that some shape has.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    shape: Shape,
    best: Option<f64>,
    worst: Option<f64>,
    power: Option<f64>,
    points: Option<Vec<(f64, f64)>>,
}

impl<'de> Deserialize<'de> for CurveParams {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Raw::deserialize(Strict::new(deserializer, &mut []))?;
        let needs =
            |key: &str, shape: &str| D::Error::custom(format!("a curve of shape `{shape}` needs `{key}`"));
        let spare =
            |key: &str, shape: &str| D::Error::custom(format!("a curve of shape `{shape}` has no `{key}`"));
        match raw.shape {
            Shape::Ramp if raw.points.is_some() => Err(spare("points", "ramp")),
            Shape::Ramp => Ok(Self::Ramp {
                best: raw.best.ok_or_else(|| needs("best", "ramp"))?,
                worst: raw.worst.ok_or_else(|| needs("worst", "ramp"))?,
                power: raw.power.unwrap_or(1.0),
            }),
            Shape::Points => {
                let numbers = [("best", raw.best), ("worst", raw.worst), ("power", raw.power)];
                if let Some((key, _)) = numbers.iter().find(|(_, number)| number.is_some()) {
                    return Err(spare(key, "points"));
                }
                let points = raw.points.ok_or_else(|| needs("points", "points"))?;
                Ok(Self::Points { points })
            }
        }
    }
}
