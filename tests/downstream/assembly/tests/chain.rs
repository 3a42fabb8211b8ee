//! The parts through the whole chain, from games to a live queue and to simulated worlds; and each under its laws.

use std::{error::Error, fmt, sync::Arc};

use downstream_assembly::{Even, Grab, InTurn, Next, Points, Queue, Sore};
use matchwright_churn::{Outcome, laws as churn_laws};
use matchwright_lobby::{Annealing, Group, LobbyPool, LobbySolver, TeamSplitter, laws as lobby_laws};
use matchwright_queue::{Event, MatchPolicy, ObjectiveParams, QueueSettings, Schedule, State, Ticket, Time, step};
use matchwright_rating::history::{History, HistoryBuilder, NamedGame};
use matchwright_rating::{Adjustments, DrawKind, HomeAdvantage, PeriodChoice, Score, laws as rating_laws};
use matchwright_scoring::{Player, Pool, SkillGapParams, TeamMatch, laws as scoring_laws};
use matchwright_sim::policy::{Batch, ContinuousLobbies, DocumentError, LoadedPolicy};
use matchwright_sim::{adapt::{LobbyScoring, Scored}, progress::Quiet};
use matchwright_sim::rate::{PairRater, RateError, Rater, evaluate, rate, tune};
use matchwright_sim::replay::{Judge, LineupSearch, LogEnd, LoggedTicket, ReplaySettings, TicketLog, best_lineups, replay};
use matchwright_sim::simulate::{FullRecord, ScenarioParams, Worlds, compare, simulate};
use matchwright_solver::{PairingSolver, laws as solver_laws};

type Tried<T = ()> = Result<T, Box<dyn Error>>;

/// 2,000 games of 40 players, of whom those of higher numbers win more often.
fn history() -> Tried<History> {
    let mut builder = HistoryBuilder::default();
    let mut state = 1_u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % n) as usize
    };
    for game in 0..2000 {
        let (a, other) = (below(40), below(39));
        let b = (a + 1 + other) % 40;
        let score = if a + below(40) > b + below(40) { Score::WIN } else { Score::LOSS };
        builder.push(&NamedGame::duel(game * 600, [&format!("p{a}"), &format!("p{b}")], score, 0.0))?;
    }
    Ok(builder.finish())
}

fn rater(points: Points) -> Result<Box<dyn Rater>, RateError> {
    Ok(Box::new(PairRater::new(points, PeriodChoice::Game)?))
}

#[test]
fn games_to_ratings_to_their_evaluation_and_tuning() -> Tried {
    let history = history()?;
    let loss = |points| -> Tried<f64> {
        let rated = rate(&mut *rater(points)?, &history, &[])?;
        Ok(evaluate(&rated.predictions, 0.8, DrawKind::default())?.0.two_way.evaluation.log_loss)
    };
    let start = Points(1.0);
    let tuned = tune(&start, &history, 0.8, |points| rater(*points), &Quiet)?;
    assert!(tuned.params.0 > 2.0 && loss(tuned.params)? < loss(start)?, "{tuned:?}");
    let home = Adjustments { home: HomeAdvantage::new(20.0)?, ..Adjustments::NONE };
    let mut raised = PairRater::new(tuned.params, PeriodChoice::Game)?.adjusted(home);
    assert!(rate(&mut raised, &history, &[])?.predictions[0].expected > 0.5);
    Ok(())
}

fn pool() -> Tried<Pool> {
    let form = |k: u32| [("form".to_owned(), f64::from(k * 37 % 101))].into();
    let player = |k| Player { numbers: form(k), ..Player::new(format!("p{k}")) };
    Ok(Pool::new((0..12).map(player).collect())?)
}

#[test]
fn a_pool_to_pairs_and_teams_and_lobbies() -> Tried {
    let pool = pool()?;
    let teams = LobbyScoring { pool: &pool, policy: &Even };
    assert_eq!(InTurn.split(&Group::equal((0..10).collect::<Vec<_>>(), 2)?, &teams)?.team_a(), [0, 1, 2, 3, 4]);
    let lobbies = LobbyPool::new(12, [3, 3])?;
    let (first, searched) = (Queue.solve(&lobbies, &teams)?, Annealing::new(1).with_moves(500).solve(&lobbies, &teams)?);
    assert!(first.lobbies.len() == 2 && searched.value > first.value);
    let gap = SkillGapParams { scale: 100.0, cap: None }.build()?;
    let costs = Scored::new(12, gap, |i, j| (pool[i].numbers["form"], pool[j].numbers["form"]));
    assert_eq!(Grab.solve(&costs)?.pairs().count(), 6);
    Ok(())
}

fn loaded(teams: &[usize], policy: impl MatchPolicy + Send + 'static) -> Result<LoadedPolicy, DocumentError> {
    let queues = [(String::new(), teams.to_vec())].into();
    LoadedPolicy::of("ours", QueueSettings { queues, ..QueueSettings::default() }, policy)
}

