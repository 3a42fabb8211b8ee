//! The law suite passes our solvers and catches those that are wrong.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use matchwright_solver::laws::{Claims, Law, check_all, check_oracle};
use matchwright_solver::{
    BruteForce, Certificate, Coordinates, CostOracle, DenseCosts, EuclideanCosts, ExactPairing,
    GreedyPairing, Limits, Objective, Pairing, PairingSolver, RandomPairing, SolveError, SortAdjacent,
    SparseCosts, Workspace,
};

#[test]
fn our_solvers_keep_what_they_claim() {
    for seed in 0..3 {
        for objective in [Objective::Minimize, Objective::Maximize] {
            check_all(&ExactPairing::new(objective), Claims::exact(objective), seed).unwrap();
            check_all(&BruteForce::new(objective), Claims::exact(objective), seed).unwrap();
            check_all(&GreedyPairing::new(objective), Claims::heuristic(), seed).unwrap();
        }
        check_all(&SortAdjacent::by_index(), Claims::heuristic(), seed).unwrap();
        check_all(&RandomPairing::new(seed), Claims::heuristic(), seed).unwrap();
    }
    let boxed: Box<dyn PairingSolver> = Box::new(ExactPairing::minimum());
    check_all(&boxed, Claims::exact(Objective::Minimize), 9).unwrap();
}

/// A solver made of a function.
struct Wrong<F>(F);

impl<F: Fn(&mut Workspace, &dyn CostOracle) -> Result<Pairing, SolveError>> PairingSolver for Wrong<F> {
    fn solve_within(&self, costs: &dyn CostOracle, _: &Limits<'_>) -> Result<Pairing, SolveError> {
        (self.0)(&mut Workspace::new(), costs)
    }

    fn solve_in(
        &self,
        used: &mut Workspace,
        costs: &dyn CostOracle,
        _: &Limits<'_>,
    ) -> Result<Pairing, SolveError> {
        (self.0)(used, costs)
    }
}

/// The law that a solver breaks, which claims to be an exact minimum if `exact`.
fn broken(
    exact: bool,
    solve: impl Fn(&mut Workspace, &dyn CostOracle) -> Result<Pairing, SolveError>,
) -> Option<Law> {
    let claims = if exact {
        Claims::exact(Objective::Minimize)
    } else {
        Claims::heuristic()
    };
    check_all(&Wrong(solve), claims, 4).err().map(|violation| {
        assert!(violation.to_string().contains(violation.graph()));
        violation.law()
    })
}

fn right(workspace: &mut Workspace, costs: &dyn CostOracle) -> Result<Pairing, SolveError> {
    ExactPairing::minimum().solve_in(workspace, costs, &Limits::unlimited())
}

fn claim(mates: Vec<usize>, cost: f64) -> Pairing {
    Pairing::from_parts(mates, cost, None, None)
}

#[test]
fn the_right_one_breaks_none() {
    assert_eq!(broken(true, right), None);
}

#[test]
fn each_law_catches_who_breaks_it() {
    let alone = |_: &mut Workspace, costs: &dyn CostOracle| Ok(claim((0..costs.vertices()).collect(), 0.0));
    assert_eq!(broken(false, alone), Some(Law::Perfect));

    let short = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        right(workspace, costs).map(|pairing| claim(pairing.mates()[1..].to_vec(), pairing.cost()))
    };
    let short = move |workspace: &mut Workspace, costs: &dyn CostOracle| {
        if costs.vertices() < 2 {
            right(workspace, costs)
        } else {
            short(workspace, costs)
        }
    };
    assert_eq!(broken(false, short), Some(Law::Perfect));

    let round = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        let n = costs.vertices();
        right(workspace, costs).map(|pairing| claim((0..n).map(|i| (i + 1) % n).collect(), pairing.cost()))
    };
    assert_eq!(broken(false, round), Some(Law::Symmetric));

    let forbidden = |_: &mut Workspace, costs: &dyn CostOracle| match costs.vertices() {
        n if n % 2 == 1 => Err(SolveError::OddVertices { vertices: n }),
        n => Ok(claim((0..n).map(|i| i ^ 1).collect(), 0.0)),
    };
    assert_eq!(broken(false, forbidden), Some(Law::Allowed));

    let boasts = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        right(workspace, costs).map(|pairing| claim(pairing.mates().to_vec(), pairing.cost() - 0.5))
    };
    assert_eq!(broken(false, boasts), Some(Law::WithinBruteForce));

    let understates = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        let best = right(workspace, costs)?;
        let most = ExactPairing::maximum().solve_in(workspace, costs, &Limits::unlimited())?;
        Ok(claim(most.mates().to_vec(), best.cost()))
    };
    assert_eq!(broken(true, understates), Some(Law::CostIsSum));

    let greedy = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        GreedyPairing::default()
            .solve_in(workspace, costs, &Limits::unlimited())
            .or_else(|_| right(workspace, costs))
    };
    assert_eq!(broken(true, greedy), Some(Law::Optimal));

    let gives_up = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        GreedyPairing::default().solve_in(workspace, costs, &Limits::unlimited())?;
        right(workspace, costs)
    };
    assert_eq!(broken(true, gives_up), Some(Law::Answers));
    assert_eq!(broken(false, gives_up), None);

    let forged = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        let pairing = right(workspace, costs)?;
        let mut parts = pairing.certificate().unwrap().clone().into_parts();
        parts.vertex_duals.iter_mut().for_each(|dual| *dual += 1);
        Ok(pairing.with_certificate(Certificate::from_parts(parts)))
    };
    assert_eq!(broken(true, forged), Some(Law::Certified));
}

