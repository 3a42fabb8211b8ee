//! The judge rejects every answer that is not quite right.

use crate::common::{euclid, proven};
use matchwright_solver::{
    Blossom, Certificate, CertificateParts, DenseCosts, GreedyPairing, Objective, Pairing, PairingSolver,
    VerifyError, verify, verify_bound,
};

/// A proven pairing whose certificate has several blossoms, on integer costs.
fn honest(objective: Objective) -> (DenseCosts, Pairing) {
    let mut rounded = DenseCosts::default();
    let costs = euclid(40, 7);
    let cost = |i, j| matchwright_solver::CostOracle::cost(&costs, i, j).unwrap();
    let sign = objective.as_minimum(1.0);
    rounded
        .refill(40, |i, j| sign * (cost(i, j) * 1e4).round())
        .unwrap();
    let pairing = proven(objective, &rounded);
    assert!(pairing.certificate().unwrap().blossoms().len() >= 3);
    (rounded, pairing)
}

/// The claim with a change to its certificate.
fn with_parts(pairing: &Pairing, change: impl FnOnce(&mut CertificateParts)) -> Pairing {
    let mut parts = pairing.certificate().unwrap().clone().into_parts();
    change(&mut parts);
    pairing.clone().with_certificate(Certificate::from_parts(parts))
}

fn blossom(direct_vertices: &[usize], around: Option<usize>, dual: i128) -> Blossom {
    Blossom {
        direct_vertices: direct_vertices.to_vec(),
        around,
        dual,
    }
}

fn with_mates(pairing: &Pairing, costs: &DenseCosts, mates: Vec<usize>) -> Pairing {
    let cost = Pairing::from_mates(costs, mates.clone()).map_or(pairing.cost(), |changed| changed.cost());
    Pairing::from_parts(mates, cost, pairing.objective(), pairing.certificate().cloned())
}

#[test]
fn any_vertex_dual_moved_by_a_half_is_rejected() {
    for objective in [Objective::Minimize, Objective::Maximize] {
        let (costs, pairing) = honest(objective);
        for v in 0..40 {
            for change in [-1, 1, 1000, i128::MAX / 2, i128::MIN / 2] {
                let claim = with_parts(&pairing, |parts| parts.vertex_duals[v] += change);
                let error = verify(&costs, &claim).unwrap_err();
                let expected = if change < 0 {
                    matches!(error, VerifyError::LoosePair { .. })
                } else {
                    matches!(error, VerifyError::NegativeReducedCost { .. })
                };
                assert!(expected, "{error}");
            }
        }
    }
}

#[test]
fn any_mate_changed_is_rejected() {
    let (costs, pairing) = honest(Objective::Minimize);
    let mates = pairing.mates();
    for v in 0..40 {
        for wrong in (0..42).chain([usize::MAX]).filter(|&wrong| wrong != mates[v]) {
            let mut changed = mates.to_vec();
            changed[v] = wrong;
            let error = verify(&costs, &with_mates(&pairing, &costs, changed)).unwrap_err();
            assert!(matches!(error, VerifyError::NotPaired { .. }), "{error}");
        }
    }
}

#[test]
fn two_pairs_that_swap_partners_are_rejected_unless_as_good() {
    let (costs, pairing) = honest(Objective::Minimize);
    let mut rejected = 0;
    for (i, j) in pairing.pairs() {
        for (k, l) in pairing.pairs().filter(|pair| *pair != (i, j)) {
            let mut mates = pairing.mates().to_vec();
            for (a, b) in [(i, k), (j, l)] {
                (mates[a], mates[b]) = (b, a);
            }
            let claim = with_mates(&pairing, &costs, mates);
            assert_eq!(verify(&costs, &claim).is_ok(), claim.cost() == pairing.cost());
            rejected += usize::from(claim.cost() > pairing.cost());
        }
    }
    assert!(rejected > 300);
}

/// The claim with a change to its blossoms, judged.
fn with_blossoms(
    costs: &DenseCosts,
    pairing: &Pairing,
    change: impl FnOnce(&mut Vec<Blossom>),
) -> VerifyError {
    verify(costs, &with_parts(pairing, |parts| change(&mut parts.blossoms))).unwrap_err()
}

