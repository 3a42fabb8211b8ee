//! [`fit_constants`]: C, M and K of a season from snapshots and promotion histories.

use std::collections::BTreeMap;

use super::average::{AWAY_WEEKS, AverageFit, Thresholds, compare_averages};
use super::debt::{DebtFit, fit_debt};
use super::moves::{GainFit, Places, Seen, gains, places, seen_again};
use crate::answer::{Answer, Interval};
use crate::average::{Averaging, MovingAverage};
use crate::error::ForensicsError;
use crate::numeric::quantile;
use crate::season::LadderSeason;
use crate::snapshot::{DivisionSnapshot, PromotionHistory};
use crate::tier::{TierSettings, likely_tier};

/// A tier's K.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TierFit {
    /// Its name.
    pub tier: String,
    /// K relative to the tier of offset 0.
    pub offset: Answer<Interval>,
    /// Divisions taken for this tier.
    pub divisions: usize,
    /// By how many standard errors K by promotions lies above K by moves, where both are known: far from 0, one of
    /// the two rests on what does not hold, such as divisions taken for the wrong tier.
    pub disagreement: Option<f64>,
}

/// Standard errors between two ways to one number that chance does not explain.
const FAR_APART: f64 = 3.0;

impl TierFit {
    /// Whether K by promotions and by moves lie further apart than chance explains, so that its interval is not to be
    /// trusted.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        self.disagreement.is_some_and(|z| z.abs() > FAR_APART)
    }
}

/// A league's constants.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LeagueFit {
    /// Its name.
    pub league: String,
    /// C, relative to the lowest league's, which is taken as given.
    pub conversion: Answer<Interval>,
    /// M.
    pub magic: Answer<Interval>,
    /// K of its tiers.
    pub tiers: Vec<TierFit>,
    /// Players seen in this league and in another.
    pub moves: usize,
    /// Promotions out of its divisions of offset 0.
    pub promotions: usize,
    /// What an absence costs.
    pub debt: Answer<DebtFit>,
}

/// All that snapshots and histories tell of a season.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ConstantsFit {
    /// Points of a win and a loss.
    pub gains: Answer<GainFit>,
    /// Lowest league first.
    pub leagues: Vec<LeagueFit>,
    /// The moving averages compared, likeliest first.
    pub averages: Answer<Vec<AverageFit>>,
    /// The tier that each division of the last snapshot was taken for.
    pub tiers: Vec<Option<String>>,
}

/// Promotions out of a division that tell its tier.
const TELLING: usize = 3;

/// The constants of the season that a server was seen under.
///
/// `names` gives the names of leagues and tiers, which tier offset 0 is, and roughly where they lie, so that a
/// division is recognised for what it is; no number of the answer is taken from it but C of the lowest league: a
/// constant added to all ratings changes nothing that anybody sees.
///
/// 1. Players who stayed in a division tell what a win and a loss bring: the change of P + U - B is A wins - L
///    losses.
/// 2. A player who moved keeps the rating, so that what else P + U - B changed by is C + K of the old division less
///    that of the new one. All moves together place the groups of divisions on one line: C, and K where few histories
///    are at hand.
/// 3. Histories tell which average promotes, and at what value: M - K of each group, so M and K.
/// 4. Histories with a long absence tell how many games a week it costs, given M - K.
///
/// What nothing tells is [`Answer::NotIdentifiable`]. Snapshots come oldest first, one or more; they list the same
/// divisions by the same names in any order, and each may be up to `settings.late_hours` late.
///
/// # Errors
/// [`ForensicsError`] for a league that `names` does not have, and pools that cannot be.
pub fn fit_constants(
    snapshots: &[&[DivisionSnapshot]],
    histories: &[PromotionHistory],
    names: &LadderSeason,
    settings: &TierSettings,
) -> Result<ConstantsFit, ForensicsError> {
    let groups = Groups::new(snapshots, histories, names, settings)?;
    let (stayed, moved) = seen_again(snapshots);
    let gains = gains(&stayed, groups.of_place.len());
    let lines = gains
        .found()
        .map(|gains| groups.lines(&moved, gains, names, settings));
    let compared = compare_averages(
        histories,
        &|history| groups.of_history(history),
        &MovingAverage::CANDIDATES,
    )?;
    let thresholds = compared.found().map(|(_, thresholds)| thresholds);
    let mut leagues: Vec<LeagueFit> = (0..names.params().leagues.len())
        .map(|league| groups.league(league, lines.as_ref(), thresholds, names))
        .collect();
    let averages = match &compared {
        Answer::Found((fits, _)) => Answer::Found(fits.clone()),
        Answer::NotIdentifiable(why) => Answer::NotIdentifiable(why.clone()),
    };
    let likeliest = averages.found().and_then(|fits| fits.first());
    if let Some(average) = likeliest.map(|fit| fit.average) {
        let threshold = |history: &PromotionHistory| groups.threshold(history, thresholds, &leagues);
        let debts: Vec<Answer<DebtFit>> = leagues
            .iter()
            .map(|league| {
                let own: Vec<&PromotionHistory> = histories
                    .iter()
                    .filter(|history| history.league == league.league)
                    .collect();
                fit_debt(&own, &average, &threshold)
            })
            .collect();
        for (league, debt) in leagues.iter_mut().zip(debts) {
            league.debt = debt;
        }
    }
    Ok(ConstantsFit {
        gains,
        leagues,
        averages,
        tiers: groups.last,
    })
}

