//! The best match that one given player is in: a short anneal, then a descent.

use matchwright_solver::{Limits, Meter, Progress, Status};

use crate::error::LobbyError;
use crate::lineup::{Lobby, put_in_order};
use crate::objective::LobbyObjective;
use crate::pool::LobbyPool;
use crate::progress::SEARCH;
use crate::random::SplitMix64;
use crate::search::{Exchange, Seats};
use crate::start::{as_u32, by_distance, first_match};

/// Exchanges that are proposed if no limit of work is given.
const EXCHANGES: u64 = 1000;

/// The share of the exchanges that are proposed while cooling; the others are for the descent.
const COOLING: f64 = 0.5;

/// Exchanges at the start that temperatures are measured from.
const SAMPLE: u64 = 32;

/// Temperatures begin and end at these multiples of the median difference in the sample.
const HOT: f64 = 2.0;
const COLD: f64 = 0.1;

/// Of 256 exchanges while cooling, as many are with the unmatched players; the others are between the teams.
const WITH_UNMATCHED: u64 = 216;

/// Exchanges between two looks at the watch.
const BLOCK: u64 = 64;

/// Gains up to this are rounding.
const ROUNDING: f64 = 1e-12;

/// The best match that a short search finds among those that `player` and its party are in; `None` if it finds none that
/// is allowed.
///
/// For pools of some ten to a hundred players around one who has just come: for whole pools take a
/// [`LobbySolver`](crate::LobbySolver). Others of the pool may stay unmatched, and unmatched penalties do not count.
///
/// The start is the player's party with those nearest to it in the pool's [`order`](LobbyPool::order) that fill all
/// teams. Then parties are exchanged with unmatched ones and between the teams: first by simulated annealing, from
/// twice the difference that an exchange typically makes at the start down to a tenth of it, then from the best match met,
/// by the best exchange of each party in turn until none gains. If exchanges are left, the same follows from another
/// start, of parties in random order.
///
/// One exchange is one unit of work, without a limit 1,000, of which half are for the anneal. All qualities come from
/// [`LobbyObjective::evaluator`] ([`LobbyObjective::quality_of`] of more than two teams), which is asked once for each exchange. The same input gives the same match, unless
/// a watch ends the search. It proves nothing; where few matches are allowed, it may miss
/// them, but for one that it starts from ([`best_from`]).
///
/// ```
/// use matchwright_lobby::{LobbyPool, best_with};
/// use matchwright_solver::Limits;
///
/// let skills = [10.0, 34.0, 12.0, 31.0, 33.0, 11.0, 32.0, 13.0];
/// let quality = |a: &[usize], b: &[usize]| {
///     let sum = |team: &[usize]| team.iter().map(|&player| skills[player]).sum::<f64>();
///     // The best match of player 3 is of players of its skill, in equal teams.
///     let gap = |&player: &usize| f64::abs(skills[player] - skills[3]);
///     let gaps = a.iter().chain(b).map(gap).sum::<f64>();
///     Some(1.0 - gaps / 100.0 - (sum(a) - sum(b)).abs() / 200.0)
/// };
/// let pool = LobbyPool::new(8, [2, 2])?;
/// let lobby = best_with(&pool, &quality, 3, &Limits::unlimited())?.unwrap();
/// assert_eq!(lobby.teams, [[1, 3], [4, 6]]);
/// # Ok::<(), matchwright_lobby::LobbyError>(())
/// ```
///
/// # Errors
/// [`LobbyError::NoSuchPlayer`], or [`LobbyError::Objective`] if the objective breaks its contract.
pub fn best_with(
    pool: &LobbyPool,
    objective: &dyn LobbyObjective,
    player: usize,
    limits: &Limits<'_>,
) -> Result<Option<Lobby>, LobbyError> {
    let players = pool.players();
    if player >= players {
        return Err(LobbyError::NoSuchPlayer { player, players });
    }
    let order = by_distance(pool, player);
    let Some(teams) = first_match(pool, &order) else {
        return Ok(None);
    };
    search(pool, objective, (player, order), &teams, limits)
}

