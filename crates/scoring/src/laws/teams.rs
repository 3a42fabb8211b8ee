//! Laws of scorers of team matches, beyond those of every scorer.

use super::{LawViolation, TOLERANCE, quality_is_a_fraction, quality_is_repeatable, require};
use crate::scorer::MatchScorer;
use crate::team::{Pool, TeamFactor, TeamMatch, TeamScorer};

fn same(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= TOLERANCE,
        (None, None) => true,
        _ => false,
    }
}

/// The quality of other teams of the same players; `None` for the outer option cannot be, since they were a match
/// before.
fn reordered<S>(
    scorer: &S,
    candidate: &TeamMatch<'_>,
    teams: &[Vec<usize>],
) -> Result<Option<f64>, LawViolation>
where
    S: for<'a> MatchScorer<TeamMatch<'a>> + ?Sized,
{
    let teams: Vec<&[usize]> = teams.iter().map(Vec::as_slice).collect();
    let other = TeamMatch::new(candidate.pool(), &teams).map_err(|error| LawViolation {
        law: "reordered",
        detail: error.to_string(),
    })?;
    Ok(scorer.quality(&other))
}

fn owned(candidate: &TeamMatch<'_>) -> Vec<Vec<usize>> {
    candidate.teams().iter().map(|team| team.to_vec()).collect()
}

fn describe(candidate: &TeamMatch<'_>) -> String {
    let names = |team: &&[usize]| {
        let ids: Vec<&str> = team.iter().map(|&player| candidate.name(player)).collect();
        ids.join(" ")
    };
    candidate
        .teams()
        .iter()
        .map(names)
        .collect::<Vec<_>>()
        .join(" against ")
}

/// Which team comes first changes neither the quality (but for rounding) nor whether the match is allowed.
///
/// # Errors
/// [`LawViolation`] if it does.
pub fn quality_survives_swapping_teams<S>(scorer: &S, candidate: &TeamMatch<'_>) -> Result<(), LawViolation>
where
    S: for<'a> MatchScorer<TeamMatch<'a>> + ?Sized,
{
    let before = scorer.quality(candidate);
    let mut teams = owned(candidate);
    for turn in 0..teams.len() {
        teams.rotate_left(1);
        let mut reversed = teams.clone();
        reversed.reverse();
        for order in [&teams, &reversed] {
            let after = reordered(scorer, candidate, order)?;
            require(same(before, after), "quality_survives_swapping_teams", || {
                format!(
                    "{} has quality {before:?}, in another order ({turn}) {after:?}",
                    describe(candidate)
                )
            })?;
        }
    }
    Ok(())
}

/// The order of the players within a team changes neither the quality (but for rounding) nor whether the match is
/// allowed.
///
/// # Errors
/// [`LawViolation`] if it does.
pub fn quality_survives_reordering_players<S>(
    scorer: &S,
    candidate: &TeamMatch<'_>,
) -> Result<(), LawViolation>
where
    S: for<'a> MatchScorer<TeamMatch<'a>> + ?Sized,
{
    let before = scorer.quality(candidate);
    let mut reversed = owned(candidate);
    for team in &mut reversed {
        team.reverse();
    }
    let mut rotated = owned(candidate);
    // Each team by another number of places, so that no alignment between the teams survives.
    rotated.iter_mut().enumerate().for_each(|(place, team)| {
        let length = team.len();
        team.rotate_left((place + 1) % length);
    });
    for teams in [reversed, rotated] {
        let after = reordered(scorer, candidate, &teams)?;
        require(same(before, after), "quality_survives_reordering_players", || {
            format!(
                "{} has quality {before:?}, with its players in another order {after:?}",
                describe(candidate)
            )
        })?;
    }
    Ok(())
}

/// The parts of a factor give the quality of the match that they were made for, and forbid the same.
///
/// For matches of two teams of one size in which no party is split; others, and factors without parts, pass.
///
/// # Errors
/// [`LawViolation`] if they say something else.
pub fn decomposition_agrees_with_the_quality(
    factor: &dyn TeamFactor,
    candidate: &TeamMatch<'_>,
) -> Result<(), LawViolation> {
    parts_agree(factor, candidate, |players, size, teams| {
        let parts = factor.decomposition(candidate.pool(), players, size)?;
        Some(parts.quality(teams))
    })
}

/// Likewise for what `by_parts` says of teams among listed players in teams of a size, if it says anything.
fn parts_agree<S>(
    scorer: &S,
    candidate: &TeamMatch<'_>,
    by_parts: impl Fn(&[usize], usize, [&[usize]; 2]) -> Option<Option<f64>>,
) -> Result<(), LawViolation>
where
    S: for<'a> MatchScorer<TeamMatch<'a>> + ?Sized,
{
    let &[a, b] = candidate.teams() else {
        return Ok(());
    };
    let pool = candidate.pool();
    let whole = |team: &[usize]| {
        let parties = candidate.parties_of(team);
        parties
            .iter()
            .all(|members| members.len() == pool.party_size(members[0]))
    };
    if a.len() != b.len() || !whole(a) || !whole(b) {
        return Ok(());
    }
    let listed: Vec<usize> = candidate.players().collect();
    let places: Vec<usize> = (0..listed.len()).collect();
    let teams = [&places[..a.len()], &places[a.len()..]];
    let Some(sum) = by_parts(&listed, a.len(), teams) else {
        return Ok(());
    };
    let quality = scorer.quality(candidate);
    require(
        same(sum, quality),
        "decomposition_agrees_with_the_quality",
        || {
            format!(
                "{} has quality {quality:?}, by its parts {sum:?}",
                describe(candidate)
            )
        },
    )
}

/// Tries every law that a scorer of team matches must keep on `candidates`.
///
/// # Errors
/// The first [`LawViolation`]; no candidate at all is one too, because nothing was shown.
pub fn check_teams<'a, S>(
    scorer: &S,
    candidates: impl IntoIterator<Item = TeamMatch<'a>>,
) -> Result<(), LawViolation>
where
    S: for<'b> MatchScorer<TeamMatch<'b>> + ?Sized,
{
    let mut tried = 0_usize;
    for candidate in candidates {
        quality_is_a_fraction(scorer, &candidate)?;
        quality_is_repeatable(scorer, &candidate)?;
        quality_survives_swapping_teams(scorer, &candidate)?;
        quality_survives_reordering_players(scorer, &candidate)?;
        tried += 1;
    }
    require(tried > 0, "check_teams", || "no candidates: give some".to_owned())
}