#[test]
fn memory_of_earlier_solves_is_caught() {
    let calls = AtomicU64::new(0);
    let moody = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        let even_first = |i: usize| if calls.load(Ordering::Relaxed).is_multiple_of(2) { i } else { i % 2 } as f64;
        let keys = (0..costs.vertices()).map(even_first).collect();
        calls.fetch_add(1, Ordering::Relaxed);
        SortAdjacent::by_keys(keys).solve_in(workspace, costs, &Limits::unlimited())
    };
    assert_eq!(broken(false, moody), Some(Law::Deterministic));

    // The contents of a workspace are private, but for its Debug output.
    let new = format!("{:?}", Workspace::new());
    let haunted = |workspace: &mut Workspace, costs: &dyn CostOracle| {
        let seed = u64::from(format!("{workspace:?}") != new);
        right(workspace, costs)?;
        RandomPairing::new(seed).solve_in(workspace, costs, &Limits::unlimited())
    };
    assert_eq!(broken(false, haunted), Some(Law::WorkspaceIndependent));
}

#[test]
fn our_graphs_keep_the_laws_of_oracles() {
    check_oracle(&DenseCosts::from_optional_fn(5, |i, j| (i + j != 4).then_some(1.5)).unwrap()).unwrap();
    check_oracle(&SparseCosts::from_edges(4, [(3, 0, 1.0), (1, 2, -2.0)]).unwrap()).unwrap();
    check_oracle(&Box::new(DenseCosts::default())).unwrap();
    check_oracle(
        &EuclideanCosts::from_points(2, (0..40).map(|k| f64::from(k * k % 37) / 7.0).collect()).unwrap(),
    )
    .unwrap();
}

/// Costs by a function; neighbours as listed.
struct Oracle<F>(F, Option<Vec<(usize, f64)>>);

impl<F: Fn(usize, usize) -> Option<f64> + Sync> CostOracle for Oracle<F> {
    fn vertices(&self) -> usize {
        3
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        (self.0)(i, j)
    }
    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        match &self.1 {
            Some(list) => list.iter().for_each(|&(j, cost)| visit(j, cost)),
            None => (0..3).filter(|&j| j != i).for_each(|j| {
                if let Some(cost) = self.cost(i, j) {
                    visit(j, cost);
                }
            }),
        }
    }
}

#[test]
fn each_law_of_oracles_catches_who_breaks_it() {
    let law = |oracle: &dyn CostOracle| check_oracle(oracle).map_err(|violation| violation.law());
    assert_eq!(law(&Oracle(|_, _| Some(1.0), None)), Ok(()));
    assert_eq!(law(&Oracle(|_, _| Some(f64::NAN), None)), Err(Law::FiniteCosts));
    assert_eq!(
        law(&Oracle(|i, j| Some((2 * i + j) as f64), None)),
        Err(Law::SymmetricCosts)
    );
    for list in [
        vec![],
        vec![(1, 1.0)],
        vec![(1, 1.0), (2, 2.0)],
        vec![(1, 1.0), (1, 1.0), (2, 1.0)],
    ] {
        assert_eq!(law(&Oracle(|_, _| Some(1.0), Some(list))), Err(Law::Neighbours));
    }
}

