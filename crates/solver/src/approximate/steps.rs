//! Steps towards better duals, among few pairs.

/// How many steps there are after each sweep.
const STEPS: usize = 24;

/// What the direction keeps of the one before.
const MEMORY: f64 = 0.7;

/// Steps grow by this factor with every better sum, and shrink by the other after two that are no better.
const GROWTH: f64 = 1.2;
const SHRINKAGE: f64 = 0.5;
const PATIENCE: u32 = 2;

/// The first step, as a part of the vertices' margins.
const FIRST_STEP: f64 = 0.1;

/// The pairs that have come nearest to being tight: for each vertex some partners with the weights.
pub(super) struct Candidates {
    lists: Vec<Vec<(u32, f64)>>,
}

impl Candidates {
    /// None, for so many vertices.
    pub(super) fn new(vertices: usize) -> Self {
        Self {
            lists: vec![Vec::new(); vertices],
        }
    }

    /// Adds those of `i` that are new, from (weight less the partner's dual, partner).
    pub(super) fn add(&mut self, i: usize, reduced: &[(f64, u32)], duals: &[f64]) {
        let list = &mut self.lists[i];
        for &(value, j) in reduced {
            if list.iter().all(|&(known, _)| known != j) {
                list.push((j, value + duals[j as usize]));
            }
        }
    }

    /// Moves y to where D, of these pairs alone, is larger.
    ///
    /// A step averages y with its c-transform, and goes on along the supergradient (1 - d) / 2, where d
    /// counts for each vertex whose minima are there: duals of the sought fall, those of the others rise. The
    /// direction remembers the ones before. After steps that gain nothing the best duals so far are taken up
    /// again, with smaller steps.
    ///
    /// Held, Wolfe and Crowder, "Validation of subgradient optimization", Mathematical Programming 6 (1974),
    /// doi:10.1007/BF01580223; for the memory Camerini, Fratta and Maffioli, "On improving relaxation methods
    /// by modified gradient techniques", Math. Programming Study 3 (1975), doi:10.1007/BFb0120697.
    pub(super) fn ascend(&self, duals: &mut Vec<f64>) {
        let n = duals.len();
        let (mut best, mut best_duals, mut best_averages) = (f64::NEG_INFINITY, duals.clone(), duals.clone());
        let (mut averages, mut direction, mut picked) = (vec![0.0; n], vec![0.0; n], vec![0_u32; n]);
        let (mut length, mut failures) = (None, 0);
        for _ in 0..STEPS {
            let margins = self.average(duals, &mut averages, &mut picked);
            let mut step = length.unwrap_or(FIRST_STEP * margins);
            let sum = averages.iter().sum();
            if sum > best {
                best = sum;
                best_duals.copy_from_slice(duals);
                best_averages.copy_from_slice(&averages);
                failures = 0;
                step *= GROWTH;
            } else {
                failures += 1;
            }
            if failures == PATIENCE {
                failures = 0;
                step *= SHRINKAGE;
                duals.copy_from_slice(&best_averages);
            } else {
                duals.copy_from_slice(&averages);
            }
            length = Some(step);
            if picked.iter().all(|&times| times == 1) {
                // The bound is that of a fractional pairing of these pairs, and cannot rise.
                break;
            }
            move_along(duals, &mut direction, &picked, step);
        }
        *duals = best_duals;
    }

    /// (y + v) / 2, how often each vertex is where a minimum is, and the margins: by how much the second
    /// smallest of the differences that v is the minimum of exceeds it, summed, which is the scale on which
    /// duals decide anything. Where all are tied, it is that of the duals.
    fn average(&self, duals: &[f64], averages: &mut [f64], picked: &mut [u32]) -> f64 {
        picked.fill(0);
        let mut margins = 0.0;
        for ((list, &y), average) in self.lists.iter().zip(duals).zip(averages) {
            let (mut first, mut second, mut pick) = (f64::INFINITY, f64::INFINITY, None);
            for &(j, weight) in list {
                let reduced = weight - duals[j as usize];
                if reduced < first {
                    (first, second, pick) = (reduced, first, Some(j));
                } else if reduced < second {
                    second = reduced;
                }
            }
            if let Some(j) = pick {
                picked[j as usize] += 1;
            }
            *average = if pick.is_some() { y.midpoint(first) } else { y };
            margins += if second < f64::INFINITY {
                second - first
            } else {
                0.0
            };
        }
        if margins > 0.0 {
            margins
        } else {
            duals.iter().map(|y| y.abs()).sum()
        }
    }
}

fn move_along(duals: &mut [f64], direction: &mut [f64], picked: &[u32], step: f64) {
    for (at, &times) in direction.iter_mut().zip(picked) {
        *at = MEMORY * *at + (1.0 - f64::from(times)) / 2.0;
    }
    let square: f64 = direction.iter().map(|at| at * at).sum();
    if square > 0.0 {
        for (y, at) in duals.iter_mut().zip(direction) {
            *y += step / square * *at;
        }
    }
}
