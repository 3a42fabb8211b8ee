//! Everything that must hold on one graph.

use matchwright_solver::{BruteForce, Certificate, CostOracle, Objective, Pairing, PairingSolver, verify};

use crate::graph::{Exact, Graph};
use crate::kinds::Size;
use crate::peers::{self, ALONE, Answer};
use crate::solve::{self, Claim, Past, first_difference};
use crate::{barrier, brute, canonical, oracles};

/// What was seen on the way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) graphs: usize,
    /// Solves with a verified pairing.
    pub(crate) pairings: usize,
    /// Objectives for which there is none, proven by a barrier.
    pub(crate) barriers: usize,
    /// Certificates with blossoms, and the most around one vertex.
    pub(crate) blossoms: usize,
    pub(crate) deepest: usize,
    /// Answers of peers that were compared.
    pub(crate) compared: usize,
    /// Answers of peers that are proven wrong, or panics.
    pub(crate) peer_failures: usize,
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Self) {
        self.graphs += other.graphs;
        self.pairings += other.pairings;
        self.barriers += other.barriers;
        self.blossoms += other.blossoms;
        self.deepest = self.deepest.max(other.deepest);
        self.compared += other.compared;
        self.peer_failures += other.peer_failures;
    }
}

/// What others found.
enum Reference {
    /// The least sum, in the units of the graph's exact costs.
    Least(i128),
    /// The number of vertices without a mate in a largest matching.
    Unplaced(usize),
    /// Some.
    Impossible,
}

/// Solves the graph for both ends of the scale, from every form of its costs, and checks all that is said.
/// `past` is a workspace and the graph that it solved last.
///
/// # Errors
/// The first thing that is wrong.
pub(crate) fn check(graph: &Graph, size: Size, number: u64, past: &mut Past) -> Result<Tally, String> {
    let mut tally = Tally {
        graphs: 1,
        ..Tally::default()
    };
    let exact = graph.exact();
    let forms = oracles::all(graph, number);
    for objective in [Objective::Minimize, Objective::Maximize] {
        let context = |message: String| format!("{objective:?}: {message}");
        let claims = solve::all(&forms, objective, number, past).map_err(context)?;
        let case = Case {
            graph,
            exact,
            objective,
            claims: &claims,
        };
        case.check_claims(&mut tally).map_err(context)?;
        match size {
            Size::Small => case.check_all_pairings(&mut tally),
            Size::Large => case.check_peers(&mut tally),
            Size::Vast => Ok(()),
        }
        .map_err(context)?;
    }
    past.graph = graph.dense();
    Ok(tally)
}

/// A graph, an objective, and what was answered, first of all from a matrix.
struct Case<'a> {
    graph: &'a Graph,
    exact: Exact<'a>,
    objective: Objective,
    claims: &'a [Claim<'a>],
}

