//! What makes a document of a world wrong, by its key.

use std::collections::BTreeMap;

use matchwright_rating::{DrawKind, MatchKind, RatingParams, SystemName};
use thiserror::Error;

use super::scenario::{AcceptanceParams, NumberParams, PeopleParams, RegionParams, Scenario, ScenarioParams};
use crate::rate::{RateError, RatingStream};

/// More players take more memory than most machines have.
const MOST_PLAYERS: u32 = 100_000_000;
const MOST_REGIONS: usize = 1000;
const MOST_BURSTS: usize = 1000;
/// More than any machine goes through in a day.
const MOST_PARTIES: f64 = 1e10;

/// Why a document makes no world.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// A number out of range.
    #[error("`{key}` is {value}: give {wanted}")]
    Key {
        /// Where it stands.
        key: String,
        /// What it is.
        value: String,
        /// What it may be.
        wanted: &'static str,
    },
    /// A rating system's settings, or one that needs all matches at once.
    #[error("`rating.system`: {0}")]
    Rating(#[from] RateError),
    /// A policy that needs what no ticket has, or has no place for the parties.
    #[error("`{key}`: the policy `{policy}` {what}")]
    Policy {
        /// Where the world says it.
        key: &'static str,
        /// The policy.
        policy: String,
        /// What is missing.
        what: String,
    },
    /// An objective that judges by what no ticket has.
    #[error("`{key}`: the objective {what}")]
    Objective {
        /// Where the world would say it.
        key: &'static str,
        /// What is missing.
        what: String,
    },
}

impl ScenarioParams {
    /// Checks everything.
    ///
    /// # Errors
    /// [`ScenarioError`] names the key.
    pub fn build(mut self) -> Result<Scenario, ScenarioError> {
        require(self.worlds >= 1, "worlds", self.worlds, "1 or more")?;
        positive("hours", self.hours)?;
        require(self.hours <= 1e6, "hours", self.hours, "at most a million")?;
        let warm_up = self.warm_up_hours;
        let is_part = warm_up >= 0.0 && warm_up < self.hours;
        require(is_part, "warm_up_hours", warm_up, "0 or more, less than `hours`")?;
        positive("arrivals.per_second", self.arrivals.per_second)?;
        if self.arrivals.by_hour.is_empty() {
            self.arrivals.by_hour = vec![1.0; 24];
        }
        positive("arrivals.factor", self.arrivals.factor)?;
        let bursts = self.arrivals.bursts.len();
        require(
            bursts <= MOST_BURSTS,
            "arrivals.bursts",
            bursts,
            "a thousand at most",
        )?;
        for burst in &self.arrivals.bursts {
            not_negative("arrivals.bursts.at_hours", burst.at_hours)?;
            positive("arrivals.bursts.hours", burst.hours)?;
            not_negative("arrivals.bursts.factor", burst.factor)?;
        }
        let hours = &self.arrivals.by_hour;
        require(hours.len() == 24, "arrivals.by_hour", hours.len(), "24 numbers")?;
        weights("arrivals.by_hour", hours)?;
        require(
            self.most_parties() <= MOST_PARTIES,
            "arrivals.per_second",
            self.arrivals.per_second,
            "a rate of ten thousand million parties at most in all `hours`, were all as busy as the busiest, bursts included",
        )?;
        self.check_people()?;
        if let Some(patience) = &self.patience {
            patience.check()?;
        }
        let AcceptanceParams {
            chance,
            declines,
            mean_seconds,
        } = self.acceptance;
        share("acceptance.chance", chance)?;
        share("acceptance.declines", declines)?;
        not_negative("acceptance.mean_seconds", mean_seconds)?;
        let play = self.play;
        positive("play.median_minutes", play.median_minutes)?;
        not_negative("play.sigma", play.sigma)?;
        positive("play.points_for_ten_to_one", play.points_for_ten_to_one)?;
        let is_rate = play.draw_rate >= 0.0 && play.draw_rate < 1.0;
        require(is_rate, "play.draw_rate", play.draw_rate, "0 or more, below 1")?;
        if let Some(gold) = play.gold {
            positive("play.gold.deviation", gold.deviation)?;
        }
        for chance in self.again.next_match {
            share("again.next_match", chance)?;
        }
        for chance in self.again.gone {
            share("again.gone", chance)?;
        }
        not_negative("again.pause_seconds", self.again.pause_seconds)?;
        if let Some(leaving) = &self.again.leaving {
            leaving.check()?;
            let gone = self.again.gone;
            let is_alone = gone == [0.0; 3];
            require(
                is_alone,
                "again.gone",
                format!("{gone:?}"),
                "0, or no `again.leaving`: one of them says who leaves",
            )?;
        }
        if let Some(churn) = &self.churn {
            churn.check()?;
        }
        for claim in &self.claims {
            claim.check()?;
        }
        self.check_accounts()?;
        not_negative("rating.error_deviation", self.rating.error_deviation)?;
        positive(
            "rating.points_for_ten_to_one",
            self.rating.points_for_ten_to_one.unwrap_or(1.0),
        )?;
        if let Some(system) = &self.rating.system {
            RatingStream::new(system)?;
            require(
                system.draw_kind() != DrawKind::Never || play.draw_rate == 0.0,
                "play.draw_rate",
                play.draw_rate,
                "0, since `rating.system` has a draw probability of 0, or a draw probability above 0 there",
            )?;
        }
        Ok(Scenario {
            params: self,
            log: None,
            leaving: None,
            churn_estimate: None,
            rated: None,
            most_wakeups: None,
        })
    }

