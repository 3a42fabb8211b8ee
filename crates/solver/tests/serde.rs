//! What is written is what is read.

use matchwright_solver::{DenseCosts, ExactPairing, Objective, Pairing, PairingSolver, Verdict, verify};

#[test]
fn a_proven_pairing_survives_json() {
    let costs = DenseCosts::from_fn(10, |i, j| 1.0 / (1 + i + 3 * j) as f64).unwrap();
    let pairing = ExactPairing::maximum().solve(&costs).unwrap();
    let text = serde_json::to_string(&pairing).unwrap();
    let read: Pairing = serde_json::from_str(&text).unwrap();
    assert_eq!(read, pairing);
    let verdict = verify(&costs, &read).unwrap();
    let text = serde_json::to_string(&verdict).unwrap();
    assert_eq!(serde_json::from_str::<Verdict>(&text).unwrap(), verdict);
}

#[test]
fn duals_of_more_than_64_bits_survive_json() {
    let costs = DenseCosts::from_fn(6, |i, j| {
        if i.min(j) == 0 {
            1e15
        } else {
            0.1 * (i + 3 * j) as f64
        }
    })
    .unwrap();
    let pairing = ExactPairing::minimum().solve(&costs).unwrap();
    let duals = pairing.certificate().unwrap().vertex_duals();
    assert!(duals.iter().any(|&y| i64::try_from(y).is_err()));
    let text = serde_json::to_string(&pairing).unwrap();
    let read: Pairing = serde_json::from_str(&text).unwrap();
    assert_eq!(read, pairing);
    assert!(verify(&costs, &read).unwrap().is_exact());
}

/// A triangle within five vertices of seven, each of which is near to the next: nested blossoms.
#[test]
fn nested_blossoms_survive_json() {
    let near = |i: usize, j: usize| (i / 7 == j / 7).then(|| [3, 5, 7].iter().position(|&size| j % 7 < size));
    let costs = DenseCosts::from_fn(14, |i, j| match near(i, j).flatten() {
        Some(level) => 10.0_f64.powi(i32::try_from(level).unwrap()),
        None => 1e4 + (i + j) as f64,
    })
    .unwrap();
    let pairing = ExactPairing::minimum().solve(&costs).unwrap();
    let blossoms = pairing.certificate().unwrap().blossoms();
    assert!(blossoms.iter().any(|blossom| blossom.around.is_some()));
    let text = serde_json::to_string(&blossoms[0]).unwrap();
    let first = blossoms[0].direct_vertices[0];
    assert!(
        text.starts_with(&format!(r#"{{"direct_vertices":[{first}"#)),
        "{text}"
    );
    assert!(text.contains(r#""around":null,"dual":"#), "{text}");
    let text = serde_json::to_string(&pairing).unwrap();
    let read: Pairing = serde_json::from_str(&text).unwrap();
    assert_eq!(read, pairing);
    assert!(verify(&costs, &read).unwrap().is_exact());
}

#[test]
fn an_objective_is_one_word() {
    assert_eq!(
        serde_json::to_string(&Objective::Minimize).unwrap(),
        "\"minimize\""
    );
}
