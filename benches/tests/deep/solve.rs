//! All the ways in which the exact solver may be asked about one graph.

use matchwright_solver::{
    Barrier, Certificate, CostOracle, DenseCosts, ExactPairing, Limits, Objective, Pairing, PairingSolver,
    SolveError, Workspace,
};

/// A graph's costs in several forms, by name.
pub(crate) type Forms<'a> = [(&'static str, Box<dyn CostOracle + 'a>)];

/// An answer and what was asked.
pub(crate) struct Claim<'a> {
    pub(crate) name: String,
    pub(crate) costs: &'a dyn CostOracle,
    pub(crate) answer: Result<Pairing, Barrier>,
}

/// A workspace and the graph that it solved last, for what the one may keep of the other.
#[derive(Default)]
pub(crate) struct Past {
    workspace: Workspace,
    pub(crate) graph: DenseCosts,
}

/// The answer for each form in turn, in one workspace. Then one of the forms, by `number`, again: from the workspace
/// as it is, after it solved another graph, and from a new one, which must be the same to the last dual; and from
/// starting duals good and bad, and with two threads, which are claims of their own.
///
/// # Errors
/// An error other than that there is no pairing; or an answer that depends on the workspace.
pub(crate) fn all<'a>(
    forms: &'a Forms<'_>,
    objective: Objective,
    number: u64,
    past: &mut Past,
) -> Result<Vec<Claim<'a>>, String> {
    // The answer is held against the first of all optima.
    let solver = ExactPairing::new(objective).with_canonical_ties();
    let mut claims = Vec::new();
    for (name, costs) in forms {
        let outcome = solver.solve_in(&mut past.workspace, costs, &Limits::unlimited());
        claims.push(claim((*name).to_owned(), costs, outcome)?);
    }
    let turn = usize::try_from(number).unwrap_or(0) % forms.len();
    let (name, costs) = &forms[turn];
    repeat(&claims[turn], solver, past)?;
    let vertices = costs.vertices();
    let mut starts = vec![("false duals", false_duals(vertices, number))];
    if let Some(certificate) = claims[turn].answer.as_ref().ok().and_then(Pairing::certificate) {
        starts.push(("its own duals", Certificate::duals(certificate).collect()));
    }
    for (what, duals) in starts {
        let outcome = solver.solve_from(&mut past.workspace, costs, &duals);
        claims.push(claim(format!("{name}, from {what}"), costs, outcome)?);
    }
    let outcome = solver
        .with_threads(2)
        .solve_in(&mut past.workspace, costs, &Limits::unlimited());
    claims.push(claim(format!("{name}, with two threads"), costs, outcome)?);
    Ok(claims)
}

fn claim(
    name: String,
    costs: &dyn CostOracle,
    outcome: Result<Pairing, SolveError>,
) -> Result<Claim<'_>, String> {
    let answer = match outcome {
        Ok(pairing) => Ok(pairing),
        Err(SolveError::NoPerfectMatching(barrier)) => Err(barrier),
        Err(error) => return Err(format!("{name}: {error}")),
    };
    Ok(Claim { name, costs, answer })
}

/// The same again, whatever the workspace was used for.
fn repeat(first: &Claim<'_>, solver: ExactPairing, past: &mut Past) -> Result<(), String> {
    let Past { workspace, graph } = past;
    let mut new = Workspace::new();
    for what in ["after this graph", "after another", "that is new"] {
        let workspace = if what == "that is new" {
            &mut new
        } else {
            &mut *workspace
        };
        if what == "after another" {
            // Its answer was checked in its turn.
            let _ = solver.solve_in(workspace, graph, &Limits::unlimited());
        }
        let name = format!("{}, in a workspace {what}", first.name);
        let again = claim(
            name,
            first.costs,
            solver.solve_in(workspace, first.costs, &Limits::unlimited()),
        )?;
        if again.answer != first.answer {
            let difference = match (&again.answer, &first.answer) {
                (Ok(again), Ok(first)) => first_difference(again.mates(), first.mates()),
                (Ok(_), Err(_)) => "there is a pairing".to_owned(),
                (Err(_), Ok(_)) => "there is no pairing".to_owned(),
                (Err(again), Err(first)) => format!("{again:?}, not {first:?}"),
            };
            return Err(format!("{}: {difference}", again.name));
        }
    }
    Ok(())
}

/// Where mates are not as they should be.
pub(crate) fn first_difference(mates: &[usize], wanted: &[usize]) -> String {
    let mut pairs = mates.iter().zip(wanted).enumerate();
    match pairs.find(|(_, (mate, wanted))| mate != wanted) {
        Some((i, (mate, wanted))) => format!("vertex {i} has the mate {mate}, not {wanted}"),
        None => "the mates are the same, the proof is not".to_owned(),
    }
}

/// Duals of no use: nothing, no numbers, huge, at random.
fn false_duals(vertices: usize, number: u64) -> Vec<f64> {
    let dual = |i: usize| {
        let hash = (i as u64 ^ number << 20).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        match number / 7 % 4 {
            0 => 0.0,
            1 => [f64::NAN, f64::INFINITY, 1.0, f64::NEG_INFINITY][i % 4],
            2 => [1e300, -1e300][i % 2],
            _ => hash as f64 / 4096.0 - 2048.0,
        }
    };
    (0..vertices).map(dual).collect()
}
