//! The lineup sorted by skill, factor by factor, beside the end of the search.

use anyhow::{Context, Result};
use itertools::Itertools;
use matchwright_lobby::{Annealing, Lineups, LobbyPool, LobbySolver};
use matchwright_scoring::{PlayerSkill, ScoringPolicy, TeamMatch, TeamSkill, WeightedFactor};
use rand::RngExt;
use serde::Serialize;

use super::check::best_split;
use super::port::one_start;
use super::{MATCH, Round, awesomenauts_policy, check_pools};
use crate::random::Purpose;
use crate::settings::{SettingError, within};
use crate::workers::Workers;
use matchwright_sim::adapt::LobbyScoring;
use matchwright_sim::random::stream;
use matchwright_sim::statistics::{Estimate, MeanTest, Summary, paired_test};
use matchwright_solver::Limits;

/// What decides [`run_starts`], apart from the seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StartsConfig {
    /// Players of a pool, 12 to 2,000. Default 96.
    pub players: usize,
    /// Pools, 2 to 10,000. Default 20.
    pub pools: usize,
    /// Exchanges of the search for skill alone, 1 to 1e9. Default 600,000.
    pub moves: u64,
}

impl StartsConfig {
    pub(crate) fn check(&self) -> Result<(), SettingError> {
        check_pools(self.players, self.pools)?;
        within("moves", self.moves, &(1..=1_000_000_000))
    }
}

impl Default for StartsConfig {
    fn default() -> Self {
        Self {
            players: 96,
            pools: 20,
            moves: 600_000,
        }
    }
}

/// One factor, or the total as the last row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FactorRow {
    /// The factor's name; `total` for all of them.
    pub factor: String,
    /// Units in the order of skill, each into the first match where it fits; the best split of each match.
    pub sorted: Estimate,
    /// The same in a random order.
    pub random: Estimate,
    /// The local optimum that the port reaches from its own start in the order of skill.
    pub end: Estimate,
    /// What a search for the two factors of skill alone finds.
    pub skill_alone: Estimate,
    /// Sorted less end, pool by pool.
    pub sorted_over_end: MeanTest,
    /// Sorted less random, pool by pool.
    pub sorted_over_random: MeanTest,
}

/// Starts beside ends.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StartsReport {
    /// What decided it.
    pub config: StartsConfig,
    /// The six factors, then the total.
    pub rows: Vec<FactorRow>,
    /// The teams' skill of players sorted one by one, parties or not, in sixes.
    pub singly: Singly,
}

/// The teams' skill of sixes in the order of skill.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Singly {
    /// The mean of the ten splits of each.
    pub any_split: Estimate,
    /// The best of them.
    pub best_split: Estimate,
    /// The mean of the ten splits less the end, pool by pool.
    pub over_end: MeanTest,
}

impl StartsReport {
    /// The row of this factor.
    #[must_use]
    pub fn row(&self, factor: &str) -> Option<&FactorRow> {
        self.rows.iter().find(|row| row.factor == factor)
    }
}

/// Scores lineups factor by factor: those sorted by skill, those in random order, the end of the port's search, and
/// those made for skill alone.
///
/// Parties stay together in all of them; players sorted one by one, as the article has it, are beside them. The same for
/// any number of `threads`.
///
/// # Errors
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn run_starts(config: &StartsConfig, seed: u64, workers: &Workers<'_>) -> Result<StartsReport> {
    config.check()?;
    let pools = workers.in_order("the sorted start", config.pools, |number| {
        pool(config, seed, number)
    })?;
    let policy = awesomenauts_policy()?;
    let factors = policy.factors().iter().map(|one| one.factor.name());
    let names = factors.chain(["total"]);
    let row = |(place, factor): (usize, &str)| {
        let mean =
            |which: usize| Summary::of(pools.iter().map(|(stages, _)| stages[which][place])).estimate();
        let over = |which: usize| {
            paired_test(
                pools
                    .iter()
                    .map(|(stages, _)| stages[0][place] - stages[which][place]),
            )
        };
        FactorRow {
            factor: factor.to_owned(),
            sorted: mean(0),
            random: mean(1),
            end: mean(2),
            skill_alone: mean(3),
            sorted_over_end: over(2),
            sorted_over_random: over(1),
        }
    };
    let teams = policy.factors().iter().position(|one| one.factor.name() == TEAMS);
    let teams = teams.context("a policy without the teams' skill")?;
    let singly = |which: usize| Summary::of(pools.iter().map(|(_, singly)| singly[which])).estimate();
    let over_end = pools.iter().map(|(stages, singly)| singly[0] - stages[2][teams]);
    Ok(StartsReport {
        config: config.clone(),
        rows: names.enumerate().map(row).collect(),
        singly: Singly {
            any_split: singly(0),
            best_split: singly(1),
            over_end: paired_test(over_end),
        },
    })
}

const TEAMS: &str = "team_skill";

/// The teams' skill of sixes in the order of skill: the mean of their ten splits, and the best.
fn one_by_one(round: &Round) -> Result<[f64; 2]> {
    let factors = round.policy.factors();
    let mut factors = factors.iter().filter(|one| one.factor.name() == TEAMS);
    let teams = factors.next().context("a policy without the teams' skill")?;
    let (mut any, mut best, mut sixes) = (0.0, 0.0, 0.0);
    for six in round.lobbies.order().chunks_exact(MATCH) {
        let (first, others) = six.split_first().context("six players")?;
        let mut most = 0.0_f64;
        for two in others.iter().combinations(2) {
            let with = [*first, *two[0], *two[1]];
            let against: Vec<usize> = six.iter().copied().filter(|one| !with.contains(one)).collect();
            let sides = [&with[..], &against];
            let candidate = TeamMatch::new(&round.pool, &sides)?;
            let quality = teams.factor.quality(&candidate).unwrap_or(f64::NAN);
            any += quality / 10.0;
            most = most.max(quality);
        }
        (best, sixes) = (best + most, sixes + 1.0);
    }
    Ok([any / sixes, best / sixes])
}