/// Which tier each division is taken for.
struct Groups {
    /// By league and tier: the groups' names.
    names: Vec<(usize, String)>,
    /// The group of each division of each snapshot, counted through all of them.
    of_place: Vec<Option<usize>>,
    /// The tiers of the last snapshot's divisions.
    last: Vec<Option<String>>,
    /// By name of the division: its group, and whether promotions told.
    by_name: BTreeMap<String, (usize, bool)>,
}

impl Groups {
    fn new(
        snapshots: &[&[DivisionSnapshot]],
        histories: &[PromotionHistory],
        names: &LadderSeason,
        settings: &TierSettings,
    ) -> Result<Self, ForensicsError> {
        let mut at_promotion: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        let rough = MovingAverage::Simple { games: 10 };
        for history in histories.iter().filter(|history| history.promoted) {
            let away = history.away.iter().any(|(_, weeks)| *weeks >= AWAY_WEEKS);
            if let Some(average) = rough.average(&history.differentials).filter(|_| !away) {
                at_promotion.entry(&history.division).or_default().push(average);
            }
        }
        let mut groups = Self {
            names: Vec::new(),
            of_place: Vec::new(),
            last: Vec::new(),
            by_name: BTreeMap::new(),
        };
        for (place, league) in names.params().leagues.iter().enumerate() {
            groups
                .names
                .extend(league.tiers.iter().map(|tier| (place, tier.name.clone())));
        }
        // A division is of the same tier in all snapshots: the latest that has it shows it with the most games.
        let mut tiers: BTreeMap<&str, Option<String>> = BTreeMap::new();
        for division in snapshots.iter().rev().copied().flatten() {
            if tiers.contains_key(&*division.name) {
                continue;
            }
            let told = at_promotion
                .get_mut(&*division.name)
                .filter(|list| list.len() >= TELLING);
            let is_told = told.is_some();
            let tier = match told {
                Some(list) => {
                    list.sort_by(f64::total_cmp);
                    closest_tier(names, &division.league, quantile(list, 0.1))?
                }
                None => tier_by_players(division, names, settings)?,
            };
            let group = match &tier {
                Some(tier) => groups.find(names, &division.league, tier)?,
                None => None,
            };
            if let Some(group) = group {
                groups.by_name.insert(division.name.clone(), (group, is_told));
            }
            tiers.insert(&division.name, tier);
        }
        let group_of =
            |division: &DivisionSnapshot| groups.by_name.get(&division.name).map(|(group, _)| *group);
        groups.of_place = snapshots.iter().copied().flatten().map(group_of).collect();
        let last = snapshots.last().copied().unwrap_or_default();
        groups.last = last
            .iter()
            .map(|division| tiers.get(&*division.name).cloned().flatten())
            .collect();
        Ok(groups)
    }

