//! All divisions of a ladder, seen twice.

use anyhow::Result;
use matchwright_mmr_forensics::{Division, DivisionSnapshot, LadderSeason, PromotionHistory};
use rand::{Rng, RngExt};

use super::life::{LaterRating, Life, Place, total_on};
use super::params::{DAYS, INACTIVE, LadderWorldParams, season};
use crate::random::Purpose;
use matchwright_sim::random::stream;

/// What a ladder shows.
#[derive(Clone, Debug, PartialEq)]
pub struct LadderWorld {
    /// All divisions at one moment, or up to `late_hours` after it.
    pub early: Vec<DivisionSnapshot>,
    /// The same divisions a week later; who was promoted since is in another.
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
    /// Where the players of a division's later snapshot stand some time after it, in its order.
    pub later: Vec<Vec<LaterRating>>,
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
/// [`SettingError`](crate::SettingError) for a setting out of range.
pub fn ladder_world(params: &LadderWorldParams, seed: u64) -> Result<(LadderWorld, LadderTruth)> {
    params.check()?;
    let season = season(seed)?;
    let home = |number| home(params, &season, number, seed);
    let homes = (0..params.divisions).map(home).collect::<Result<Vec<_>>>()?;
    let all = |day| {
        let snapshot = |(number, home): (usize, &Home)| DivisionSnapshot {
            name: format!("division {}", number + 1),
            league: season.params().leagues[home.league].name.clone(),
            total: total_on(day),
            members: Vec::new(),
        };
        homes.iter().enumerate().map(snapshot).collect()
    };
    let mut world = LadderWorld {
        early: all(DAYS[0]),
        late: all(DAYS[1]),
        histories: Vec::new(),
    };
    let mut truth = LadderTruth {
        tiers: homes.iter().map(|home| home.tier.clone()).collect(),
        active: vec![0; homes.len()],
        later: vec![Vec::new(); homes.len()],
        season,
    };
    for (number, home) in homes.iter().enumerate() {
        for slot in 0..home.members {
            let mut rng = stream(seed, Purpose::LadderPlayers, number as u64, slot.into());
            let is_active = rng.random::<f64>() >= INACTIVE[usize::from(home.inactive)];
            let out = (&mut world, &mut truth.later[..]);
            let stays = settle(params, &homes, (number, slot), is_active, out, &mut rng);
            truth.active[number] += usize::from(is_active && stays);
        }
    }
    Ok((world, truth))
}

/// Leagues in turn; half of their divisions in the tier of offset 0, the others in any tier.
fn home(params: &LadderWorldParams, season: &LadderSeason, number: u32, seed: u64) -> Result<Home> {
    let mut rng = stream(seed, Purpose::LadderSeason, 1, number.into());
    let leagues = &season.params().leagues;
    let league = number as usize % leagues.len();
    let tiers = season.divisions(&leagues[league].name)?;
    let usual = tiers.iter().find(|tier| tier.offset() == 0.0);
    let division = match usual {
        Some(usual) if number as usize / leagues.len() == 0 || rng.random::<f64>() < 0.5 => *usual,
        _ => tiers[rng.random_range(0..tiers.len())],
    };
    let seen = DAYS.map(|day| day + params.late_hours / 24.0 * rng.random::<f64>());
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
    let starts = tiers.iter().map(|tier| bottom + tier.offset());
    let above = starts.filter(|&start| start > offset);
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

/// Fills a slot of a division: players enter until one is still there, which is the result, or was promoted between
/// the two snapshots.
fn settle(
    params: &LadderWorldParams,
    homes: &[Home],
    (number, slot): (usize, u32),
    active: bool,
    (world, later): (&mut LadderWorld, &mut [Vec<LaterRating>]),
    rng: &mut impl Rng,
) -> bool {
    let home = &homes[number];
    for attempt in 0..20 {
        let name = format!("{number}-{slot}-{attempt}");
        let mut life = Life::begin(&home.place, params, active, rng);
        let from = life.trail.len();
        let (mut early, mut promoted) = (None, false);
        while !promoted {
            let day = life.next_day(rng);
            if early.is_none() && day > home.seen[0] {
                early = Some(life.member(&name, home.seen[0], &home.place));
            }
            if day > home.seen[1] {
                break;
            }
            promoted = life.play_on(day, &home.place, params, rng);
        }
        let to = match early {
            Some(_) if promoted => next_home(homes, home.league, rng),
            _ => None,
        };
        let share = params.hand_in * if promoted { 1.0 } else { 0.1 };
        if rng.random::<f64>() < share {
            let history = history(&life, &world.late[number], &home.place, from, promoted);
            world.histories.push(history);
        }
        let Some(early) = early else {
            continue;
        };
        world.early[number].members.extend(early);
        let mut last = (!promoted).then_some(number);
        if let Some(to) = to {
            last = Some(to);
            let next = &homes[to];
            let mut day = life.next_day(rng);
            while day <= next.seen[1] {
                life.play_on(day, &next.place, params, rng);
                day = life.next_day(rng);
            }
        }
        if let Some(to) = last {
            let late = life.member(&name, homes[to].seen[1], &homes[to].place);
            later[to].extend(late.iter().map(|member| {
                let on = life.clone();
                on.play_on_until_spent(member.unspent.get(), params, rng)
            }));
            world.late[to].members.extend(late);
        }
        return !promoted;
    }
    false
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
    let ratings = life.trail.iter();
    let differentials = ratings.map(|rating| (rating - place.offset).round());
    PromotionHistory {
        league: snapshot.league.clone(),
        division: snapshot.name.clone(),
        differentials: differentials.collect(),
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
            hand_in: f64::NAN,
            ..LadderWorldParams::default()
        };
        let error = ladder_world(&params, 1).unwrap_err().to_string();
        assert!(error.starts_with("hand_in"), "{error}");
    }
}
