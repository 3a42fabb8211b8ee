//! Matches as they are played: who wins, and what ratings and parties make of it.

use std::sync::Arc;

use matchwright_churn::Outcome;
use matchwright_queue::{Match, Time};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Exp1};

use super::{Engine, Happening, Playing, SimulationError, millis};
use crate::random::{Purpose, standard_normal, stream};
use crate::simulate::people::{Doing, index};
use crate::simulate::record::{Fate, PlayedMatch};

impl Engine<'_> {
    /// A match begins; its result is drawn now and told to ratings and parties at its end.
    pub(super) fn begin(&mut self, made: &Arc<Match>, now: Time) {
        let (mut teams, mut all_tickets) = (Vec::new(), Vec::new());
        let (mut parties, mut ratings) = (Vec::new(), Vec::new());
        for (team, ids) in made.lobby.teams.iter().enumerate() {
            let (mut players, mut tickets, mut sum) = (Vec::new(), Vec::new(), 0.0);
            for &ticket in ids {
                let Some(waited) = self.end_ticket(ticket, Fate::Matched, now) else {
                    continue;
                };
                let members = self.people.parties[waited.party as usize].members.clone();
                sum += waited.rating * members.len() as f64;
                players.extend(members);
                parties.push((waited.party, team));
                tickets.push(waited.ticket);
            }
            all_tickets.push(tickets);
            ratings.push(sum / players.len().max(1) as f64);
            teams.push(players);
        }
        let skill = |players: &Vec<u32>| {
            let sum: f64 = players
                .iter()
                .map(|&player| self.people.skills[player as usize])
                .sum();
            sum / players.len().max(1) as f64
        };
        let skills: Vec<f64> = teams.iter().map(skill).collect();
        let first = teams.iter().flatten().copied().min().unwrap_or(0);
        let games = self.people.games[first as usize];
        let mut rng = stream(self.seed, Purpose::SimulatedMatches, first.into(), games.into());
        let (true_chance, places) = self.result(&skills, &mut rng);
        let play = &self.scenario.params().play;
        let minutes = play.median_minutes * (play.sigma * standard_normal(&mut rng)).exp();
        for &player in teams.iter().flatten() {
            self.people.games[player as usize] += 1;
        }
        self.agenda.add(
            // Time goes on, or one millisecond would have no end.
            now.plus(millis(60.0 * minutes).max(1)),
            Happening::End { made: made.id.0 },
        );
        let lead = ratings.get(1).map_or(0.0, |other| other - ratings[0]);
        let predicted = 1.0 / (1.0 + 10.0_f64.powf(lead / self.scenario.rating_points()));
        let playing = Playing {
            teams: places.iter().copied().zip(teams.iter().cloned()).collect(),
            parties,
        };
        let balance = play.gold.filter(|_| teams.len() == 2).and_then(|gold| {
            let mut rng = stream(self.seed, Purpose::SimulatedGold, first.into(), games.into());
            match places[..] {
                [1, 1] => Some(0.0),
                [1, _] => gold.balance(true_chance, minutes, &mut rng),
                _ => gold.balance(1.0 - true_chance, minutes, &mut rng),
            }
        });
        self.playing.insert(made.id.0, playing);
        self.record.played(&PlayedMatch {
            at: now,
            made: Arc::clone(made),
            tickets: all_tickets,
            teams,
            ratings,
            skills,
            true_chance,
            predicted,
            places,
            balance,
        });
    }

    /// The first team's chance against the second, and the places of all: odds of ten to one for each
    /// `points_for_ten_to_one`; of more than two teams, one place after another by the same odds (Plackett and Luce).
    fn result(&self, skills: &[f64], rng: &mut ChaCha8Rng) -> (f64, Vec<u32>) {
        let play = &self.scenario.params().play;
        let strength = |skill: f64| 10.0_f64.powf((skill - skills[0]) / play.points_for_ten_to_one);
        let strengths: Vec<f64> = skills.iter().map(|&skill| strength(skill)).collect();
        let chance = strengths.get(1).map_or(1.0, |other| 1.0 / (1.0 + other));
        if rng.random::<f64>() < play.draw_rate {
            return (chance, vec![1; skills.len()]);
        }
        let mut places = vec![0; skills.len()];
        for place in 1..=index(skills.len()) {
            let open = || (0..skills.len()).filter(|&team| places[team] == 0);
            let total: f64 = open().map(|team| strengths[team]).sum();
            let mut point = total * rng.random::<f64>();
            let found = open().find(|&team| {
                point -= strengths[team];
                point < 0.0
            });
            if let Some(team) = found.or_else(|| open().next_back()) {
                places[team] = place;
            }
        }
        (chance, places)
    }

    /// Ratings learn, and each party decides what to do.
    pub(super) fn end_match(&mut self, made: u64, now: Time) -> Result<(), SimulationError> {
        let Some(playing) = self.playing.remove(&made) else {
            return Ok(());
        };
        self.ratings.learn(now, &playing.teams)?;
        let best = playing.teams.iter().filter(|team| team.0 == 1).count();
        self.learn_outcomes(&playing, best, now);
        let again = &self.scenario.params().again;
        for (number, team) in playing.parties {
            let outcome = match (playing.teams[team].0, best) {
                (1, 1) => 0,
                (1, _) => 1,
                _ => 2,
            };
            let party = &mut self.people.parties[number as usize];
            party.doing = Doing::Away;
            if self.scenario.params().people.players.is_none() {
                continue;
            }
            let mut rng = stream(
                self.seed,
                Purpose::SimulatedPauses,
                number.into(),
                party.waits.into(),
            );
            let stays = match self.scenario.leaving() {
                None => true,
                Some((params, model)) => {
                    let chance = |player| params.chance(model, self.seed, player, self.leavers.last(player));
                    let sum: f64 = party.members.clone().map(chance).sum();
                    rng.random::<f64>() >= sum / party.members.len().max(1) as f64
                }
            };
            if stays && rng.random::<f64>() < again.next_match[outcome] {
                party.doing = Doing::Busy;
                let drawn: f64 = Exp1.sample(&mut rng);
                let at = now.plus(millis(drawn * again.pause_seconds));
                self.agenda.add(at, Happening::Return { party: number });
            } else if !stays || rng.random::<f64>() < again.gone[outcome] {
                party.doing = Doing::Gone;
                let players: Vec<u32> = party.members.clone().collect();
                self.record.gone(&players, now);
            }
        }
        Ok(())
    }

    /// Outcomes are kept where they say who leaves, or the service learns whether they do.
    fn learn_outcomes(&mut self, playing: &Playing, best: usize, now: Time) {
        let params = self.scenario.params();
        if params.churn.is_none() && params.again.leaving.is_none() {
            return;
        }
        for (place, players) in &playing.teams {
            let outcome = match (place, best) {
                (1, 1) => Outcome::Win,
                (1, _) => Outcome::Draw,
                _ => Outcome::Loss,
            };
            for &player in players {
                if let Some(horizon) = self.leavers.played(player, outcome, now) {
                    let at = now.plus(millis(horizon));
                    self.agenda.add(at, Happening::Expired { player, ended: now });
                }
            }
        }
    }
}