    fn find(&self, names: &LadderSeason, league: &str, tier: &str) -> Result<Option<usize>, ForensicsError> {
        let league = names.league(league)?;
        let place = names
            .params()
            .leagues
            .iter()
            .position(|other| other.name == league.name);
        Ok(self
            .names
            .iter()
            .position(|(at, name)| Some(*at) == place && name == tier))
    }

    /// The group of a history: its tier's where promotions told it, else its division alone.
    fn of_history(&self, history: &PromotionHistory) -> String {
        match self.by_name.get(&history.division) {
            Some((group, true)) => group_name(*group),
            _ => format!("division {}", history.division),
        }
    }

    /// M - K of a history's division: what its promotions or those of its tier tell, else what was found of both.
    fn threshold(
        &self,
        history: &PromotionHistory,
        thresholds: Option<&Thresholds>,
        leagues: &[LeagueFit],
    ) -> Option<f64> {
        let own = thresholds?.by_group.get(&self.of_history(history));
        own.map(|interval| interval.value).or_else(|| {
            let (group, _) = self.by_name.get(&history.division)?;
            let (league, tier) = &self.names[*group];
            let league = &leagues[*league];
            let offset = match league.tiers.iter().find(|other| other.tier == *tier) {
                Some(fit) => fit.offset.found()?.value,
                None => 0.0,
            };
            Some(league.magic.found()?.value - offset)
        })
    }

    fn usual(&self, league: usize, names: &LadderSeason) -> Option<usize> {
        let tiers = &names.params().leagues[league].tiers;
        let usual = tiers.iter().find(|tier| tier.offset == Some(0.0))?;
        self.names
            .iter()
            .position(|(at, name)| *at == league && *name == usual.name)
    }

    /// Where groups lie, by the moves between them.
    fn lines(
        &self,
        moved: &[Seen],
        gains: &GainFit,
        names: &LadderSeason,
        settings: &TierSettings,
    ) -> Places {
        let group_of = |seen: &Seen| {
            let group = |place: usize| self.of_place[place].unwrap_or(usize::MAX);
            (group(seen.from), group(seen.to))
        };
        let jump = |seen: &Seen| {
            let earned = gains.per_win.value * seen.wins - gains.per_loss.value * seen.losses;
            (*seen, earned - seen.change)
        };
        let known = |seen: &&Seen| {
            let (from, to) = group_of(seen);
            from != usize::MAX && to != usize::MAX && from != to
        };
        let jumps: Vec<(Seen, f64)> = moved.iter().filter(known).map(jump).collect();
        // Uniform over the delay.
        let delay = settings.late_hours * 60.0 / names.params().minutes_per_point;
        let anchor = self.usual(0, names).unwrap_or(0);
        let variance = gains.variance_per_game;
        places(
            &jumps,
            &group_of,
            self.names.len(),
            anchor,
            variance,
            delay * delay / 12.0,
        )
    }

    fn league(
        &self,
        league: usize,
        lines: Option<&Places>,
        thresholds: Option<&Thresholds>,
        names: &LadderSeason,
    ) -> LeagueFit {
        let params = &names.params().leagues[league];
        let usual = self.usual(league, names);
        let threshold = |group: usize| thresholds?.by_group.get(&group_name(group)).copied();
        let anchor = names.params().leagues[0].conversion;
        let conversion = match (usual, lines) {
            (Some(_), _) if league == 0 => Answer::Found(Interval {
                value: anchor,
                low: anchor,
                high: anchor,
            }),
            (Some(usual), Some(lines)) => match lines.value[usual] {
                Some(value) => Answer::Found(around(anchor + value, lines.covariance[usual][usual])),
                None => no_moves(&params.name),
            },
            _ => no_moves(&params.name),
        };
        let magic = match usual.and_then(threshold) {
            Some(interval) => Answer::Found(interval),
            None => Answer::unknown(
                format!(
                    "no history ends in a promotion out of a division of {} that is known for its tier",
                    params.name
                ),
                "histories of three players promoted out of one of its divisions of offset 0",
            ),
        };
        let of_group = |list: &BTreeMap<String, usize>, group| list.get(&group_name(group)).copied();
        LeagueFit {
            league: params.name.clone(),
            conversion,
            magic,
            tiers: self.tiers(league, usual, lines, &threshold),
            moves: usual.zip(lines).map_or(0, |(usual, lines)| lines.jumps[usual]),
            promotions: usual
                .zip(thresholds)
                .and_then(|(usual, thresholds)| of_group(&thresholds.promotions, usual))
                .unwrap_or(0),
            debt: Answer::unknown(
                "which average promotes is not known",
                "the histories of at least ten players up to their promotion",
            ),
        }
    }