/// [`best_with`] from a match with `player` that is known: at least as good a one, if that is allowed.
///
/// For objectives of which few matches are allowed, one of which is found otherwise.
///
/// ```
/// use matchwright_lobby::{LobbyPool, best_from};
/// use matchwright_solver::Limits;
///
/// // Each team needs one of the two healers, 7 and 9.
/// let quality = |a: &[usize], b: &[usize]| {
///     let heals = |team: &[usize]| team.contains(&7) || team.contains(&9);
///     (heals(a) && heals(b)).then(|| 1.0 / a.iter().chain(b).sum::<usize>() as f64)
/// };
/// let pool = LobbyPool::new(12, [2, 2])?;
/// let lobby = best_from(&pool, &quality, 3, &[vec![3, 7], vec![9, 11]], &Limits::unlimited())?.unwrap();
/// assert_eq!(lobby.quality, 1.0 / 19.0);
/// # Ok::<(), matchwright_lobby::LobbyError>(())
/// ```
///
/// # Errors
/// Those of [`best_with`], and [`LobbyError::Start`] if the teams are not of the pool's sizes and whole parties, one of
/// which is that of `player`.
pub fn best_from(
    pool: &LobbyPool,
    objective: &dyn LobbyObjective,
    player: usize,
    start: &[Vec<usize>],
    limits: &Limits<'_>,
) -> Result<Option<Lobby>, LobbyError> {
    let players = pool.players();
    if player >= players {
        return Err(LobbyError::NoSuchPlayer { player, players });
    }
    let bench = pool.sizes().len();
    let mut team_of = vec![bench; players];
    for (team, members) in start.iter().enumerate() {
        for &member in members {
            match team_of.get_mut(member) {
                Some(of) if *of == bench => *of = team,
                _ => return Err(LobbyError::Start { player }),
            }
        }
    }
    let is_whole = |party: &Vec<usize>| party.iter().all(|&mate| team_of[mate] == team_of[party[0]]);
    let fills = start.iter().map(Vec::len).eq(pool.sizes().iter().copied());
    if !fills || team_of[player] == bench || !pool.parties().iter().all(is_whole) {
        return Err(LobbyError::Start { player });
    }
    let of = |team| {
        let members = (0..players).filter(|&player| team_of[player] == team);
        as_u32(&members.collect::<Vec<usize>>()).collect()
    };
    let order = by_distance(pool, player);
    let teams: Vec<Vec<u32>> = (0..=bench).map(of).collect();
    search(pool, objective, (player, order), &teams, limits)
}

/// The search with a player, from a match and the unmatched; the parties in the order in which another start takes them.
fn search(
    pool: &LobbyPool,
    objective: &dyn LobbyObjective,
    (player, order): (usize, Vec<usize>),
    teams: &[Vec<u32>],
    limits: &Limits<'_>,
) -> Result<Option<Lobby>, LobbyError> {
    let work = limits.work().unwrap_or(EXCHANGES);
    let mut search = Search {
        pool,
        evaluator: evaluator(pool, objective),
        meter: Meter::new(limits.with_work(work)),
        bits: SplitMix64(0),
        party: pool.party_index(player),
        seats: Seats::new(pool, teams),
        value: f64::NEG_INFINITY,
        exchange: Exchange::default(),
        teams: vec![Vec::new(); pool.sizes().len()],
    };
    search.run(work, order);
    let value = search.evaluate();
    let mut teams = search.teams;
    put_in_order(&mut teams);
    let quality = objective.quality_near(&teams, value)?;
    Ok(quality.map(|quality| Lobby { teams, quality }))
}

/// What a match is worth; a forbidden one less than 0.
type Evaluator<'a> = Box<dyn FnMut(&[Vec<usize>]) -> f64 + 'a>;

fn evaluator<'a>(pool: &LobbyPool, objective: &'a dyn LobbyObjective) -> Evaluator<'a> {
    let Some(sizes) = pool.two_teams() else {
        return Box::new(|teams| {
            let quality = objective.quality_of(teams);
            quality
                .filter(|quality| (0.0..=1.0).contains(quality))
                .unwrap_or(-1.0)
        });
    };
    let names: Vec<usize> = (0..pool.players()).collect();
    let mut by_two = objective.evaluator(&names, sizes);
    Box::new(move |teams| by_two(&teams[0], &teams[1]))
}

/// One match and the unmatched players around it.
struct Search<'a> {
    pool: &'a LobbyPool,
    evaluator: Evaluator<'a>,
    meter: Meter<'a>,
    bits: SplitMix64,
    /// The party that stays in the match.
    party: usize,
    /// The match, and the others on the bench.
    seats: Seats,
    /// What the match is worth to the search.
    value: f64,
    /// The exchange tried last.
    exchange: Exchange,
    /// The teams as the evaluator takes them.
    teams: Vec<Vec<usize>>,
}

