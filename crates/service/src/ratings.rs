//! Ratings by the results of the service's own matches, in the order of its journal.

use matchwright_rating::store::{Adjusted, Duel, EventNumber, Keep, RatingStore};
use matchwright_rating::{
    Adjustments, AdvantageChoice, AnySystem, AnyTeamSystem, Member, PeriodChoice, RatingEstimate,
    RatingParams, RatingPeriod, Score, Side, TeamGame,
};
use serde::{Deserialize, Serialize};

use crate::ledger::Players;

type Pairs = RatingStore<Adjusted<AnySystem, Adjustments>, Duel<u64>>;
type Teams = RatingStore<Adjusted<AnyTeamSystem, Adjustments>, TeamGame<u64>>;

/// A store of ratings under any system, and what made it.
pub(crate) struct Ratings {
    params: RatingParams,
    store: Store,
    /// The latest time of a match.
    seasons_until: Option<i64>,
}

/// Of the seasons between two matches so many count, the latest: more would change nothing that shows.
const MOST_SEASONS: u32 = 100;

enum Store {
    Pairs(Box<Pairs>),
    Teams(Box<Teams>),
}

/// What a side of a match did: its place, and its players ticket by ticket.
pub(crate) type PlayedSide = (u32, Vec<Players>);

/// What is known of a player.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub struct Rated {
    /// In the unit of the system.
    pub rating: f64,
    /// The standard deviation of what is believed of it, where the system keeps one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deviation: Option<f64>,
    /// Results that count.
    pub games: u64,
}

/// What is saved; the system is made anew.
#[derive(Serialize, Deserialize)]
struct Saved<R> {
    params: R,
    is_for_teams: bool,
    seasons_until: Option<i64>,
    /// The store, in its own format.
    #[serde(with = "serde_bytes")]
    store: Vec<u8>,
}

impl Ratings {
    /// Under a system for two players if all matches are of one against one and it is such, else under one for teams; the latest
    /// `keep` results can be disputed.
    pub(crate) fn new(params: RatingParams, are_duels: bool, keep: usize) -> Result<Self, String> {
        let unheard = [
            (params.context_games.is_some(), "context_games"),
            (params.ladder.is_some(), "ladder"),
            (params.party_bonus.is_some(), "party_bonus"),
            (
                params.home_advantage == AdvantageChoice::Fit,
                "home_advantage = \"fit\"",
            ),
        ];
        if let Some((_, name)) = unheard.iter().find(|(is_given, _)| *is_given) {
            return Err(format!("a live queue's ratings have no {name}: leave it out"));
        }
        let adjust = params.adjustments().map_err(|error| error.to_string())?;
        let period = match params.period {
            PeriodChoice::Days(days) => Some(RatingPeriod::days(days).map_err(|error| error.to_string())?),
            PeriodChoice::Game => None,
            PeriodChoice::Batch(_) => {
                return Err(
                    "a live queue needs ratings after each game: give the period in days, or `game`".into(),
                );
            }
        };
        let pairs = params.system.build_pairs().map_err(|error| error.to_string())?;
        let mut store = if let Some(system) = pairs.filter(|_| are_duels) {
            let system = Adjusted { system, adjust };
            Store::Pairs(Box::new(match period {
                Some(period) => Pairs::by_time(system, period),
                None => Pairs::by_game(system),
            }))
        } else {
            let system = Self::team_system(&params)?;
            let system = Adjusted { system, adjust };
            Store::Teams(Box::new(match period {
                Some(period) => Teams::by_time(system, period),
                None => Teams::by_game(system),
            }))
        };
        match &mut store {
            Store::Pairs(store) => store.keep(Keep::Latest(keep)),
            Store::Teams(store) => store.keep(Keep::Latest(keep)),
        }
        Ok(Self {
            params,
            store,
            seasons_until: None,
        })
    }

    fn team_system(params: &RatingParams) -> Result<AnyTeamSystem, String> {
        let teams = params.system.build_teams(params.team_skill);
        teams.map_err(|error| error.to_string())?.ok_or_else(|| {
            format!(
                "`{}` is fitted to all games at once: a live queue needs a system that learns game by game",
                params.system.name().name()
            )
        })
    }

