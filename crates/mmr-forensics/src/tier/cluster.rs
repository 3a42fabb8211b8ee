//! [`cluster_tier`]: the tier of a division by where its highest differentials cluster, the source's method.

use super::is_active;
use crate::error::ForensicsError;
use crate::season::{Division, LadderSeason};
use crate::snapshot::DivisionSnapshot;

/// What the source's method reads off a division.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ClusterReading {
    /// The middle of the highest cluster of P + 2 U W - B, points.
    pub cluster: f64,
    /// Players in it.
    pub players: usize,
    /// The tier whose M - K is closest, or that of offset 0 if its M is within the tolerance.
    pub tier: String,
    /// Whether most players have large pools, which the source takes for a Rank-i division.
    pub mostly_idle: bool,
}

/// The tier of a division by the source's method.
///
/// The differentials P + 2 U W - B of the active players; the highest cluster is the highest window of twice 30
/// points that holds three players and a tenth of them. If its middle is within the season's tolerance of M the
/// division is taken to be of the tier of offset 0; else of the one whose M - K is closest. Where more than half of
/// all players have a third of the season's bonus unspent, it is taken for a tier of inactive players, if the league
/// has one.
///
/// `None` if there are fewer than three active players, or no league above.
///
/// # Errors
/// [`ForensicsError`] for a league that the season does not have, and pools that cannot be.
pub fn cluster_tier(
    snapshot: &DivisionSnapshot,
    season: &LadderSeason,
) -> Result<Option<ClusterReading>, ForensicsError> {
    let tiers = season.divisions(&snapshot.league)?;
    let mut differentials = Vec::new();
    for member in &snapshot.members {
        let standing = snapshot.standing(member)?;
        if is_active(snapshot, member) {
            differentials.push(standing.differential());
        }
    }
    differentials.sort_by(|a, b| b.total_cmp(a));
    let Some((cluster, players)) = highest_cluster(&differentials) else {
        return Ok(None);
    };
    let mostly_idle = 2 * differentials.len() < snapshot.members.len();
    let inactive = tiers.iter().find(|tier| tier.tier().inactive);
    let miss = |tier: &Division<'_>| tier.edge().map_or(f64::INFINITY, |edge| (edge - cluster).abs());
    let usual = tiers.iter().find(|tier| tier.offset() == 0.0);
    let closest = tiers.iter().min_by(|a, b| miss(a).total_cmp(&miss(b)));
    let tier = match (inactive, usual, closest) {
        (Some(idle), _, _) if mostly_idle => idle,
        (_, Some(usual), _) if miss(usual) <= season.params().tier_tolerance => usual,
        (_, _, Some(closest)) if closest.edge().is_some() => closest,
        _ => return Ok(None),
    };
    Ok(Some(ClusterReading {
        cluster,
        players,
        tier: tier.tier().name.clone(),
        mostly_idle,
    }))
}

/// The mean of the highest cluster of numbers that fall, and how many they are.
fn highest_cluster(falling: &[f64]) -> Option<(f64, usize)> {
    let needed = (falling.len() / 10).max(3);
    falling.iter().enumerate().find_map(|(from, &top)| {
        let within = falling[from..].iter().take_while(|&&value| value >= top - 60.0);
        let count = within.clone().count();
        (count >= needed).then(|| (within.sum::<f64>() / count as f64, count))
    })
}

#[cfg(test)]
mod tests {
    use super::highest_cluster;

    #[test]
    fn the_highest_cluster_is_not_the_highest_player() {
        let falling = [900.0, 480.0, 470.0, 460.0, 430.0, 200.0, 190.0, 180.0];
        assert_eq!(highest_cluster(&falling), Some((460.0, 4)));
        assert_eq!(highest_cluster(&[5.0, 4.0]), None);
    }
}