impl Search<'_> {
    /// Anneals and descends; as long as work is left, again from other parties in random order. A limit ends the search, and
    /// what was found until then counts.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of the exchanges is at most as many"
    )]
    fn run(&mut self, exchanges: u64, mut order: Vec<usize>) {
        let mut best = (f64::NEG_INFINITY, self.seats.all(0).to_vec());
        loop {
            self.value = self.evaluate();
            let left = exchanges - self.meter.work();
            let mut met = (self.value, self.seats.all(0).to_vec());
            let ended = self.anneal((COOLING * left as f64) as u64, &mut met);
            (self.value, self.seats) = (met.0, Seats::of_match(self.pool, &met.1));
            // Every step of a descent is a gain, so that there is nothing to undo after its end.
            let ended = ended.and_then(|()| self.descend());
            if self.value > best.0 {
                best = (self.value, self.seats.all(0).to_vec());
            }
            if ended.is_err() || left < 2 * SAMPLE {
                break;
            }
            self.bits.shuffle(&mut order[1..]);
            let Some(teams) = first_match(self.pool, &order) else {
                break;
            };
            self.seats = Seats::new(self.pool, &teams);
        }
        self.seats = Seats::of_match(self.pool, &best.1);
    }

    /// Proposes this many exchanges at random, and accepts worse ones ever more rarely. Notes the best match: its value and
    /// its players, team by team.
    fn anneal(&mut self, exchanges: u64, best: &mut (f64, Vec<u32>)) -> Result<(), Status> {
        let (mut temperature, mut cooling) = (0.0, 1.0);
        let mut differences = Vec::new();
        for number in 0..exchanges {
            if number == SAMPLE {
                differences.sort_unstable_by(f64::total_cmp);
                let typical = differences.get(differences.len() / 2).copied().unwrap_or(0.0);
                temperature = HOT * typical;
                cooling = (COLD / HOT).powf(1.0 / (exchanges - SAMPLE) as f64);
            }
            let (one, other) = self.draw();
            if let Some(value) = self.attempt(one, other)? {
                let difference = value - self.value;
                if number < SAMPLE && difference != 0.0 {
                    differences.push(difference.abs());
                }
                if difference < 0.0 && self.bits.unit() >= (difference / temperature).exp() {
                    self.seats.apply(&self.exchange);
                } else {
                    self.value = value;
                }
                if self.value > best.0 {
                    best.0 = self.value;
                    best.1.copy_from_slice(self.seats.all(0));
                }
            }
            temperature *= cooling;
        }
        Ok(())
    }

    /// Makes the best exchange of each party of the match in turn, until none gains.
    fn descend(&mut self) -> Result<(), Status> {
        let parties = self.pool.parties();
        let (mut next, mut idle) = (0, 0);
        while idle < parties.len() {
            let one = first_of(&parties[next]);
            next = (next + 1) % parties.len();
            idle += 1;
            if self.seats.team_of(one) == self.seats.bench() {
                continue;
            }
            let (mut value, mut best) = (self.value + ROUNDING, None);
            for other in parties.iter().map(|party| first_of(party)) {
                if let Some(after) = self.attempt(one, other)? {
                    self.seats.apply(&self.exchange);
                    if after > value {
                        (value, best) = (after, Some(self.exchange.clone()));
                    }
                }
            }
            if let Some(exchange) = best {
                self.seats.apply(&exchange);
                (self.value, idle) = (value, 0);
            }
        }
        Ok(())
    }

    /// Two players whose parties may change places: one of the match, and another of it or an unmatched one.
    fn draw(&mut self) -> (u32, u32) {
        let size = self.pool.match_size();
        let unmatched = self.seats.len() - size;
        let one = self.seats.at(self.bits.quick_below(size));
        let other = if unmatched > 0 && self.bits.next() % 256 < WITH_UNMATCHED {
            size + self.bits.quick_below(unmatched)
        } else {
            self.bits.quick_below(size)
        };
        (one, self.seats.at(other))
    }

    /// Carries out the exchange of the party of one player of the match against that of another player, and evaluates it;
    /// carrying it out again undoes it. `None`, and nothing done, if there is no such exchange.
    fn attempt(&mut self, one: u32, other: u32) -> Result<Option<f64>, Status> {
        self.meter.spend(1)?;
        if self.meter.work().is_multiple_of(BLOCK) {
            self.meter.check(Progress::new(SEARCH))?;
        }
        let exchange = &mut self.exchange;
        let is_exchange = self.seats.propose(one, other, &mut self.bits, exchange);
        let of_party = |&player: &u32| self.pool.party_index(player as usize) == self.party;
        if !is_exchange || (exchange.to == self.seats.bench() && exchange.out.iter().any(of_party)) {
            return Ok(None);
        }
        self.seats.apply(exchange);
        Ok(Some(self.evaluate()))
    }

    /// What the match is worth.
    fn evaluate(&mut self) -> f64 {
        for (side, team) in self.teams.iter_mut().enumerate() {
            team.clear();
            team.extend(self.seats.team(side).iter().map(|&player| player as usize));
        }
        (self.evaluator)(&self.teams)
    }
}

#[allow(clippy::cast_possible_truncation, reason = "a pool has at most 2^24 players")]
fn first_of(party: &[usize]) -> u32 {
    party[0] as u32
}
