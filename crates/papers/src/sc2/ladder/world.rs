//! All divisions of a ladder, seen twice.

use matchwright_mmr_forensics::{Division, DivisionSnapshot, LadderSeason, PromotionHistory};
use rand::{Rng, RngExt};

use super::life::{Life, Place, total_on};
use super::params::{LadderWorldError, LadderWorldParams};
use crate::random::Purpose;
use matchwright_sim::random::stream;

/// What a ladder shows.
#[derive(Clone, Debug, PartialEq)]
pub struct LadderWorld {
    /// All divisions at one moment, or up to `late_hours` after it.
    pub early: Vec<DivisionSnapshot>,
    /// The same divisions `days_between` later; who was promoted since is in another.
    pub late: Vec<DivisionSnapshot>,
    /// Histories that players handed in.
    pub histories: Vec<PromotionHistory>,
}

/// What it hides.
#[derive(Clone, Debug, PartialEq)]
pub struct LadderTruth {
    /// The season that it was played by.
    pub season: LadderSeason,
    /// The tier of each division.
    pub tiers: Vec<String>,
    /// How many of a division's players in the later snapshot are active.
    pub active: Vec<usize>,
}

/// A division of the world.
struct Home {
    league: usize,
    tier: String,
    inactive: bool,
    place: Place,
    /// Days at which its two snapshots are taken.
    seen: [f64; 2],
    members: u32,
}

/// A ladder and its truth. Same parameters and seed, same ladder.
///
/// # Errors
/// [`LadderWorldError`] for a setting out of range.
pub fn ladder_world(
    params: &LadderWorldParams,
    seed: u64,
) -> Result<(LadderWorld, LadderTruth), LadderWorldError> {
    params.check()?;
    let season = params.season(seed)?;
    let mut homes = Vec::new();
    for number in 0..params.divisions {
        homes.push(home(params, &season, number, seed)?);
    }
    let snapshot = |number: usize, home: &Home, day: f64| DivisionSnapshot {
        name: format!("division {}", number + 1),
        league: season.params().leagues[home.league].name.clone(),
        total: total_on(day),
        members: Vec::new(),
    };
    let days = [params.days - params.days_between, params.days];
    let all = |day| {
        homes
            .iter()
            .enumerate()
            .map(|(n, home)| snapshot(n, home, day))
            .collect()
    };
    let mut world = LadderWorld {
        early: all(days[0]),
        late: all(days[1]),
        histories: Vec::new(),
    };
    let mut active = vec![0; homes.len()];
    for (number, home) in homes.iter().enumerate() {
        for slot in 0..home.members {
            let mut rng = stream(seed, Purpose::LadderPlayers, number as u64, slot.into());
            let is_active = is_active(params, home, &mut rng);
            settle(
                params,
                &homes,
                number,
                slot,
                is_active,
                &mut world,
                &mut active,
                &mut rng,
            );
        }
    }
    let tiers = homes.iter().map(|home| home.tier.clone()).collect();
    Ok((
        world,
        LadderTruth {
            season,
            tiers,
            active,
        },
    ))
}

fn is_active(params: &LadderWorldParams, home: &Home, rng: &mut impl Rng) -> bool {
    let share = if home.inactive {
        params.inactive_in_rank_i
    } else {
        params.inactive
    };
    rng.random::<f64>() >= share
}

/// Leagues in turn; half of their divisions in the tier of offset 0, the others in any tier.
fn home(
    params: &LadderWorldParams,
    season: &LadderSeason,
    number: u32,
    seed: u64,
) -> Result<Home, LadderWorldError> {
    let mut rng = stream(seed, Purpose::LadderSeason, 1, number.into());
    let leagues = &season.params().leagues;
    let league = number as usize % leagues.len();
    let tiers = season.divisions(&leagues[league].name)?;
    let usual = tiers.iter().find(|tier| tier.offset() == 0.0);
    let division = match usual {
        Some(usual) if number as usize / leagues.len() == 0 || rng.random::<f64>() < 0.5 => *usual,
        _ => tiers[rng.random_range(0..tiers.len())],
    };
    let late = || params.late_hours / 24.0;
    let seen = [params.days - params.days_between, params.days].map(|day| day + late() * rng.random::<f64>());
    Ok(Home {
        league,
        tier: division.tier().name.clone(),
        inactive: division.tier().inactive,
        place: place(params, &tiers, &division, league),
        seen,
        members: rng.random_range(params.least_members..=params.members),
    })
}