#[test]
fn any_blossom_changed_is_rejected() {
    let (costs, pairing) = honest(Objective::Minimize);
    let certificate = pairing.certificate().unwrap();
    let blossoms = certificate.blossoms();
    for (k, honest) in blossoms.iter().enumerate() {
        let vertices = certificate.blossom_vertices(k);
        let outsider = (0..40).find(|v| !vertices.contains(v)).unwrap();
        let error = |change: &dyn Fn(&mut Blossom)| {
            with_blossoms(&costs, &pairing, |blossoms| change(&mut blossoms[k]))
        };
        assert!(matches!(
            error(&|blossom| blossom.dual += 1),
            VerifyError::LoosePair { .. }
        ));
        assert!(matches!(
            error(&|blossom| blossom.dual -= 1),
            VerifyError::NegativeReducedCost { .. }
        ));
        assert!(matches!(
            error(&|blossom| blossom.dual = -2),
            VerifyError::NegativeBlossom { .. }
        ));
        if let [first, ..] = honest.direct_vertices[..] {
            let even = error(&|blossom| blossom.direct_vertices.truncate(honest.direct_vertices.len() - 1));
            assert!(matches!(even, VerifyError::NotOdd { .. }), "{even}");
            let listed = |vertex| VerifyError::BlossomVertex { blossom: k, vertex };
            assert_eq!(
                error(&|blossom| blossom.direct_vertices.push(first)),
                listed(first)
            );
            assert_eq!(error(&|blossom| blossom.direct_vertices[0] = 40), listed(40));
            error(&|blossom| blossom.direct_vertices[0] = outsider);
        }
    }
}

#[test]
fn any_blossom_put_elsewhere_is_rejected() {
    let (costs, pairing) = honest(Objective::Minimize);
    let count = pairing.certificate().unwrap().blossoms().len();
    for k in 0..count {
        let put = |around| with_blossoms(&costs, &pairing, |blossoms| blossoms[k].around = around);
        for around in [k, k + 1, count - 1, count, usize::MAX] {
            if around >= k {
                assert_eq!(put(Some(around)), VerifyError::Around { blossom: k, around });
            }
        }
        let honest = pairing.certificate().unwrap().blossoms()[k].around;
        for around in (0..k).map(Some).chain([None]).filter(|around| *around != honest) {
            let error = put(around);
            let expected = matches!(
                error,
                VerifyError::NotOdd { .. }
                    | VerifyError::NegativeReducedCost { .. }
                    | VerifyError::LoosePair { .. }
            );
            assert!(expected, "{error}");
        }
    }
}

#[test]
fn any_blossom_left_out_is_rejected() {
    let (costs, pairing) = honest(Objective::Minimize);
    let blossoms = pairing.certificate().unwrap().blossoms();
    for (k, honest) in blossoms.iter().enumerate() {
        // As if it had never been: its vertices and blossoms belong to the one around.
        let error = with_blossoms(&costs, &pairing, |blossoms| {
            let Blossom {
                direct_vertices,
                around,
                ..
            } = blossoms.remove(k);
            for later in &mut blossoms[k..] {
                later.around = match later.around {
                    Some(at) if at == k => around,
                    Some(at) if at > k => Some(at - 1),
                    other => other,
                };
            }
            if let Some(around) = around {
                blossoms[around].direct_vertices.extend(direct_vertices);
            }
        });
        assert!(
            matches!(error, VerifyError::NegativeReducedCost { .. }),
            "{error}"
        );
        // With all that is directly inside, so that those around have an even number left.
        if honest.around.is_some() && !blossoms.iter().any(|other| other.around == Some(k)) {
            let error = with_blossoms(&costs, &pairing, |blossoms| {
                blossoms.remove(k);
                for later in &mut blossoms[k..] {
                    later.around = later.around.map(|at| if at > k { at - 1 } else { at });
                }
            });
            assert!(matches!(error, VerifyError::NotOdd { .. }), "{error}");
        }
    }
    assert!(blossoms.iter().any(|blossom| blossom.around.is_some()));
}

