//! Options that several commands share.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use jiff::SignedDuration;

/// A parser of one of these values by its name: each is a name, what the help says of it, and the value.
pub(super) fn named<T, const N: usize>(
    values: [(&'static str, &'static str, T); N],
) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let names = values.map(|(name, help, _)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(names).try_map(move |text| {
        let known = values.iter().find(|(name, ..)| *name == text);
        // The parser above lets only known names through.
        known.map(|(.., value)| *value).ok_or("an unknown name")
    })
}

/// A number that `is_allowed`, or `None` for `word`; `wanted` completes the error message `give {wanted}, or {word}`.
pub(super) fn number_or(
    word: &str,
    text: &str,
    wanted: &str,
    is_allowed: impl Fn(f64) -> bool,
) -> Result<Option<f64>, String> {
    let number = text.parse().ok().filter(|number| is_allowed(*number));
    if number.is_none() && text != word {
        return Err(format!("give {wanted}, or {word}"));
    }
    Ok(number)
}

/// `5s`, `500ms`, `2m`; seconds without a unit.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    // A plain number is seconds; anything else needs a unit.
    let seconds = text.parse().ok().map(Duration::try_from_secs_f64);
    let with_unit = || text.parse::<SignedDuration>().ok()?.try_into().ok();
    let time = seconds.map_or_else(with_unit, Result::ok);
    time.ok_or_else(|| "give a time of 0 or more, such as 5s, 500ms or 2m".to_owned())
}

/// Shared by all commands that generate something.
#[derive(Args)]
pub(crate) struct SeedOption {
    /// Seed of everything random: same seed, same bytes
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Shared by all commands that read names of players.
#[derive(Args, Clone, Default)]
pub(crate) struct NamesOption {
    /// Read names as they are: `a;b` is one player, and `BYE`, `N/A` and the like are players, not empty seats
    #[arg(long = "names-as-written")]
    pub(crate) as_written: bool,
}

/// Shared by all commands that judge the ratings of a file by a policy.
#[derive(Args)]
pub(crate) struct RatingScaleOption {
    /// Scale of the file's ratings, in points for odds of ten to one: 400 for Elo, 8.5 for TrueSkill. Ratings are rescaled to the
    /// policy's [default: from the manifest that `rate --out` writes beside the file; without one they are taken as they are]
    #[arg(long, value_name = "POINTS", value_parser = points)]
    pub(crate) rating_scale: Option<f64>,
}

/// A number above 0, at most 1e9.
fn points(text: &str) -> Result<f64, String> {
    let points = text.parse().ok().filter(|points| *points > 0.0 && *points <= 1e9);
    points.ok_or_else(|| "give points above 0 and up to 1e9, such as 400".to_owned())
}

/// Where results go; shared by all commands that make a page.
#[derive(Args)]
pub(crate) struct PageOptions {
    /// Folder for the page, tables, plots and manifest
    #[arg(long, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,
    /// Print everything as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