/// Who enters a tier has a rating from C + K up to that of the next tier; where the inactive are collected, any of
/// the league.
fn place(
    params: &LadderWorldParams,
    tiers: &[Division<'_>],
    division: &Division<'_>,
    league: usize,
) -> Place {
    let bottom = division.conversion();
    let offset = bottom + division.offset();
    let threshold = division.threshold();
    let top = threshold.unwrap_or(bottom + 800.0);
    let above = tiers
        .iter()
        .map(|tier| bottom + tier.offset())
        .filter(|&start| start > offset);
    let next = above.fold(top, f64::min);
    let entry = if division.tier().inactive {
        (bottom, top - 0.2 * (top - bottom))
    } else {
        // From the next tier's start, or so far below the next league that no player is promoted at once.
        (offset, next.min(top - 40.0))
    };
    Place {
        offset,
        bottom,
        entry,
        threshold,
        debt: params.debt + params.debt_by_league * league as f64,
    }
}

/// Fills a slot of a division: players enter until one is still there, or was promoted between the two snapshots.
#[allow(clippy::too_many_arguments, reason = "the state of one loop, used once")]
fn settle(
    params: &LadderWorldParams,
    homes: &[Home],
    number: usize,
    slot: u32,
    active: bool,
    world: &mut LadderWorld,
    counts: &mut [usize],
    rng: &mut impl Rng,
) {
    let home = &homes[number];
    for attempt in 0..20 {
        let name = format!("{number}-{slot}-{attempt}");
        let mut life = Life::begin(&home.place, params, active, rng);
        let from = life.trail.len();
        let mut early = None;
        let mut promoted = false;
        loop {
            let day = life.next_day(rng);
            if early.is_none() && day > home.seen[0] {
                early = Some(life.member(&name, home.seen[0], &home.place));
            }
            if day > home.seen[1] {
                break;
            }
            if life.play_on(day, &home.place, params, rng) {
                promoted = true;
                break;
            }
        }
        let to = match early {
            Some(_) if promoted => next_home(homes, home.league, rng),
            _ => None,
        };
        let share = params.hand_in * if promoted { 1.0 } else { 0.1 };
        if rng.random::<f64>() < share {
            world
                .histories
                .push(history(&life, &world.late[number], &home.place, from, promoted));
        }
        let Some(early) = early else {
            continue;
        };
        world.early[number].members.extend(early);
        if !promoted {
            counts[number] += usize::from(life.active);
            world.late[number]
                .members
                .extend(life.member(&name, home.seen[1], &home.place));
        } else if let Some(to) = to {
            let next = &homes[to];
            loop {
                let day = life.next_day(rng);
                if day > next.seen[1] {
                    break;
                }
                life.play_on(day, &next.place, params, rng);
            }
            world.late[to]
                .members
                .extend(life.member(&name, next.seen[1], &next.place));
        }
        return;
    }
}

/// A division of offset 0 of the league above.
fn next_home(homes: &[Home], league: usize, rng: &mut impl Rng) -> Option<usize> {
    let fits = |home: &Home| home.league == league + 1 && home.place.offset == home.place.bottom;
    let found: Vec<usize> = (0..homes.len()).filter(|&at| fits(&homes[at])).collect();
    (!found.is_empty()).then(|| found[rng.random_range(0..found.len())])
}

fn history(
    life: &Life,
    snapshot: &DivisionSnapshot,
    place: &Place,
    from: usize,
    promoted: bool,
) -> PromotionHistory {
    PromotionHistory {
        league: snapshot.league.clone(),
        division: snapshot.name.clone(),
        differentials: life
            .trail
            .iter()
            .map(|rating| (rating - place.offset).round())
            .collect(),
        from,
        promoted,
        away: life.away.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_shows_whole_divisions_and_the_same_ones_for_the_same_seed() {
        let params = LadderWorldParams {
            divisions: 12,
            ..LadderWorldParams::default()
        };
        let (world, truth) = ladder_world(&params, 3).unwrap();
        assert_eq!((world.clone(), truth.clone()), ladder_world(&params, 3).unwrap());
        assert_ne!(world, ladder_world(&params, 4).unwrap().0);
        for (number, division) in world.late.iter().enumerate() {
            assert!(
                division.members.len() >= 30,
                "{number}: {}",
                division.members.len()
            );
            assert!(truth.active[number] <= division.members.len());
        }
        let promoted = world.histories.iter().filter(|history| history.promoted).count();
        assert!(promoted > 20, "{promoted}");
        let early: std::collections::HashMap<&str, usize> = world
            .early
            .iter()
            .enumerate()
            .flat_map(|(at, division)| division.members.iter().map(move |member| (&*member.name, at)))
            .collect();
        let members = world.late.iter().enumerate();
        let moved = members
            .flat_map(|(at, division)| division.members.iter().map(move |member| (&*member.name, at)))
            .filter(|(name, at)| early.get(name).is_some_and(|before| before != at))
            .count();
        assert!(moved > 5, "{moved}");
    }

    #[test]
    fn points_less_bonus_are_the_rating_less_what_the_division_adds() {
        let params = LadderWorldParams {
            divisions: 6,
            late_hours: 0.0,
            ..LadderWorldParams::default()
        };
        let (world, truth) = ladder_world(&params, 1).unwrap();
        for history in &world.histories {
            let league = truth.season.league(&history.league).unwrap();
            let number: usize = history.division.trim_start_matches("division ").parse().unwrap();
            let division = truth
                .season
                .division(&league.name, Some(&truth.tiers[number - 1]))
                .unwrap();
            let tail = &history.differentials[history.differentials.len() - 10..];
            let average = tail.iter().sum::<f64>() / 10.0;
            if history.promoted {
                assert!(average > division.edge().unwrap());
            }
        }
        // At a snapshot that is not late, no active player is far above the edge.
        for (number, snapshot) in world.late.iter().enumerate() {
            let division = truth
                .season
                .division(&snapshot.league, Some(&truth.tiers[number]))
                .unwrap();
            let Some(edge) = division.edge() else { continue };
            let over = |member: &&matchwright_mmr_forensics::Member| {
                member.unspent.get() < 100.0 && snapshot.differential(member) > edge + 90.0
            };
            assert!(snapshot.members.iter().filter(over).count() <= 2, "{number}");
        }
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let params = LadderWorldParams {
            inactive: f64::NAN,
            ..LadderWorldParams::default()
        };
        let error = ladder_world(&params, 1).unwrap_err().to_string();
        assert!(error.starts_with("`inactive`"), "{error}");
    }
}