    /// Accounts are of Dota's system, and a word of each party says which rating counts.
    fn check_accounts(&self) -> Result<(), ScenarioError> {
        let Some(word) = &self.rating.accounts else {
            return Ok(());
        };
        let is_dota = |params: &RatingParams| params.system.name() == SystemName::Dota;
        require(
            self.rating.system.as_ref().is_some_and(is_dota),
            "rating.accounts",
            word,
            "nothing, or `rating.system` = \"dota\": the four ratings of an account are Dota 2's",
        )?;
        let words = self.people.words.get(word);
        let are_kinds =
            |words: &BTreeMap<String, f64>| words.keys().all(|name| name.parse::<MatchKind>().is_ok());
        let of_groups = self
            .people
            .groups
            .iter()
            .filter_map(|group| group.words.get(word));
        let mut of_groups = of_groups.map(|name| name.parse::<MatchKind>());
        require(
            of_groups.all(|kind| kind.is_ok())
                && (self.arrivals.log.is_some() || words.is_some_and(are_kinds)),
            "rating.accounts",
            word,
            "a key of `people.words` with the words `normal` and `ranked`",
        )
    }

    fn check_people(&mut self) -> Result<(), ScenarioError> {
        let people = &self.people;
        if let Some(players) = people.players {
            let is_some = (2..=MOST_PLAYERS).contains(&players);
            require(is_some, "people.players", players, "two to a hundred million")?;
        }
        weights("people.parties", &people.parties)?;
        share("people.apart", people.apart)?;
        let is_some = people.skill_mean.abs() <= 1e6;
        require(
            is_some,
            "people.skill_mean",
            people.skill_mean,
            "a number up to a million",
        )?;
        not_negative("people.skill_deviation", people.skill_deviation)?;
        not_negative("people.drift_per_day", people.drift_per_day)?;
        check_groups(people)?;
        for (name, number) in &people.numbers {
            let key = |of: &str| format!("people.numbers.{name}.{of}");
            let NumberParams {
                mean,
                deviation,
                with_skill,
                least,
                of_party: _,
            } = *number;
            require(mean.abs() <= 1e12, &key("mean"), mean, "a number")?;
            not_negative(&key("deviation"), deviation)?;
            let is_share = with_skill.abs() <= 1.0;
            require(is_share, &key("with_skill"), with_skill, "a number from -1 to 1")?;
            let least = least.unwrap_or(0.0);
            require(least.abs() <= 1e12, &key("least"), least, "a number")?;
        }
        for (name, shares) in &people.words {
            weights(
                &format!("people.words.{name}"),
                &shares.values().copied().collect::<Vec<f64>>(),
            )?;
        }
        let is_alone = people.players.is_none() || self.arrivals.log.is_none();
        require(
            is_alone,
            "people.players",
            people.players.unwrap_or(0),
            "nothing: `arrivals.log` says who comes",
        )?;
        if self.regions.is_empty() {
            self.regions.push(RegionParams {
                name: String::new(),
                share: 1.0,
                offset_hours: 0.0,
                pings: BTreeMap::new(),
            });
        }
        let count = self.regions.len();
        require(count <= MOST_REGIONS, "regions", count, "a thousand at most")?;
        let shares: Vec<f64> = self.regions.iter().map(|region| region.share).collect();
        weights("regions.share", &shares)?;
        let others = shares.iter().filter(|share| **share > 0.0).count();
        let are_there = self.people.apart == 0.0 || others > 1;
        require(
            are_there,
            "people.apart",
            self.people.apart,
            "0, or several regions",
        )?;
        for (place, region) in self.regions.iter().enumerate() {
            let is_new = self.regions[..place]
                .iter()
                .all(|other| other.name != region.name);
            require(
                is_new,
                "regions.name",
                &region.name,
                "each region a name of its own",
            )?;
            let offset = region.offset_hours;
            require(offset.abs() <= 24.0, "regions.offset_hours", offset, "-24 to 24")?;
            for (name, &ping) in &region.pings {
                let key = format!("regions.pings.{name}");
                let is_known = self.regions.iter().any(|other| other.name == *name);
                require(
                    is_known,
                    &key,
                    ping,
                    "pings of the regions by their names: there is no such region",
                )?;
                not_negative(&key, ping)?;
            }
        }
        Ok(())
    }
}