fn rounds(every: i64) -> Batch {
    Batch::scored_by("", Schedule { every: Some(every), at: None, longest_wait: None }, Even)
}

fn judge() -> Tried<Judge> {
    let objective = ObjectiveParams { lost: Some(300.0), ..ObjectiveParams::default() };
    Ok(Judge::scored_by(objective.build()?, Even))
}

fn ticket(k: u64) -> Ticket {
    Ticket::of_one(k, k).with("form", (k * 37 % 101) as f64)
}

#[test]
fn tickets_to_a_live_queue() -> Tried {
    let mut loaded = loaded(&[2, 2], ContinuousLobbies::scored_by("", Even).finding_by(Next))?;
    let mut state = State::new(loaded.label, loaded.settings);
    let made = (1..=9).map(|k| {
        let event = Event::create(k, ticket(k));
        let outcome = step(&mut state, &mut *loaded.policy, Time::from_millis(1000 * k as i64), &[event]);
        outcome.map(|outcome| outcome.matches().count())
    });
    assert_eq!(made.sum::<Result<usize, _>>()?, 2);
    Ok(())
}

#[test]
fn tickets_to_a_replay_and_its_regret() -> Tried {
    let came = |k: u64| Time::from_millis(1000 * k as i64);
    let logged = |k| LoggedTicket { ticket: ticket(k), came: came(k), left: None, matched: None };
    let log = TicketLog::new((1..=200).map(logged).collect())?;
    let judge = judge()?;
    let mut policies = [
        loaded(&[3, 3], ContinuousLobbies::scored_by("", Even).split_by(InTurn))?,
        loaded(&[3, 3], rounds(30_000).forming_by(Queue))?,
        loaded(&[1, 1], rounds(30_000).pairing_by(Grab))?,
    ];
    let mut replayed = policies.iter_mut().map(|one| replay(&log, one, &judge, ReplaySettings::default(), &mut |_| {}));
    let played = replayed.next().ok_or("a policy")??;
    assert_eq!(played.matches.len(), 33);
    assert_eq!([replayed.next().ok_or("another")??.matches.len(), replayed.next().ok_or("a third")??.matches.len()], [33, 100]);
    let start = played.matches.iter().map(|made| made.teams.clone()).collect();
    let (end, search) = (LogEnd::at(came(230)), LineupSearch { passes: 2, ..LineupSearch::default() });
    let best = best_lineups(&log, (&policies[0].settings, &judge), end, &[start], &search)?;
    assert!(best.cost_per_player > 0.0 && best.cost_per_player < best.starts[0], "{best:?}");
    Ok(())
}

#[test]
fn simulated_worlds_of_ones_own_parts() -> Tried {
    let mut params = ScenarioParams { hours: 0.2, ..ScenarioParams::default() };
    params.people.players = Some(60);
    let scenario = params.build()?.with_leaving(Arc::new(Sore)).with_churn_estimate(Arc::new(Sore));
    let scenario = scenario.rated_by(|| rater(Points(20.0)).expect("of games"));
    let policies = [30_000, 90_000].map(|every| move || loaded(&[1, 1], rounds(every).pairing_by(Grab)));
    let ended = simulate(&scenario, &mut policies[0]()?, 7, &mut FullRecord::default(), &mut |_| {})?.players;
    assert!(ended.iter().any(|player| player.games > 0));
    let worlds = Worlds { scenario: &scenario, policies: &policies, judge: &judge()?, seed: 1, hindsight: true };
    let found = worlds.run(0..2, 1, &Quiet)?;
    let has_regret = found.iter().flat_map(|world| &world.policies).all(|one| one.regret.is_some());
    assert!(has_regret && !compare(&found).is_empty());
    Ok(())
}

#[test]
fn every_part_keeps_the_laws_of_its_trait() -> Tried {
    let points = Points(10.0);
    rating_laws::check_all(&points, |draw| draw.uniform(-500.0, 500.0), 1, 300)?;
    rating_laws::check_tunable(&points, |_| Ok::<(), fmt::Error>(()))?;
    churn_laws::check_all(&Sore, &[&[], &[Outcome::Loss], &[Outcome::Loss, Outcome::Win]])?;
    let (pool, teams): (_, [[&[usize]; 2]; 3]) = (pool()?, [[&[0, 1], &[2, 3]], [&[0, 5], &[1, 4]], [&[0], &[5]]]);
    scoring_laws::check_scorer(&Even, teams.iter().map(|teams| TeamMatch::new(&pool, teams).expect("a match")))?;
    solver_laws::check_all(&Grab, solver_laws::Claims::heuristic(), 1)?;
    (0..3).try_for_each(|seed| lobby_laws::check_splitter(&InTurn, seed))?;
    (0..3).try_for_each(|seed| lobby_laws::check_finder(&Next, seed))?;
    Ok((0..3).try_for_each(|seed| lobby_laws::check_lobbies(&Queue, seed))?)
}
