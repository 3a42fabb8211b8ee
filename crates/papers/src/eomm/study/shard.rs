//! Which part of a run: the second of three.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

/// Part k of n, counted from 1: `2/3` is the second of three.
///
/// ```
/// use matchwright_papers::eomm::study::Shard;
///
/// let shards = (1..=3).map(|k| Shard::new(k, 3)).collect::<Result<Vec<_>, _>>()?;
/// let shares: Vec<_> = shards.iter().map(|shard| shard.share(0..200)).collect();
/// assert_eq!(shares, [0..66, 66..133, 133..200]);
/// assert_eq!("2/3".parse::<Shard>()?, shards[1]);
/// # anyhow::Ok(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    pub(super) index: u32,
    pub(super) of: u32,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { index: 1, of: 1 };

    /// Part `index`, from 1, of `of`.
    ///
    /// # Errors
    /// Unless 1 <= `index` <= `of`.
    pub fn new(index: u32, of: u32) -> Result<Self> {
        ensure!(
            (1..=of).contains(&index),
            "`{index}/{of}` is no part; write K/N, such as 2/3 for the second of three, with K from 1 to N"
        );
        Ok(Self { index, of })
    }

    /// Which of them.
    #[must_use]
    pub fn index(self) -> u32 {
        self.index
    }

    /// How many there are.
    #[must_use]
    pub fn of(self) -> u32 {
        self.of
    }

    /// This part of a range: the parts, in order, make the whole, and differ by one at most in length.
    #[must_use]
    pub fn share(self, all: Range<u32>) -> Range<u32> {
        let length = u64::from(all.end.saturating_sub(all.start));
        let up_to = |part: u32| {
            let offset = length * u64::from(part) / u64::from(self.of);
            // At most the length, which fits.
            all.start + u32::try_from(offset).unwrap_or(u32::MAX)
        };
        up_to(self.index - 1)..up_to(self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl TryFrom<String> for Shard {
    type Error = anyhow::Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl FromStr for Shard {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let numbers = text.split_once('/').and_then(|(index, of)| {
            let number = |text: &str| text.trim().parse::<u32>().ok();
            Some((number(index)?, number(of)?))
        });
        let refused = || format!("`{text}` is no part; write K/N, such as 2/3 for the second of three");
        let (index, of) = numbers.with_context(refused)?;
        Self::new(index, of)
    }
}