/// Tries every law that a factor of a policy must keep on `candidates`: those of [`check_teams`], that its parts
/// agree, and that a reason is only given where it forbids.
///
/// # Errors
/// The first [`LawViolation`]; no candidate at all is one too, because nothing was shown.
pub fn check_factor<'a>(
    factor: &dyn TeamFactor,
    candidates: impl IntoIterator<Item = TeamMatch<'a>>,
) -> Result<(), LawViolation> {
    let mut tried = 0_usize;
    for candidate in candidates {
        check_teams(factor, [candidate])?;
        decomposition_agrees_with_the_quality(factor, &candidate)?;
        let (quality, why) = (factor.quality(&candidate), factor.why_forbidden(&candidate));
        require(
            quality.is_none() || why.is_none(),
            "reasons_are_given_for_what_is_forbidden",
            || {
                format!(
                    "{} has quality {quality:?}, and is said to be forbidden: {why:?}",
                    describe(&candidate)
                )
            },
        )?;
        tried += 1;
    }
    require(tried > 0, "check_factor", || {
        "no candidates: give some".to_owned()
    })
}

/// Tries every law that a scorer of a queue's matches must keep on `candidates`: those of [`check_teams`], that its parts agree,
/// that what it needs it looks at, that its reasons give its quality, that without its threshold matches are as good, and that
/// waits beyond [`settles_after`](TeamScorer::settles_after) change nothing.
///
/// # Errors
/// The first [`LawViolation`]; no candidate at all is one too, because nothing was shown.
pub fn check_scorer<'a>(
    scorer: &dyn TeamScorer,
    candidates: impl IntoIterator<Item = TeamMatch<'a>>,
) -> Result<(), LawViolation> {
    let needed = scorer.required_fields();
    let unseen = needed.iter().find(|(field, _)| !scorer.looks_at(*field));
    require(unseen.is_none(), "what_is_needed_is_looked_at", || {
        format!("{unseen:?} is not")
    })?;
    let open = scorer.without_threshold();
    let mut tried = 0_usize;
    for candidate in candidates {
        check_teams(scorer, [candidate])?;
        parts_agree(scorer, &candidate, |players, size, teams| {
            let parts = scorer.decomposition(candidate.pool(), players, size)?;
            Some(parts.quality(teams))
        })?;
        let quality = scorer.quality(&candidate);
        let compare = |law, other: Option<f64>| {
            require(same(quality, other), law, || {
                format!("{} has quality {quality:?}, and {other:?}", describe(&candidate))
            })
        };
        compare("reasons_give_the_quality", scorer.explain(&candidate).quality)?;
        if let (Some(open), Some(_)) = (&open, quality) {
            compare("the_threshold_changes_no_quality", open.quality(&candidate))?;
        }
        if scorer.settles_after().is_finite() {
            let later = |more: f64| {
                let mut players: Vec<_> = candidate.pool().players().cloned().collect();
                for player in &mut players {
                    player.wait_seconds = player.wait_seconds.map(|_| scorer.settles_after() + more);
                }
                let pool = Pool::new(players).ok()?; // Dropped: other waits refuse no player.
                scorer.quality(&TeamMatch::new(&pool, candidate.teams()).ok()?) // Dropped: nor any match.
            };
            let (soon, late) = (later(0.0), later(3600.0));
            require(same(soon, late), "long_waits_change_nothing", || {
                format!(
                    "{} has quality {soon:?}, an hour later {late:?}",
                    describe(&candidate)
                )
            })?;
        }
        tried += 1;
    }
    require(tried > 0, "check_scorer", || {
        "no candidates: give some".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::team::{Decomposition, Player};

    /// A factor from a function, right or wrong.
    struct Factor<F>(F);

    impl<F> std::fmt::Debug for Factor<F> {
        fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str("Factor")
        }
    }

    impl<F: Fn(&TeamMatch<'_>) -> Option<f64>> MatchScorer<TeamMatch<'_>> for Factor<F> {
        fn quality(&self, candidate: &TeamMatch<'_>) -> Option<f64> {
            (self.0)(candidate)
        }
    }

    impl<F: Fn(&TeamMatch<'_>) -> Option<f64> + Send + Sync> TeamFactor for Factor<F> {
        fn name(&self) -> &'static str {
            "factor"
        }

        fn why_forbidden(&self, candidate: &TeamMatch<'_>) -> Option<String> {
            // Wrong for matches of the player 3.
            candidate.teams()[0].contains(&3).then(|| "three".to_owned())
        }

        fn decomposition(&self, _: &Pool, _: &[usize], _: usize) -> Option<Decomposition> {
            Some(Decomposition::Pairs {
                together: None,
                against: None,
            })
        }
    }

    fn pool() -> Pool {
        Pool::new(["a", "b", "c", "d"].map(Player::new).into()).unwrap()
    }

    #[test]
    fn a_wrong_factor_fails_the_law_it_breaks() {
        let pool = pool();
        let teams: [&[usize]; 2] = [&[0, 1], &[2, 3]];
        let candidate = TeamMatch::new(&pool, &teams).unwrap();
        let broken = |factor: &dyn TeamFactor| check_factor(factor, [candidate]).unwrap_err().law;
        let first = |m: &TeamMatch<'_>| m.teams()[0][0];
        assert_eq!(
            broken(&Factor(|_: &TeamMatch<'_>| Some(1.5))),
            "quality_is_a_fraction"
        );
        assert_eq!(
            broken(&Factor(move |m: &TeamMatch<'_>| (first(m) < 2).then_some(1.0))),
            "quality_survives_swapping_teams"
        );
        assert_eq!(
            broken(&Factor(move |m: &TeamMatch<'_>| Some(if first(m) % 2 == 0 {
                1.0
            } else {
                0.9
            }))),
            "quality_survives_reordering_players"
        );
        assert_eq!(
            broken(&Factor(|_: &TeamMatch<'_>| Some(0.5))),
            "decomposition_agrees_with_the_quality"
        );
        let teams: [&[usize]; 2] = [&[3, 1], &[2, 0]];
        let candidate = TeamMatch::new(&pool, &teams).unwrap();
        let fine = Factor(|_: &TeamMatch<'_>| Some(1.0));
        assert_eq!(
            check_factor(&fine, [candidate]).unwrap_err().law,
            "reasons_are_given_for_what_is_forbidden"
        );
        let message = check_teams(&Factor(|_: &TeamMatch<'_>| Some(f64::NAN)), [candidate]).unwrap_err();
        assert!(message.to_string().contains("quality_is_a_fraction"));
    }

    #[test]
    fn a_suite_that_tried_nothing_proves_nothing() {
        let fine = Factor(|_: &TeamMatch<'_>| Some(1.0));
        assert_eq!(check_teams(&fine, []).unwrap_err().law, "check_teams");
        assert_eq!(check_factor(&fine, []).unwrap_err().law, "check_factor");
    }
}