/// Mean qualities by stage, then by factor; and those of players one by one.
fn pool(config: &StartsConfig, seed: u64, number: usize) -> Result<([Vec<f64>; 4], [f64; 2])> {
    let round = Round::new(config.players, seed, number)?;
    let sorted = first_fit(&round.lobbies, &round)?;
    let mut order = round.lobbies.order().to_vec();
    let mut random = stream(seed, Purpose::Rounds, number as u64, 1);
    for last in (1..order.len()).rev() {
        order.swap(last, random.random_range(0..=last));
    }
    let shuffled = first_fit(&round.lobbies.clone().with_order(&order)?, &round)?;
    let end = round.solve(&one_start(), &Limits::unlimited())?;
    let skill = ScoringPolicy::new(vec![
        WeightedFactor::new(3.0, TeamSkill::default()),
        WeightedFactor::new(2.0, PlayerSkill::default()),
    ])?;
    let (pool, policy) = (&round.pool, &skill);
    let search = Annealing::new(1).with_moves(config.moves);
    let skilled = search.solve(&round.lobbies, &LobbyScoring { pool, policy })?;
    let score = |lineups: &Lineups| factors(&round, lineups);
    let stages = [score(&sorted)?, score(&shuffled)?, score(&end)?, score(&skilled)?];
    Ok((stages, one_by_one(&round)?))
}

/// Parties in the pool's order, each by its first member there, into the first match where teams can still be filled,
/// and the best split of each match.
fn first_fit(pool: &LobbyPool, round: &Round) -> Result<Lineups> {
    let mut matches: Vec<Vec<usize>> = Vec::new();
    let mut placed = vec![false; pool.parties().len()];
    for &player in pool.order() {
        let party = pool.party_index(player);
        if std::mem::replace(&mut placed[party], true) {
            continue;
        }
        let sizes = |parties: &[usize]| -> Vec<usize> {
            parties.iter().map(|&party| pool.parties()[party].len()).collect()
        };
        let fits = |parties: &&mut Vec<usize>| may_fill(&[&sizes(parties)[..], &sizes(&[party])].concat());
        match matches.iter_mut().find(fits) {
            Some(parties) => parties.push(party),
            None => matches.push(vec![party]),
        }
    }
    let scoring = round.scoring();
    let best = |parties: &Vec<usize>| best_split(pool, &scoring, parties).map(|best| best.1);
    let teams = matches.iter().filter_map(best).map(Vec::from);
    Ok(Lineups::of_teams(pool, &scoring, teams)?)
}

/// Whether parties of these sizes go into two teams of three, singles filling the rest.
fn may_fill(sizes: &[usize]) -> bool {
    let large = sizes.iter().filter(|&&size| size > 1).count();
    // At most one larger party in each team: two pairs are four.
    sizes.iter().sum::<usize>() <= MATCH && large <= 2
}

/// The mean of each factor over the matches, and of their qualities.
fn factors(round: &Round, lineups: &Lineups) -> Result<Vec<f64>> {
    let factors = round.policy.factors();
    let mut sums = vec![0.0; factors.len() + 1];
    for lobby in &lineups.lobbies {
        let teams = [lobby.team_a(), lobby.team_b()];
        let candidate = TeamMatch::new(&round.pool, &teams)?;
        for (sum, one) in sums.iter_mut().zip(factors) {
            *sum += one.factor.quality(&candidate).unwrap_or(f64::NAN);
        }
        sums[factors.len()] += lobby.quality;
    }
    let count = lineups.lobbies.len() as f64;
    Ok(sums.into_iter().map(|sum| sum / count).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use matchwright_sim::progress::Quiet;

    #[test]
    fn sorting_is_good_for_skill_and_bad_for_the_rest() {
        let config = StartsConfig {
            players: 60,
            pools: 6,
            moves: 100_000,
        };
        let report = run_starts(&config, 1, &Workers::new(2, &Quiet)).unwrap();
        assert_eq!(report, run_starts(&config, 1, &Workers::new(1, &Quiet)).unwrap());
        let over = |factor: &str| report.row(factor).unwrap().sorted_over_end.difference;
        assert!(over("player_skill") > 0.0);
        assert!(over("enemy_ping") < 0.0 && over("premades") < 0.0 && over("total") < 0.0);
        assert_eq!(report.rows.len(), 7);
        assert!(report.singly.best_split.mean > report.singly.any_split.mean);
        let bad = StartsConfig { moves: 0, ..config };
        assert!(
            run_starts(&bad, 1, &Workers::new(1, &Quiet))
                .unwrap_err()
                .to_string()
                .starts_with("moves")
        );
    }

    #[test]
    fn parties_fit_where_teams_can_be_filled() {
        for (sizes, fits) in [
            (&[3, 3][..], true),
            (&[2, 2, 1, 1], true),
            (&[2, 2, 2], false),
            (&[3, 2, 1], true),
            (&[3, 2, 2], false),
            (&[1; 6], true),
            (&[1; 7], false),
        ] {
            assert_eq!(may_fill(sizes), fits, "{sizes:?}");
        }
    }
}
