//! [`PolicyDecomposition`]: a policy as a sum of factors by numbers of players and pairs.

use crate::team::Decomposition;

/// A policy over matches of two teams of one size, as a sum: quality = sum of share x quality of the part.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PolicyDecomposition {
    /// Every factor and then every rule (with share 0); a part that forbids does so whatever its share.
    pub terms: Vec<PolicyTerm>,
    /// The sum below which a match is forbidden; 0 allows all.
    pub threshold: f64,
}

/// One factor or rule of [`PolicyDecomposition`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PolicyTerm {
    /// Its key in a policy document.
    pub name: &'static str,
    /// Its share of the quality, in \[0, 1\].
    pub share: f64,
    /// The quality of the part below which the match is forbidden.
    pub floor: Option<f64>,
    /// How it adds up.
    pub decomposition: Decomposition,
}

impl PolicyDecomposition {
    /// The quality of two teams, as places in the list of players: what a solver's tables must agree with.
    #[must_use]
    pub fn quality(&self, teams: [&[usize]; 2]) -> Option<f64> {
        let mut sum = 0.0;
        for term in &self.terms {
            let value = term.decomposition.quality(teams)?;
            if term.floor.is_some_and(|floor| value < floor) {
                return None;
            }
            sum += term.share * value;
        }
        (sum >= self.threshold).then_some(sum.clamp(0.0, 1.0))
    }

    /// The quality of two teams if they are allowed; if not, a number below 0, which rises as they come nearer to being
    /// allowed: what a search of the best match goes by.
    ///
    /// ```text
    /// - (qualities missing to floors and threshold + forbidden pairs + other parts that forbid)
    /// ```
    #[must_use]
    pub fn search_value(&self, teams: [&[usize]; 2]) -> f64 {
        let (mut sum, mut missing) = (0.0, 0.0);
        for term in &self.terms {
            if let Some(value) = term.decomposition.quality(teams) {
                missing += term.floor.map_or(0.0, |floor| (floor - value).max(0.0));
                sum += term.share * value;
            } else {
                missing += term.decomposition.forbidden_pairs(teams).max(1) as f64;
            }
        }
        missing += (self.threshold - sum).max(0.0);
        if missing > 0.0 {
            -missing
        } else {
            sum.clamp(0.0, 1.0)
        }
    }
}