    /// Adds a match that ended at a time, in Unix seconds; `Err` says why it cannot count.
    pub(crate) fn add(&mut self, time: i64, sides: &[PlayedSide]) -> Result<EventNumber, String> {
        self.start_seasons(time)?;
        match &mut self.store {
            Store::Pairs(store) => {
                let one = |(_, tickets): &PlayedSide| tickets.iter().flatten().copied().next();
                let [first, second] = sides else {
                    return Err("a match of two is needed".to_owned());
                };
                let (Some(one), Some(other)) = (one(first), one(second)) else {
                    return Err("a side without a player".to_owned());
                };
                let score = match first.0.cmp(&second.0) {
                    std::cmp::Ordering::Less => Score::WIN,
                    std::cmp::Ordering::Equal => Score::DRAW,
                    std::cmp::Ordering::Greater => Score::LOSS,
                };
                store
                    .insert(time, Duel::new(one, other, score))
                    .map_err(|error| error.to_string())
            }
            Store::Teams(store) => {
                let mut party = 0;
                let mut side = |(place, tickets): &PlayedSide| {
                    let mut members = Vec::new();
                    for ticket in tickets {
                        party += 1;
                        for player in ticket {
                            let mut member = Member::new(*player);
                            member.party = (ticket.len() > 1).then_some(party);
                            members.push(member);
                        }
                    }
                    Side::of_members(*place, members)
                };
                let game = TeamGame::new(sides.iter().map(&mut side).collect());
                let game = game.map_err(|error| error.to_string())?;
                store.insert(time, game).map_err(|error| error.to_string())
            }
        }
    }

    /// Starts the seasons that began between the latest match so far and one that ended now, whether the former still counts or
    /// not.
    fn start_seasons(&mut self, time: i64) -> Result<(), String> {
        let Some(seasons) = &self.params.seasons else {
            return Ok(());
        };
        for start in seasons.latest(self.seasons_until, time, MOST_SEASONS) {
            match &mut self.store {
                Store::Pairs(store) => store.change_season(start, seasons.change),
                Store::Teams(store) => store.change_season(start, seasons.change),
            }
            .map_err(|error| error.to_string())?;
        }
        self.seasons_until = self.seasons_until.max(Some(time));
        Ok(())
    }

    /// Takes a result out; those since are rated again.
    pub(crate) fn retract(&mut self, number: EventNumber) -> Result<(), String> {
        match &mut self.store {
            Store::Pairs(store) => store.retract(number).map(drop),
            Store::Teams(store) => store.retract(number).map(drop),
        }
        .map_err(|error| error.to_string())
    }

    pub(crate) const fn params(&self) -> &RatingParams {
        &self.params
    }

    /// A player is known no more.
    pub(crate) fn forget(&mut self, player: u64) {
        match &mut self.store {
            Store::Pairs(store) => store.forget(&player),
            Store::Teams(store) => store.forget(&player),
        };
    }

    /// What is known of a player; of a newcomer its first rating.
    pub(crate) fn of(&self, player: Option<u64>) -> Rated {
        // No player has this number.
        let player = player.unwrap_or(u64::MAX);
        let (rating, games) = match &self.store {
            Store::Pairs(store) => (
                store.rating(&player),
                store.standing(&player).map(|one| one.games),
            ),
            Store::Teams(store) => (
                store.rating(&player),
                store.standing(&player).map(|one| one.games),
            ),
        };
        Rated {
            rating: rating.rating(),
            deviation: rating.deviation(),
            games: games.unwrap_or(0).into(),
        }
    }

    /// What is to be saved.
    pub(crate) fn saved(&self) -> Result<impl Serialize + '_, String> {
        let store = match &self.store {
            Store::Pairs(store) => store.to_bytes(),
            Store::Teams(store) => store.to_bytes(),
        };
        Ok(Saved {
            params: &self.params,
            is_for_teams: matches!(self.store, Store::Teams(_)),
            seasons_until: self.seasons_until,
            store: store.map_err(|error| error.to_string())?,
        })
    }

    /// What was saved.
    pub(crate) fn restore<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Self, String>
    where
        D::Error: std::fmt::Display,
    {
        let saved: Saved<RatingParams> = Saved::deserialize(from).map_err(|error| error.to_string())?;
        let params = saved.params;
        let adjust = params.adjustments().map_err(|error| error.to_string())?;
        let store = if saved.is_for_teams {
            let system = Self::team_system(&params)?;
            let store = Teams::from_bytes(Adjusted { system, adjust }, &saved.store);
            Store::Teams(Box::new(store.map_err(|error| error.to_string())?))
        } else {
            let system = params.system.build_pairs().map_err(|error| error.to_string())?;
            let system = system.ok_or("ratings of pairs under a system for teams")?;
            let store = Pairs::from_bytes(Adjusted { system, adjust }, &saved.store);
            Store::Pairs(Box::new(store.map_err(|error| error.to_string())?))
        };
        Ok(Self {
            params,
            store,
            seasons_until: saved.seasons_until,
        })
    }
}