/// Groups of parties, and rosters.
fn check_groups(people: &PeopleParams) -> Result<(), ScenarioError> {
    share("people.alike", people.alike)?;
    for group in &people.groups {
        share("people.groups.share", group.share)?;
        let is_some = group.lead.abs() <= 1e6;
        require(
            is_some,
            "people.groups.lead",
            group.lead,
            "a number up to a million",
        )?;
        not_negative("people.groups.spread", group.spread)?;
    }
    let grouped: f64 = people.groups.iter().map(|group| group.share).sum();
    require(
        grouped <= 1.0 + 1e-9,
        "people.groups.share",
        grouped,
        "shares that sum to 1 at most",
    )?;
    let is_alone = !people.roster || people.queues.is_empty();
    require(
        is_alone,
        "people.roster",
        true,
        "nothing: `people.queues` says where parties wait",
    )
}

pub(super) fn require(
    is_so: bool,
    key: &str,
    value: impl std::fmt::Display,
    wanted: &'static str,
) -> Result<(), ScenarioError> {
    if is_so {
        return Ok(());
    }
    Err(ScenarioError::Key {
        key: key.to_owned(),
        value: value.to_string(),
        wanted,
    })
}

pub(super) fn positive(key: &str, value: f64) -> Result<(), ScenarioError> {
    require(
        value > 0.0 && value <= 1e12,
        key,
        value,
        "a number above 0, up to 1e12",
    )
}

pub(super) fn not_negative(key: &str, value: f64) -> Result<(), ScenarioError> {
    require(
        (0.0..=1e12).contains(&value),
        key,
        value,
        "a number from 0 to 1e12",
    )
}

pub(super) fn share(key: &str, value: f64) -> Result<(), ScenarioError> {
    require((0.0..=1.0).contains(&value), key, value, "a number from 0 to 1")
}

/// Numbers of 0 or more, not all 0, with a finite sum.
fn weights(key: &str, values: &[f64]) -> Result<(), ScenarioError> {
    for &value in values {
        not_negative(key, value)?;
    }
    let sum: f64 = values.iter().sum();
    let is_some = sum > 0.0 && sum.is_finite();
    require(
        is_some,
        key,
        format!("{values:?}"),
        "numbers of 0 or more, not all 0, with a finite sum",
    )
}