#[test]
fn a_blossom_too_much_is_rejected() {
    // All costs 1: the duals 1/2 suffice, and a blossom only adds slack.
    let costs = DenseCosts::from_fn(6, |_, _| 1.0).unwrap();
    let claim = |vertices: &[usize]| {
        let claim = with_parts(&proven(Objective::Minimize, &costs), |parts| {
            parts.blossoms.push(blossom(vertices, None, 2));
        });
        let certificate = claim.certificate().cloned();
        Pairing::from_parts(vec![1, 0, 3, 2, 5, 4], 3.0, claim.objective(), certificate)
    };
    // With no pair inside.
    assert_eq!(
        verify(&costs, &claim(&[0, 2, 4])).unwrap_err(),
        VerifyError::LooseBlossom {
            blossom: 0,
            inside: 0,
            needed: 1
        }
    );
    assert_eq!(
        verify(&costs, &claim(&[0, 1, 2])).unwrap_err(),
        VerifyError::LoosePair {
            i: 0,
            j: 1,
            reduced: 2
        }
    );
}

#[test]
fn blossoms_that_cross_are_rejected() {
    let costs = DenseCosts::from_fn(6, |_, _| 1.0).unwrap();
    for around in [None, Some(0)] {
        let claim = with_parts(&proven(Objective::Minimize, &costs), |parts| {
            parts.blossoms = vec![blossom(&[0, 1, 2], None, 0), blossom(&[2, 3, 4], around, 0)];
        });
        assert_eq!(
            verify(&costs, &claim).unwrap_err(),
            VerifyError::BlossomVertex {
                blossom: 1,
                vertex: 2
            }
        );
    }
}

#[test]
fn what_is_stated_must_be_so() {
    let (costs, pairing) = honest(Objective::Minimize);
    let error = |claim: &Pairing| verify(&costs, claim).unwrap_err();
    let part = |change: &dyn Fn(&mut CertificateParts)| error(&with_parts(&pairing, change));
    assert!(matches!(
        part(&|parts| parts.dual_bound += 1.0),
        VerifyError::WrongBound { .. }
    ));
    assert!(matches!(
        part(&|parts| parts.dual_bound = f64::NAN),
        VerifyError::WrongBound { .. }
    ));
    // Whoever has not seen every cost may allow for half a unit each, and no more.
    for wrong in [1e3, -0.5, f64::NAN] {
        assert!(matches!(
            part(&|parts| parts.quantisation_error = wrong),
            VerifyError::WrongQuantisationError { .. }
        ));
    }
    assert!(matches!(
        part(&|parts| parts.dual_bound -= 1e3),
        VerifyError::WrongBound { .. }
    ));
    let cautious = with_parts(&pairing, |parts| {
        parts.quantisation_error = 0.5;
        parts.dual_bound -= 0.5;
    });
    assert!(verify(&costs, &cautious).unwrap().is_exact());
    for resolution in [0.0, 3.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            part(&|parts| parts.resolution = resolution),
            VerifyError::Resolution { .. }
        ));
    }
    part(&|parts| parts.resolution = 2.0);
    part(&|parts| parts.resolution = 0.5);
    assert!(matches!(
        part(&|parts| parts.resolution = 5e-324),
        VerifyError::OutOfScale { .. }
    ));
    assert!(matches!(
        part(&|parts| parts.vertex_duals.truncate(39)),
        VerifyError::DualCount { .. }
    ));

    let from = |cost, objective| {
        let certificate = pairing.certificate().cloned();
        Pairing::from_parts(pairing.mates().to_vec(), cost, objective, certificate)
    };
    let objective = pairing.objective();
    assert!(matches!(
        error(&from(pairing.cost() + 1.0, objective)),
        VerifyError::WrongCost { .. }
    ));
    assert!(matches!(
        error(&from(f64::NAN, objective)),
        VerifyError::WrongCost { .. }
    ));
    assert_eq!(error(&from(pairing.cost(), None)), VerifyError::NoObjective);
    error(&from(pairing.cost(), Some(Objective::Maximize)));
    let short = Pairing::from_parts(vec![1, 0], 0.0, None, None);
    assert_eq!(
        error(&short),
        VerifyError::WrongSize {
            mates: 2,
            vertices: 40
        }
    );
}

