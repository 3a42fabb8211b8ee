//! Rating periods whose games count at once, as Glickman's papers have them.

use std::ops::Range;

use matchwright_churn::Outcome;
use matchwright_rating::history::{Duels, Game, PlayerIndex, Side};
use matchwright_rating::{
    Adjust, GameResult, RatingEstimate, RatingPeriod, RatingSystem, TeamRatingSystem, TimeError,
};

use super::pass::DuelWalk;
use super::period::number;
use super::prediction::{SidePair, Standing};
use super::team_pass::{Played, Walk};
use super::told::Told;
use crate::adapt::outcome_of;
use crate::threads;

/// The games of the latest period; their results count at its end.
pub(super) struct Batch<R> {
    /// Which period it is, counted from 1970.
    number: i64,
    results: Vec<(Seen, GameResult<R>)>,
}

/// A player's game.
#[derive(Clone, Copy)]
struct Seen {
    player: PlayerIndex,
    time: i64,
    outcome: Outcome,
}

impl<R> Default for Batch<R> {
    fn default() -> Self {
        Self {
            number: i64::MIN,
            results: Vec::new(),
        }
    }
}

impl<S, A> DuelWalk<'_, S, A>
where
    S: RatingSystem + Sync,
    S::Rating: RatingEstimate + Send + Sync,
    A: Adjust<S::Rating> + Sync,
{
    /// As [`over`](Self::over), with all games of a period known at its end alone: each is predicted from the ratings
    /// that its players have at the period's beginning, and each player learns from all of them in one update. The
    /// latest period stays open, until a later game or [`close`](Self::close).
    pub(super) fn over_in_batches(
        &self,
        period: RatingPeriod,
        (duels, games): (Duels<'_>, Range<usize>),
        standings: &mut [Standing<S::Rating>],
        batch: &mut Batch<S::Rating>,
        told: &mut Told<'_>,
    ) {
        for game in games {
            let duel = duels.at(game);
            let now = number(period, duel.time);
            if now != batch.number {
                self.close(period, standings, batch, told);
                batch.number = now;
            }
            let sides = duel.sides();
            let before = sides.map(|(player, ..)| {
                let standing = &standings[player as usize];
                let elapsed = idle(period, standing, now);
                let rating = self.adjust.back(&standing.rating, elapsed);
                self.system.update(&rating, elapsed, &[])
            });
            let opponents = self.adjust.opponents(&before);
            told.predicted(SidePair::of_duel(game), self.predict(&duel, &before, &opponents));
            for ((player, score, _), opponent) in sides.into_iter().zip(opponents) {
                let seen = Seen {
                    player,
                    time: duel.time,
                    outcome: outcome_of(score),
                };
                batch.results.push((seen, GameResult::new(opponent, score)));
            }
        }
    }

    /// Ends the latest period. Players are updated on several threads, to the same bits.
    pub(super) fn close(
        &self,
        period: RatingPeriod,
        standings: &mut [Standing<S::Rating>],
        batch: &mut Batch<S::Rating>,
        told: &mut Told<'_>,
    ) {
        batch.results.sort_by_key(|(seen, _)| seen.player);
        let (seen, games): (Vec<Seen>, Vec<GameResult<S::Rating>>) = batch.results.drain(..).unzip();
        let mut start = 0;
        let each = seen.chunk_by(|a, b| a.player == b.player).map(|own| {
            start += own.len();
            start - own.len()..start
        });
        let each: Vec<Range<usize>> = each.collect();
        let learnt = |own: &Range<usize>| {
            let standing = &standings[seen[own.start].player as usize];
            let elapsed = idle(period, standing, batch.number);
            let rating = self.adjust.back(&standing.rating, elapsed);
            self.system.update(&rating, elapsed, &games[own.clone()])
        };
        let ratings: Vec<S::Rating> = threads::each(&each, 64, learnt);
        for (own, rating) in each.into_iter().zip(ratings) {
            let standing = &mut standings[seen[own.start].player as usize];
            standing.rating = rating;
            for game in &seen[own] {
                standing.played(game.time, game.outcome);
            }
        }
        for own in seen.chunk_by(|a, b| a.player == b.player) {
            let Seen { player, .. } = own[0];
            let standing = &standings[player as usize];
            told.after(player, standing.last_time.unwrap_or(0), &standing.rating);
        }
    }
}

/// A period of which only the ratings at its beginning are shown, while its games are learnt from one by one.
pub(super) struct OpenPeriod<R> {
    period: RatingPeriod,
    /// Which period it is, counted from 1970.
    number: i64,
    pub(super) shown: Vec<Standing<R>>,
    /// Who played in it.
    played: Vec<PlayerIndex>,
    /// What its games taught, where the system learns from all of them at once.
    lessons: Vec<Lesson<R>>,
}

/// What a game taught a player.
struct Lesson<R> {
    seen: Seen,
    before: R,
    after: R,
}

impl<R: Clone> Played<R> {
    /// What the game taught each of its players.
    fn lessons(&self, game: Game<'_>) -> Vec<Lesson<R>> {
        let mut lessons = Vec::new();
        for (place, (side, after)) in game.sides().zip(&self.after).enumerate() {
            let outcome = outcome_of(game.result_of(place));
            let members = self.before.sides()[place].members.iter().zip(after);
            for (&player, (member, after)) in side.players().iter().zip(members) {
                let (before, after) = (member.rating.clone(), after.clone());
                let seen = Seen {
                    player,
                    time: game.time(),
                    outcome,
                };
                lessons.push(Lesson { seen, before, after });
            }
        }
        lessons
    }
}

impl<R: RatingEstimate + Clone> OpenPeriod<R> {
    /// Before the first game.
    pub(super) const fn new(period: RatingPeriod) -> Self {
        Self {
            period,
            number: i64::MIN,
            shown: Vec::new(),
            played: Vec::new(),
            lessons: Vec::new(),
        }
    }

    /// Ends the period: what was learnt in it is shown.
    pub(super) fn close<S>(&mut self, system: &S, standings: &mut [Standing<R>], told: &mut Told<'_>)
    where
        S: TeamRatingSystem<Rating = R>,
    {
        self.lessons.sort_by_key(|lesson| lesson.seen.player);
        for own in self.lessons.chunk_by(|a, b| a.seen.player == b.seen.player) {
            let player = own[0].seen.player;
            let standing = &mut standings[player as usize];
            let after: Vec<R> = own.iter().map(|lesson| lesson.after.clone()).collect();
            if let Some(learnt) = system.at_once(&own[0].before, &after) {
                standing.rating = learnt;
            }
            for Lesson { seen, .. } in own {
                standing.played(seen.time, seen.outcome);
            }
            self.played.push(player);
        }
        self.lessons.clear();
        self.played.sort_unstable();
        self.played.dedup();
        for player in self.played.drain(..) {
            let standing = &standings[player as usize];
            told.after(player, standing.last_time.unwrap_or(0), &standing.rating);
            self.shown[player as usize] = standing.clone();
        }
    }
}

/// What is known of the players, and the period that is open, if what it teaches is shown at its end.
pub(super) type Known<'a, R> = (&'a mut [Standing<R>], Option<&'a mut OpenPeriod<R>>);

impl<S, A> Walk<'_, S, A>
where
    S: TeamRatingSystem + Sync,
    S::Rating: RatingEstimate + Send + Sync,
    A: Adjust<S::Rating> + Sync,
{
    /// [`over`](Self::over) without an open period, else [`over_in_periods`](Self::over_in_periods).
    ///
    /// # Errors
    /// As both.
    pub(super) fn over_any(
        &self,
        games: Range<usize>,
        (standings, open): Known<'_, S::Rating>,
        told: &mut Told<'_>,
    ) -> Result<(), TimeError> {
        match open {
            None => self.over(games, standings, told),
            Some(open) => self.over_in_periods(games, open, standings, told),
        }
    }

    /// As [`over`](Self::over), with each game predicted from the ratings that its players have at the beginning of its
    /// period. Systems that [can](TeamRatingSystem::at_once) learn from all games of a period at once, others from one after
    /// another, in their order.
    /// The latest period stays open, until a later game or [`close`](OpenPeriod::close).
    ///
    /// # Errors
    /// [`TimeError`] if time goes back, which a history excludes.
    pub(super) fn over_in_periods(
        &self,
        games: Range<usize>,
        open: &mut OpenPeriod<S::Rating>,
        standings: &mut [Standing<S::Rating>],
        told: &mut Told<'_>,
    ) -> Result<(), TimeError> {
        let number_of = |game: usize| number(open.period, self.history.game(game).time());
        let at_once = self.system.at_once(&self.system.initial(), &[]).is_some();
        let numbers: Vec<(usize, i64)> = games.map(|game| (game, number_of(game))).collect();
        for games in numbers.chunk_by(|one, next| one.1 == next.1) {
            let ((first, now), (last, _)) = (games[0], games[games.len() - 1]);
            if now != open.number {
                open.close(self.system, standings, told);
                open.number = now;
            }
            open.shown.extend_from_slice(&standings[open.shown.len()..]);
            let lessons = &mut open.lessons;
            self.play_all(
                first..last + 1,
                &mut open.shown,
                &|_, _, _| (),
                &mut |game, played| {
                    played.predicted(game, told);
                    if at_once {
                        lessons.extend(played.lessons(game));
                    }
                },
            )?;
            if at_once {
                continue;
            }
            self.play_all(first..last + 1, standings, &Played::learn, &mut |game, _| {
                open.played.extend(game.sides().flat_map(Side::players));
            })?;
        }
        Ok(())
    }
}

/// Periods from that of a player's last game to the one `now`; none before the first.
fn idle<R>(period: RatingPeriod, standing: &Standing<R>, now: i64) -> f64 {
    let last = standing.last_time.map_or(now, |time| number(period, time));
    now.saturating_sub(last) as f64
}

#[cfg(test)]
mod tests {
    use crate::rate::{Rater, RatingStream, TeamRater, Told, rate_games};
    use crate::threads::{ThreadsError, install};
    use matchwright_rating::history::{History, HistoryBuilder, NamedGame};
    use matchwright_rating::{
        AnyParams, GameResult, GlickoParams, Member, PeriodChoice, RatingEstimate, RatingParams,
        RatingSystem, Score, SystemName, TeamRatingSystem, TrueSkillParams,
    };

    const DAY: i64 = 86_400;

    fn history(games: &[(i64, &str, &str, Score)]) -> History {
        let mut builder = HistoryBuilder::default();
        for &(time, one, other, score) in games {
            builder
                .push(&NamedGame::duel(time, [one, other], score, 0.0))
                .unwrap();
        }
        builder.finish()
    }

    fn params(system: impl Into<AnyParams>) -> RatingParams {
        RatingParams {
            period: PeriodChoice::Batch(10.0),
            ..RatingParams::of(system)
        }
    }

    #[test]
    fn games_of_a_period_count_at_once_and_idle_periods_are_counted_whole() {
        let games = [
            (DAY, "ann", "bob", Score::WIN),
            (2 * DAY, "ann", "cyd", Score::LOSS),
            (9 * DAY, "bob", "cyd", Score::DRAW),
            // Two periods later.
            (29 * DAY, "ann", "bob", Score::WIN),
        ];
        let rated = rate_games(&params(SystemName::Glicko), &history(&games), 0.5, &[0]).unwrap();
        let glicko = GlickoParams {
            c: 5.0,
            ..GlickoParams::default()
        }
        .build()
        .unwrap();
        let new = glicko.initial();
        let met = |opponent, score| GameResult::new(opponent, score);
        // All three games of the first period are against players as they were before it.
        let ann = glicko.update(&new, 0.0, &[met(new, Score::WIN), met(new, Score::LOSS)]);
        let bob = glicko.update(&new, 0.0, &[met(new, Score::LOSS), met(new, Score::DRAW)]);
        assert!(rated.predictions[..3].iter().all(|one| one.expected == 0.5));
        let [ann_then, bob_then] = [ann, bob].map(|rating| glicko.update(&rating, 2.0, &[]));
        assert_eq!(
            rated.predictions[3].expected,
            glicko.win_probability(&ann_then, &bob_then)
        );
        let ann_last = glicko.update(&ann, 2.0, &[met(bob_then, Score::WIN)]);
        let of = |name| rated.players.iter().find(|player| player.player == name).unwrap();
        assert_eq!(
            (of("ann").rating, of("ann").deviation),
            (ann_last.rating(), Some(ann_last.deviation()))
        );
        assert_eq!((of("ann").wins, of("bob").draws, of("cyd").wins), (2, 1, 1));
        let course = &rated.courses[0];
        assert_eq!(
            course.iter().map(|point| point.time).collect::<Vec<_>>(),
            [2 * DAY, 29 * DAY]
        );
    }

    #[test]
    fn systems_of_teams_learn_a_period_at_once_and_show_it_at_its_end() {
        let games = [
            (DAY, "ann", "bob", Score::WIN),
            (9 * DAY, "ann", "bob", Score::WIN),
            // Two periods later.
            (29 * DAY, "ann", "bob", Score::WIN),
        ];
        let own = TrueSkillParams {
            tau_per_period: 0.5,
            ..TrueSkillParams::default()
        };
        let rated = rate_games(&params(own), &history(&games), 0.5, &[0]).unwrap();
        let system = own.build().unwrap();
        let new = system.initial();
        let (ann, bob) = system.update_duel((&new, 1), (&new, 2));
        let twice = |after| system.at_once(&new, &[after, after]).unwrap();
        let (ann, bob) = (twice(ann), twice(bob));
        let [ann_then, bob_then] = [ann, bob].map(|rating| system.after_inactivity(&rating, 2.0));
        let (ann_last, _) = system.update_duel((&ann_then, 1), (&bob_then, 2));
        let chances = system.decided_probabilities(&[Member::new(ann_then)], &[Member::new(bob_then)]);
        let expected: Vec<f64> = rated.predictions.iter().map(|one| one.expected).collect();
        assert_eq!(expected, [0.5, 0.5, chances.win]);
        let course: Vec<_> = (rated.courses[0].iter())
            .map(|point| (point.time, point.rating))
            .collect();
        assert_eq!(course, [(9 * DAY, ann.rating()), (29 * DAY, ann_last.rating())]);
        assert_eq!(
            (rated.players[0].rating, rated.players[0].wins),
            (ann_last.rating(), 3)
        );
        // What is still open is not shown.
        let mut rater = TeamRater::new(system, PeriodChoice::Batch(10.0)).unwrap();
        let mut told = |_, _| ();
        rater
            .over(&history(&games), 0..3, &mut Told::new(&mut told))
            .unwrap();
        assert_eq!(rater.standings()[0].rating, ann);
        assert_eq!(rater.estimate(0).rating(), ann.rating());
        rater.finish(&mut Told::new(&mut told));
        assert_eq!(rater.standings()[0].rating, ann_last);
    }

    #[test]
    fn the_order_of_games_of_a_period_does_not_show() {
        let names = ["ann", "bob", "cyd", "dot", "eve", "fay"];
        let mut games: Vec<_> = (0..60)
            .map(|k: usize| {
                let (one, other) = (names[k % 6], names[(k * k + 1 + k / 6) % 6]);
                let period = i64::try_from(k / 20).unwrap();
                (period, one, other, [Score::WIN, Score::LOSS, Score::DRAW][k % 3])
            })
            .filter(|(_, one, other, _)| one != other)
            .collect();
        for system in [SystemName::TrueSkill, SystemName::WengLin, SystemName::Dota] {
            let mut found = Vec::new();
            for _ in 0..3 {
                let mut timed: Vec<_> = (0..)
                    .zip(&games)
                    .map(|(k, game)| (10 * DAY * game.0 + k, game.1, game.2, game.3))
                    .collect();
                timed.sort_by_key(|game| game.0);
                let rated = rate_games(&params(system), &history(&timed), 0.5, &[]).unwrap();
                let mut players: Vec<_> = (rated.players.iter())
                    .map(|one| {
                        (
                            one.player.clone(),
                            one.rating.to_bits(),
                            one.deviation.map(f64::to_bits),
                        )
                    })
                    .collect();
                players.sort();
                found.push(players);
                games.reverse();
                games.rotate_left(7);
            }
            assert!(found.iter().all(|one| *one == found[0]), "{system:?}");
        }
    }

    #[test]
    fn threads_and_pieces_do_not_show() {
        let names: Vec<String> = (0..300).map(|player| player.to_string()).collect();
        let pick = |k: i64, by: i64| names[usize::try_from(k * by % 300).unwrap()].as_str();
        let games: Vec<_> = (0..4000)
            .map(|k| {
                (
                    k * 1000,
                    pick(k, 7),
                    pick(k, 11),
                    [Score::WIN, Score::LOSS][usize::try_from(k % 2).unwrap()],
                )
            })
            .filter(|(_, one, other, _)| one != other)
            .collect();
        let history = history(&games);
        for system in [SystemName::Glicko2, SystemName::TrueSkill] {
            let rate = |threads| {
                install(threads, || {
                    let rated = rate_games(&params(system), &history, 0.5, &[]);
                    Ok::<_, ThreadsError>(rated.unwrap())
                })
                .unwrap()
            };
            let (one, three) = (rate(1), rate(3));
            assert_eq!(
                (&one.players, &one.predictions),
                (&three.players, &three.predictions)
            );
            let mut stream = RatingStream::new(&params(system)).unwrap();
            let mut builder = HistoryBuilder::default();
            for (k, &(time, one, other, score)) in games.iter().enumerate() {
                builder
                    .push(&NamedGame::duel(time, [one, other], score, 0.0))
                    .unwrap();
                if k % 37 == 0 {
                    stream.play(builder.so_far()).unwrap();
                    builder.forget_games();
                }
            }
            stream.play(builder.so_far()).unwrap();
            assert_eq!(stream.finish(builder.so_far().players()).players, one.players);
        }
    }
}