/// What an oracle of seven points offers beside their costs: all of it true but for one lie.
#[derive(Clone)]
struct Offers {
    costs: DenseCosts,
    points: Vec<f64>,
    lie: Lie,
    /// Of a sample, which must not lie about samples of its own.
    is_sample: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Lie {
    None,
    /// The last pair is visited at another cost, though sparse.
    Neighbours,
    /// One entry of a row is a little off.
    Row,
    /// Rows that do not begin at vertex 0 are written as if they did.
    PartOfRow,
    /// A row leaves out the vertex itself, so that what was there stays.
    Unwritten,
    /// A forbidden pair has a huge cost in rows.
    Huge,
    /// Minus zero.
    Sign,
    /// Rounded to the nearest number in single precision, which may be above.
    BoundAbove,
    BoundNaN,
    /// For some vertices only.
    BoundsOfSome,
    Matrix,
    MatrixSize,
    Distance,
    Dimensions,
    TooFewPoints,
    PointAtInfinity,
    SampleSize,
    /// As if the vertices had been asked for in ascending order.
    SampleOrder,
    SampleNeighbours,
    SampleRow,
    SampleBound,
    SamplePoints,
}

impl Offers {
    fn new(lie: Lie) -> Self {
        let points: Vec<f64> = vec![0.0, 1.5, 0.1, -2.0, 7.25, 0.7, 3.0];
        let cost = |i: usize, j: usize| (points[i] - points[j]).abs() + 0.1;
        let costs = DenseCosts::from_optional_fn(7, |i, j| match (i.min(j), i.max(j)) {
            (1, 4) => None,
            (0, 2) => Some(0.1),
            _ => Some(cost(i, j)),
        });
        Self {
            costs: costs.unwrap(),
            points,
            lie,
            is_sample: false,
        }
    }

    fn lies(&self, lie: Lie) -> bool {
        self.lie == lie
    }