/// Nothing but the caution itself says how large a rounding may be there.
#[test]
fn caution_about_an_optimum_of_zero_is_accepted() {
    for objective in [Objective::Minimize, Objective::Maximize] {
        let sign = objective.as_minimum(1.0);
        let costs = DenseCosts::from_fn(12, |i, j| sign * (0.7 * ((i / 2).abs_diff(j / 2)) as f64)).unwrap();
        let pairing = proven(objective, &costs);
        assert_eq!(pairing.cost(), 0.0);
        let unseen = 6.0 * pairing.certificate().unwrap().resolution();
        let claim = |times: f64| {
            with_parts(&pairing, |parts| {
                parts.quantisation_error = unseen;
                parts.dual_bound = sign * (-times * unseen).next_down();
            })
        };
        assert!(verify(&costs, &claim(1.0)).is_ok());
        assert!(matches!(
            verify(&costs, &claim(1.001)),
            Err(VerifyError::WrongBound { .. })
        ));
    }
}

#[test]
fn duals_beyond_128_bits_are_an_error_not_a_panic_or_a_proof() {
    let (costs, pairing) = honest(Objective::Minimize);
    let error =
        |change: &dyn Fn(&mut CertificateParts)| verify(&costs, &with_parts(&pairing, change)).unwrap_err();
    for dual in [i128::MAX, i128::MIN] {
        assert_eq!(
            error(&|parts| parts.vertex_duals.fill(dual)),
            VerifyError::DualOverflow
        );
    }
    // Feasible, but their sum is not to be had.
    let low = with_parts(&pairing, |parts| {
        parts.vertex_duals.fill(-(1 << 125));
        parts.blossoms.clear();
    });
    let bound = verify_bound(&costs, Objective::Minimize, low.certificate().unwrap());
    assert_eq!(bound.unwrap_err(), VerifyError::DualOverflow);
    let nested = |parts: &mut CertificateParts| {
        parts.blossoms = vec![
            blossom(&[3, 4], None, i128::MAX),
            blossom(&[0, 1, 2], Some(0), i128::MAX),
        ];
    };
    assert_eq!(error(&nested), VerifyError::DualOverflow);
}

#[test]
fn rounding_is_measured_and_must_not_be_hidden() {
    let costs = DenseCosts::from_fn(40, |i, j| 1.0 / (1 + i + 3 * j) as f64).unwrap();
    let pairing = proven(Objective::Minimize, &costs);
    let stated = pairing.certificate().unwrap().quantisation_error();
    assert!(stated > 0.0 && stated <= 40.0 * 2.0_f64.powi(-55));
    let verdict = verify(&costs, &pairing).unwrap();
    let measured = verdict.quantisation_error;
    assert!(verdict.optimal && !verdict.is_exact());
    assert!(measured > 0.0 && measured <= stated);
    assert!(verdict.gap <= 1.5 * measured + 2.0 * f64::EPSILON * verdict.cost);
    assert!(verdict.dual_bound <= verdict.cost - measured / 2.0);
    let claim = with_parts(&pairing, |parts| parts.quantisation_error = 0.0);
    assert!(matches!(
        verify(&costs, &claim),
        Err(VerifyError::WrongQuantisationError { .. })
    ));
}

#[test]
fn a_pairing_without_a_certificate_is_checked_but_not_proven() {
    let (costs, best) = honest(Objective::Minimize);
    let greedy = GreedyPairing::new(Objective::Minimize).solve(&costs).unwrap();
    let verdict = verify(&costs, &greedy).unwrap();
    assert!(!verdict.optimal && verdict.gap == f64::INFINITY && verdict.dual_bound == f64::NEG_INFINITY);
    assert_eq!(verdict.cost, greedy.cost());
    // Somebody else's certificate bounds it, but does not make it optimal.
    let certificate = best.certificate().unwrap();
    let bound = verify_bound(&costs, Objective::Minimize, certificate).unwrap();
    assert_eq!(bound.dual_bound, best.cost());
    assert!(greedy.cost() > bound.dual_bound);
    assert!(verify(&costs, &greedy.with_certificate(certificate.clone())).is_err());
}