impl Case<'_> {
    /// Answers verify against their own form and the matrix, and agree.
    fn check_claims(&self, tally: &mut Tally) -> Result<(), String> {
        let matrix = &self.claims[0];
        for Claim { name, costs, answer } in self.claims {
            let context = |error: String| format!("{name}: {error}");
            match (answer, &matrix.answer) {
                (Ok(pairing), Ok(first)) => {
                    self.check_verdict(*costs, pairing).map_err(context)?;
                    self.check_verdict(matrix.costs, pairing)
                        .map_err(|error| format!("{name}, held against {}: {error}", matrix.name))?;
                    self.check_agreement(pairing, first).map_err(context)?;
                    let depth = depth(pairing);
                    tally.pairings += 1;
                    tally.blossoms += usize::from(depth > 0);
                    tally.deepest = tally.deepest.max(depth);
                }
                (Err(barrier), Err(_)) => barrier::check(self.graph, barrier).map_err(context)?,
                (Ok(_), Err(barrier)) => {
                    return Err(format!("{name} pairs all, {} has {barrier:?}", matrix.name));
                }
                (Err(barrier), Ok(_)) => {
                    return Err(format!("{name} has {barrier:?}, {} pairs all", matrix.name));
                }
            }
        }
        tally.barriers += usize::from(matrix.answer.is_err());
        Ok(())
    }

    fn check_verdict(&self, costs: &dyn CostOracle, pairing: &Pairing) -> Result<(), String> {
        let verdict = verify(costs, pairing).map_err(|error| format!("verify: {error}"))?;
        if !verdict.optimal {
            return Err(format!("not proven optimal: {verdict:?}"));
        }
        if self.graph.is_integral() && !verdict.is_exact() {
            return Err(format!("integers were rounded: {verdict:?}"));
        }
        if pairing.objective() != Some(self.objective) {
            return Err(format!("made for {:?}", pairing.objective()));
        }
        let sum = self.exact.sum(pairing.mates()).ok_or("a forbidden pair")?;
        let true_cost = self.exact.cost(sum);
        if (verdict.cost - true_cost).abs() > f64::EPSILON * true_cost.abs() {
            return Err(format!("costs {true_cost}, not {}", verdict.cost));
        }
        Ok(())
    }

    /// Two pairings of one graph are as good, up to what rounding hides, and one and the same by the rule.
    fn check_agreement(&self, pairing: &Pairing, first: &Pairing) -> Result<(), String> {
        let error = |pairing: &Pairing| pairing.certificate().map_or(0.0, Certificate::quantisation_error);
        let allowed = error(pairing) + error(first);
        let sum = |pairing: &Pairing| self.exact.sum(pairing.mates()).unwrap_or(i128::MAX);
        if self.exact.cost((sum(pairing) - sum(first)).abs()) > allowed {
            return Err(format!("costs {}, DenseCosts {}", pairing.cost(), first.cost()));
        }
        let resolution = |pairing: &Pairing| pairing.certificate().map(Certificate::resolution);
        let alike = allowed == 0.0 || resolution(pairing) == resolution(first);
        if alike && pairing.mates() != first.mates() {
            return Err(format!(
                "{}, by DenseCosts",
                first_difference(pairing.mates(), first.mates())
            ));
        }
        Ok(())
    }

    /// The weight of a pair that is to be made small.
    fn weight(&self, i: usize, j: usize) -> Option<i128> {
        let weight = self.exact.weight(i, j)?;
        Some(if self.objective == Objective::Minimize {
            weight
        } else {
            -weight
        })
    }

    /// Against every pairing there is.
    fn check_all_pairings(&self, tally: &mut Tally) -> Result<(), String> {
        let n = self.graph.vertices();
        let best = brute::least(n, |i, j| self.weight(i, j));
        let reference = match (&best, &self.claims[0].answer) {
            (Some((least, _)), _) => Reference::Least(*least),
            (None, Ok(_)) => return Err("there is no pairing".to_owned()),
            (None, Err(barrier)) => {
                let placed: Vec<_> = (0..n).filter(|v| !barrier.unplaced.contains(v)).collect();
                let rest = self.graph.induced(&placed);
                let pairable = brute::least(placed.len(), |i, j| rest.cost(i, j).map(|_| 0)).is_some();
                if !pairable {
                    return Err(format!("the others of {barrier:?} cannot be paired"));
                }
                Reference::Unplaced(barrier.unplaced.len())
            }
        };
        self.compare(&reference)?;
        tally.compared += 1;
        if let Some((_, first)) = best.filter(|_| self.graph.is_integral() && n <= BruteForce::MAX_VERTICES) {
            // Its sums are of floats: of integers exact.
            let brute = BruteForce::new(self.objective).solve(self.claims[0].costs);
            let brute = brute.map_err(|error| format!("BruteForce: {error}"))?;
            if brute.mates() != first {
                return Err(format!("BruteForce finds {:?} before {first:?}", brute.mates()));
            }
        }
        check_rule(self.claims, |pairing| {
            canonical::first_of_all(self.graph, |i, j| canonical::quantised(self.graph, pairing, i, j))
        })
    }

    /// Against what peers find.
    fn check_peers(&self, tally: &mut Tally) -> Result<(), String> {
        for (peer, answer) in peers::ask(self.graph, |i, j| self.weight(i, j)) {
            let reference = match answer {
                Answer::Mates(mates) => self.read(&mates).map_err(|error| format!("{peer} {error}"))?,
                Answer::Impossible => Reference::Impossible,
                Answer::Failed => {
                    tally.peer_failures += 1;
                    continue;
                }
            };
            tally.compared += 1;
            if self.peer_is_worse(&reference) {
                tally.peer_failures += 1;
                continue;
            }
            self.compare(&reference)
                .map_err(|error| format!("{peer}: {error}"))?;
        }
        // The others agree with the first.
        check_rule(&self.claims[..1], |pairing| {
            let weight = |i, j| canonical::quantised(self.graph, pairing, i, j);
            canonical::first_mates(self.graph, weight)
        })
    }

    /// What a peer's mates come to.
    fn read(&self, mates: &[usize]) -> Result<Reference, &'static str> {
        let alone = mates.iter().filter(|&&mate| mate == ALONE).count();
        let pairs = mates.iter().enumerate().filter(|&(i, &j)| i < j && j != ALONE);
        let sum = pairs.map(|(i, &j)| self.weight(i, j)).sum::<Option<i128>>();
        let least = sum.ok_or("uses a forbidden pair")?;
        Ok(if alone == 0 {
            Reference::Least(least)
        } else {
            Reference::Unplaced(alone)
        })
    }

    /// Ours is verified, so what is worse is wrong.
    fn peer_is_worse(&self, reference: &Reference) -> bool {
        match (&self.claims[0].answer, reference) {
            (Ok(pairing), Reference::Least(least)) => {
                let ours = self.exact.sum(pairing.mates()).map(|sum| self.signed(sum));
                ours.is_some_and(|ours| ours < *least)
            }
            (Ok(_), Reference::Unplaced(_) | Reference::Impossible) => true,
            (Err(barrier), Reference::Unplaced(alone)) => barrier.unplaced.len() < *alone,
            (Err(_), Reference::Least(_) | Reference::Impossible) => false,
        }
    }

    fn signed(&self, sum: i128) -> i128 {
        if self.objective == Objective::Minimize {
            sum
        } else {
            -sum
        }
    }

    /// Our answers are as good as the reference, and no bound is beyond it.
    fn compare(&self, reference: &Reference) -> Result<(), String> {
        for Claim { name, answer, .. } in self.claims {
            match (answer, reference) {
                (Ok(pairing), Reference::Least(least)) => {
                    let ours = self.exact.sum(pairing.mates()).map(|sum| self.signed(sum));
                    let ours = ours.ok_or("a forbidden pair")?;
                    let certificate = pairing.certificate().ok_or("no certificate")?;
                    let worse = self.exact.cost(ours - least);
                    if worse < 0.0 || worse > certificate.quantisation_error() {
                        let best = self.exact.cost(self.signed(*least));
                        return Err(format!("{name} costs {}, the optimum {best}", pairing.cost()));
                    }
                    let bound = self.objective.as_minimum(certificate.dual_bound());
                    if bound > self.exact.cost(*least).next_up() {
                        return Err(format!("{name}: the bound {bound} is beyond the optimum"));
                    }
                }
                (Err(barrier), Reference::Unplaced(alone)) if barrier.unplaced.len() == *alone => {}
                (Err(_), Reference::Impossible) => {}
                (Ok(_), Reference::Unplaced(_) | Reference::Impossible) => {
                    return Err(format!("{name} pairs all, which cannot be"));
                }
                (Err(barrier), Reference::Unplaced(alone)) => {
                    return Err(format!("{name} leaves {:?}, not {alone}", barrier.unplaced));
                }
                (Err(barrier), Reference::Least(_)) => {
                    return Err(format!(
                        "{name} leaves {:?}, but all can be paired",
                        barrier.unplaced
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Pairings start with the mates that the rule asks for, as far as they are known.
fn check_rule(claims: &[Claim<'_>], first: impl Fn(&Pairing) -> Option<Vec<usize>>) -> Result<(), String> {
    // Costs that are quantised alike have the same first pairing.
    let mut known: Option<(f64, Option<Vec<usize>>)> = None;
    for Claim { name, answer, .. } in claims {
        let Some((pairing, certificate)) = answer.as_ref().ok().and_then(|p| Some((p, p.certificate()?)))
        else {
            continue;
        };
        let resolution = certificate.resolution();
        let (_, first) = match known.take().filter(|known| known.0 == resolution) {
            Some(known) => known,
            None => (resolution, first(pairing)),
        };
        let mates = pairing.mates();
        if let Some(first) = first.as_ref().filter(|first| !mates.starts_with(first)) {
            return Err(format!("{name}: {}, by the rule", first_difference(mates, first)));
        }
        known = Some((resolution, first));
    }
    Ok(())
}

/// How many blossoms lie within each other at most.
fn depth(pairing: &Pairing) -> usize {
    let mut depths = Vec::new();
    for blossom in pairing
        .certificate()
        .iter()
        .flat_map(|certificate| certificate.blossoms())
    {
        // Those around come first.
        let outside = blossom.around.and_then(|around| depths.get(around).copied());
        depths.push(1 + outside.unwrap_or(0));
    }
    depths.into_iter().max().unwrap_or(0)
}