    fn tiers(
        &self,
        league: usize,
        usual: Option<usize>,
        lines: Option<&Places>,
        threshold: &dyn Fn(usize) -> Option<Interval>,
    ) -> Vec<TierFit> {
        let mut tiers = Vec::new();
        for (group, (_, tier)) in self.names.iter().enumerate().filter(|(_, (at, _))| *at == league) {
            if Some(group) == usual {
                continue;
            }
            let by_promotions = usual
                .and_then(threshold)
                .zip(threshold(group))
                .map(|(zero, own)| {
                    let half = |interval: &Interval| (interval.high - interval.low) / 2.0;
                    let half = half(&zero).hypot(half(&own));
                    let value = f64::midpoint(zero.low, zero.high) - f64::midpoint(own.low, own.high);
                    Interval {
                        value,
                        low: value - half,
                        high: value + half,
                    }
                });
            let by_moves = usual.zip(lines).and_then(|(usual, lines)| {
                let value = lines.value[group]? - lines.value[usual]?;
                let covariance = &lines.covariance;
                let variance =
                    covariance[group][group] + covariance[usual][usual] - 2.0 * covariance[group][usual];
                Some(around(value, variance))
            });
            let error = |interval: &Interval| (interval.high - interval.low) / (2.0 * 1.96);
            let disagreement = by_promotions
                .as_ref()
                .zip(by_moves.as_ref())
                .map(|(one, other)| (one.value - other.value) / error(one).hypot(error(other)));
            let offset = by_promotions.or(by_moves).map_or_else(
                || {
                    Answer::unknown(
                        "nobody was promoted out of such a division or moved into or out of one",
                        "the history of a promotion out of one, or snapshots before and after a move",
                    )
                },
                Answer::Found,
            );
            tiers.push(TierFit {
                tier: tier.clone(),
                offset,
                divisions: self.by_name.values().filter(|(at, _)| *at == group).count(),
                disagreement,
            });
        }
        tiers
    }
}

fn group_name(group: usize) -> String {
    format!("group {group}")
}

fn around(value: f64, variance: f64) -> Interval {
    let half = 1.96 * variance.max(0.0).sqrt();
    Interval {
        value,
        low: value - half,
        high: value + half,
    }
}

fn no_moves(league: &str) -> Answer<Interval> {
    Answer::unknown(
        format!("nobody was seen to move between {league} and the leagues below"),
        "two snapshots with players who were promoted in between, league by league",
    )
}

fn closest_tier(names: &LadderSeason, league: &str, edge: f64) -> Result<Option<String>, ForensicsError> {
    let tiers = names.divisions(league)?;
    let miss = |at: Option<f64>| at.map_or(f64::INFINITY, |at| (at - edge).abs());
    let closest = tiers
        .iter()
        .min_by(|a, b| miss(a.edge()).total_cmp(&miss(b.edge())));
    Ok(closest.map(|tier| tier.tier().name.clone()))
}

fn tier_by_players(
    division: &DivisionSnapshot,
    names: &LadderSeason,
    settings: &TierSettings,
) -> Result<Option<String>, ForensicsError> {
    let tiers = names.divisions(&division.league)?;
    if let [only] = &tiers[..] {
        return Ok(Some(only.tier().name.clone()));
    }
    let reading = likely_tier(division, names, settings)?;
    Ok(reading.found().map(|reading| reading.tier.clone()))
}