    fn some(&self, vertices: &[usize]) -> Self {
        let cost = |i: usize, j: usize| self.costs.cost(vertices[i], vertices[j]);
        let points: Vec<_> = vertices.iter().map(|&v| self.points[v]).collect();
        Self {
            costs: DenseCosts::from_optional_fn(vertices.len(), cost).unwrap(),
            points,
            lie: self.lie,
            is_sample: true,
        }
    }
}

impl CostOracle for Offers {
    fn vertices(&self) -> usize {
        self.costs.vertices()
    }
    fn cost(&self, i: usize, j: usize) -> Option<f64> {
        let cost = self.costs.cost(i, j)?;
        Some(if self.lies(Lie::Sign) { 0.0 } else { cost })
    }
    fn for_each_neighbour(&self, i: usize, visit: &mut dyn FnMut(usize, f64)) {
        let n = self.vertices();
        for j in (0..n).filter(|&j| j != i) {
            let wrong = self.lies(Lie::Neighbours) || (self.lies(Lie::SampleNeighbours) && self.is_sample);
            let more = if wrong && i + j == 11 { 1.0 } else { 0.0 };
            if let Some(cost) = self.cost(i, j) {
                visit(j, cost + more);
            }
        }
    }
    fn is_sparse(&self) -> bool {
        self.lies(Lie::Neighbours)
    }
    fn cost_row(&self, i: usize, from: usize, out: &mut [f64]) {
        let shown = if self.lies(Lie::PartOfRow) { 0 } else { from };
        for (j, out) in (shown..).zip(out) {
            let none = if self.lies(Lie::Huge) && i != j {
                1e300
            } else {
                f64::NAN
            };
            let cost = if i == j { None } else { self.cost(i, j) };
            *out = match cost {
                None if i == j && self.lies(Lie::Unwritten) => continue,
                None => none,
                Some(cost) if self.lies(Lie::Sign) => -cost,
                Some(cost) if self.lies(Lie::Row) && i == 3 && j == 5 => cost.next_up(),
                Some(cost) if self.lies(Lie::SampleRow) && self.is_sample => cost.next_up(),
                Some(cost) => cost,
            };
        }
    }
    #[allow(clippy::cast_possible_truncation, reason = "what is tested")]
    fn lower_bounds(&self, i: usize, from: usize, out: &mut [f32]) -> bool {
        let wrong = self.lies(Lie::BoundAbove) || (self.lies(Lie::SampleBound) && self.is_sample);
        for (j, out) in (from..).zip(out) {
            let cost = if i == j { None } else { self.cost(i, j) };
            let near = cost.map_or(f32::INFINITY, |cost| cost as f32);
            *out = if wrong || cost.is_none() {
                near
            } else {
                near.next_down()
            };
            if self.lies(Lie::BoundNaN) && i + j == 11 {
                *out = f32::NAN;
            }
        }
        !(self.lies(Lie::BoundsOfSome) && i == 6)
    }
    fn among<'a>(&'a self, vertices: &[u32]) -> Option<Box<dyn CostOracle + 'a>> {
        let mut vertices: Vec<_> = vertices.iter().map(|&v| v as usize).collect();
        if self.lies(Lie::SampleOrder) {
            vertices.sort_unstable();
        }
        if self.lies(Lie::SampleSize) {
            vertices.pop();
        }
        Some(Box::new(self.some(&vertices)))
    }
    fn as_dense(&self) -> Option<&DenseCosts> {
        match self.lie {
            Lie::Sign => None,
            Lie::Matrix => Some(&ALIKE),
            Lie::MatrixSize => Some(&EMPTY),
            _ => Some(&self.costs),
        }
    }
    fn coordinates(&self) -> Option<Coordinates<'_>> {
        let values = match self.lie {
            Lie::Sign => return None,
            Lie::Distance => &[0.0, 1.5, 0.21, -2.0, 7.25, 0.7, 3.0],
            Lie::TooFewPoints => &self.points[..self.points.len().saturating_sub(1)],
            Lie::PointAtInfinity => &[0.0, 1.5, 0.1, -2.0, f64::INFINITY, 0.7, 3.0],
            Lie::SamplePoints if self.is_sample => &FAR[..self.points.len()],
            _ => self.points.as_slice(),
        };
        let dimensions = usize::from(!self.lies(Lie::Dimensions));
        Some(Coordinates {
            dimensions,
            values,
            slack: 0.0,
        })
    }
}

const FAR: [f64; 7] = [0.0, 100.0, 200.0, 300.0, 400.0, 500.0, 600.0];
static EMPTY: LazyLock<DenseCosts> = LazyLock::new(DenseCosts::default);
static ALIKE: LazyLock<DenseCosts> = LazyLock::new(|| DenseCosts::from_fn(7, |_, _| 1.0).unwrap());

#[test]
fn each_form_that_says_something_else_than_cost_is_caught() {
    let law = |lie| check_oracle(&Offers::new(lie)).map_err(|violation| violation.law());
    assert_eq!(law(Lie::None), Ok(()));
    for (lie, broken) in [
        (Lie::Neighbours, Law::Neighbours),
        (Lie::Row, Law::Rows),
        (Lie::PartOfRow, Law::Rows),
        (Lie::Unwritten, Law::Rows),
        (Lie::Huge, Law::Rows),
        (Lie::Sign, Law::Rows),
        (Lie::BoundAbove, Law::LowerBounds),
        (Lie::BoundNaN, Law::LowerBounds),
        (Lie::BoundsOfSome, Law::LowerBounds),
        (Lie::Matrix, Law::Matrix),
        (Lie::MatrixSize, Law::Matrix),
        (Lie::Distance, Law::Coordinates),
        (Lie::Dimensions, Law::Coordinates),
        (Lie::TooFewPoints, Law::Coordinates),
        (Lie::PointAtInfinity, Law::Coordinates),
        (Lie::SampleSize, Law::Sample),
        (Lie::SampleOrder, Law::Sample),
        (Lie::SampleNeighbours, Law::Sample),
        (Lie::SampleRow, Law::Sample),
        (Lie::SampleBound, Law::Sample),
        (Lie::SamplePoints, Law::Sample),
    ] {
        assert_eq!(law(lie), Err(broken), "{lie:?}");
    }
    let violation = check_oracle(&Offers::new(Lie::Row)).unwrap_err();
    assert!(violation.to_string().contains("(3, 5)"), "{violation}");
}