#[cfg(test)]
mod tests {
    use matchwright_rating::{SeasonChange, Seasons, SystemName};

    use super::*;

    #[test]
    fn seasons_start_with_the_first_match_after_their_time() {
        let change = SeasonChange {
            share: 0.5,
            ..SeasonChange::NONE
        };
        let params = RatingParams {
            seasons: Some(Seasons {
                every_days: Some(30.0),
                starts: Vec::new(),
                change,
            }),
            ..RatingParams::of(SystemName::Elo)
        };
        let day = 86_400;
        let side = |place, player| (place, vec![Players::from_slice(&[player])]);
        for keep in [0, 10] {
            let mut ratings = Ratings::new(params.clone(), true, keep).unwrap();
            ratings.add(5 * day, &[side(1, 1), side(2, 2)]).unwrap();
            let first = ratings.of(Some(1)).rating;
            assert!(first > 1500.0);
            ratings.add(29 * day, &[side(1, 3), side(2, 4)]).unwrap();
            assert_eq!(ratings.of(Some(1)).rating, first);
            // Two seasons later, in a match of others.
            ratings.add(61 * day, &[side(1, 5), side(2, 6)]).unwrap();
            assert_eq!(
                ratings.of(Some(1)),
                Rated {
                    rating: 1500.0 + (first - 1500.0) / 4.0,
                    deviation: None,
                    games: 1
                }
            );
            assert_eq!(ratings.of(Some(5)).rating, first);
            // A season starts once, also if the match that showed it does not count.
            let disputed = ratings.add(95 * day, &[side(1, 7), side(2, 8)]).unwrap();
            assert_eq!(ratings.retract(disputed).is_ok(), keep > 0);
            ratings.add(96 * day, &[side(1, 7), side(2, 8)]).unwrap();
            let drawn = ratings.of(Some(1)).rating;
            assert_eq!(drawn, 1500.0 + (first - 1500.0) / 8.0);
            // Of the last season, though it was told late.
            if keep > 0 {
                ratings.add(62 * day, &[side(1, 10), side(2, 11)]).unwrap();
                assert_eq!(ratings.of(Some(10)).rating, 1500.0 + (first - 1500.0) / 2.0);
            }
        }
    }

    #[test]
    fn what_a_live_queue_would_not_heed_is_refused_by_name() {
        let refused = |params: RatingParams| Ratings::new(params, true, 3).err().unwrap();
        let elo = || RatingParams::of(SystemName::Elo);
        let contexts = RatingParams {
            context_games: Some(20.0),
            ..elo()
        };
        assert!(refused(contexts).contains("no context_games"));
        let fit = RatingParams {
            home_advantage: AdvantageChoice::Fit,
            ..elo()
        };
        assert!(refused(fit).contains("fit"));
        let ladder = RatingParams {
            ladder: Some(matchwright_rating::LadderParams::default()),
            ..elo()
        };
        assert!(refused(ladder).contains("no ladder"));
    }

    /// What is saved is what is restored, under every system that a live queue can have, for pairs and for teams.
    #[test]
    fn ratings_of_every_system_are_restored_to_the_bit() {
        let mut tried = 0;
        for system in SystemName::ALL {
            for are_duels in [true, false] {
                let Ok(mut ratings) = Ratings::new(RatingParams::of(*system), are_duels, 3) else {
                    continue;
                };
                for game in 0..8 {
                    let side = |place, player| (place, vec![Players::from_slice(&[player])]);
                    let sides = [
                        side(1 + u32::from(game % 2 == 0), game % 3),
                        side(1, 3 + game % 4),
                    ];
                    ratings.add(1_000_000, &sides).unwrap();
                }
                ratings.forget(0);
                let mut bytes = Vec::new();
                cbor2::to_writer(&ratings.saved().unwrap(), &mut bytes).unwrap();
                let restored = Ratings::restore(&mut cbor2::de::Deserializer::from_slice(&bytes)).unwrap();
                for player in 0..8 {
                    assert_eq!(restored.of(Some(player)), ratings.of(Some(player)), "{system}");
                }
                assert_eq!(restored.params(), ratings.params());
                let again = cbor2::to_vec(&restored.saved().unwrap()).unwrap();
                assert_eq!(again, bytes, "{system}");
                tried += 1;
            }
        }
        assert!(tried >= 8, "{tried}");
    }
}
