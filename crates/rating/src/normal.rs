//! The normal distribution: its function and quantile, and the moments of its truncated parts.
//!
//! Everything keeps about 1e-15 of its own size out to where the result leaves the range of `f64`, and
//! the truncated moments for any border: there is no 0/0 far out.

use std::f64::consts::{LN_2, PI};

use crate::sigmoid::exp;

/// From here on 1 - Phi is too small for 1/2 less the series for the middle, and is taken from Mills' ratio.
const TAIL: f64 = 1.5;
/// Up to here the series for the middle is used where it is added to 1/2.
const MIDDLE: f64 = 3.0;

/// phi(x) = e^(-x^2 / 2) / sqrt(2 pi).
///
/// A large square is split, so that its rounding does not grow into the exponential.
pub(crate) fn density(x: f64) -> f64 {
    /// 1 / sqrt(2 pi).
    const ROOT: f64 = 0.398_942_280_401_432_7;
    if x.abs() < 2.0 {
        return ROOT * exp(-0.5 * x * x);
    }
    let near = (x * 16.0).trunc() / 16.0;
    let rest = (x - near) * (x + near);
    ROOT * ((-0.5 * near * near).exp() * (-0.5 * rest).exp())
}

/// Phi(x), the standard normal distribution function, to about 1e-15 of the smaller tail.
///
/// In the middle the series of [`centre`]; in the tails phi(x) times Mills' ratio.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    if -TAIL < x && x < MIDDLE {
        0.5 + density(x) * series(x)
    } else {
        let upper = density(x) * mills_beyond(x.abs());
        if x < 0.0 { upper } else { 1.0 - upper }
    }
}

/// ln phi(x), where phi itself may be too small for an `f64`.
fn ln_density(x: f64) -> f64 {
    -0.5 * (x * x + LN_2 + PI.ln())
}

/// ln Phi(x), to about 1e-15 of its size for any x.
pub(crate) fn ln_normal_cdf(x: f64) -> f64 {
    if x <= -TAIL {
        ln_density(x) + mills_beyond(-x).ln()
    } else if x < TAIL {
        normal_cdf(x).ln()
    } else {
        (-normal_cdf(-x)).ln_1p()
    }
}

/// Phi(x) - 1/2 = phi(x) (x + x^3/3 + x^5/(3 5) + ...).
///
/// Marsaglia, "Evaluating the normal distribution", 2004, eq. 4 (doi 10.18637/jss.v011.i04); outside
/// the middle from the tail.
pub(crate) fn centre(x: f64) -> f64 {
    if x.abs() < MIDDLE {
        density(x) * series(x)
    } else {
        normal_cdf(x) - 0.5
    }
}

/// 1 / (1 3 5 ... (2k + 1)), as many as count for |x| up to [`MIDDLE`]: the first that is left out is below 1e-17 of
/// the sum.
const INVERSE_ODD_FACTORIALS: [f64; 34] = {
    let mut all = [1.0; 34];
    let mut k = 1;
    while k < all.len() {
        all[k] = all[k - 1] / (2 * k + 1) as f64;
        k += 1;
    }
    all
};

/// x + x^3/3 + x^5/(3 5) + ... for |x| up to [`MIDDLE`], even and odd powers of x^2 apart.
#[inline]
fn series(x: f64) -> f64 {
    let square = x * x;
    let fourth = square * square;
    let sums = INVERSE_ODD_FACTORIALS.chunks_exact(2).rev();
    let [even, odd] = sums.fold([0.0; 2], |[even, odd], pair| {
        [even * fourth + pair[0], odd * fourth + pair[1]]
    });
    x * (even + odd * square)
}

/// f and g of Mills' ratio (1 - Phi(x)) / phi(x) = 1 / (x + f), f = 1 / (x + g), g = 2 / (x + 3 / (x + ...)),
/// for x at least [`TAIL`].
///
/// Laplace's continued fraction, from a level whose tail no longer counts.
fn fraction(x: f64) -> (f64, f64) {
    let mut level = (16.0 + 360.0 / (x * x)).ceil();
    // The fraction's own limit if all further levels were alike.
    let mut tail = 0.5 * (x + (x * x + 4.0 * level).sqrt());
    while level > 2.0 {
        tail = x + level / tail;
        level -= 1.0;
    }
    let g = 2.0 / tail;
    (1.0 / (x + g), g)
}

fn mills_beyond(x: f64) -> f64 {
    1.0 / (x + fraction(x).0)
}

/// x >= 0 with Phi(x) - Phi(-x) = p, for p in \[0, 1).
pub(crate) fn central_quantile(p: f64) -> f64 {
    quantile_above_the_middle(0.5 * p, 0.5 * (1.0 - p))
}

/// x with Phi(x) = `share`, in (0, 1).
pub(crate) fn quantile(share: f64) -> f64 {
    if share > 0.5 {
        quantile_above_the_middle(share - 0.5, 1.0 - share)
    } else {
        // By symmetry, where the tail keeps its digits.
        -quantile_above_the_middle(0.5 - share, share)
    }
}

/// x >= 0 with Phi(x) - 1/2 = `half` and 1 - Phi(x) = `tail`: the same said twice, so that the smaller keeps its
/// digits.
///
/// Newton's method on Phi in the middle and on ln(1 - Phi) in the tail; both functions bend one way, and the tail's
/// steps start beyond x, since 1 - Phi(x) <= exp(-x^2 / 2) / 2: so they cannot run off.
fn quantile_above_the_middle(half: f64, tail: f64) -> f64 {
    let in_the_middle = half < 0.45;
    let mut x = if in_the_middle {
        0.0
    } else {
        (-2.0 * (2.0 * tail).ln()).sqrt().max(TAIL)
    };
    // Quadratic convergence: far fewer are needed.
    for _ in 0..60 {
        let step = if in_the_middle {
            (half - centre(x)) / density(x)
        } else {
            let mills = mills_beyond(x.max(TAIL));
            mills * (density(x) * mills / tail).ln()
        };
        x += step;
        if step.abs() <= f64::EPSILON * x {
            break;
        }
    }
    x
}

/// A standard normal variable of which only a part is left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Truncated {
    /// Its mean: v of TrueSkill, up to its sign.
    pub(crate) mean: f64,
    /// The part of the variance that is gone, in \[0, 1\]: w of TrueSkill.
    pub(crate) lost: f64,
    /// The part of the variance that is left, 1 - w, with its own relative precision.
    pub(crate) left: f64,
}

/// z given z > x.
///
/// mean = phi(x) / (1 - Phi(x)) = x + f and variance = 1 - mean (mean - x) = f (g - f), with f and g
/// of the continued fraction: no difference of large numbers, however far out x is.
pub(crate) fn above(x: f64) -> Truncated {
    if x < TAIL {
        let mean = density(x) / normal_cdf(-x);
        let lost = mean * (mean - x);
        let left = 1.0 - lost;
        Truncated { mean, lost, left }
    } else {
        let (f, g) = fraction(x);
        let left = f * (g - f);
        Truncated {
            mean: x + f,
            lost: 1.0 - left,
            left,
        }
    }
}

/// z given -half - middle < z < half - middle, for half >= 0: what is left of a variable around
/// `middle` that came out within `half` of 0.
///
/// Wide intervals around the mean by the textbook formula; all others by Gauss and Legendre's
/// quadrature of positive integrands, since the formula is 0/0 there: from the edge nearer to the
/// mean, or symmetrically where the mean lies inside.
pub(crate) fn within_half(middle: f64, half: f64) -> Truncated {
    let gap = middle.abs();
    let (mean, left) = if gap >= half {
        from_the_edge(gap - half, 2.0 * half)
    } else if half <= 1.0 {
        around_the_middle(gap, half)
    } else {
        let (near, far) = (half - gap, half + gap);
        let mass = centre(near) + centre(far);
        let mean = density(near) * -(-2.0 * half * gap).exp_m1() / mass;
        let lost = mean * mean + (near * density(near) + far * density(far)) / mass;
        return Truncated {
            mean: -mean.copysign(middle),
            lost,
            left: 1.0 - lost,
        };
    };
    Truncated {
        mean: -mean.copysign(middle),
        lost: 1.0 - left,
        left,
    }
}

/// ln of the probability that a normal variable around `middle` comes out within `half` >= 0 of 0; minus
/// infinity for `half` = 0.
///
/// By the same ways as [`within_half`], so as a sum of positive terms wherever a difference would lose digits.
pub(crate) fn ln_within_half(middle: f64, half: f64) -> f64 {
    let gap = middle.abs();
    if gap >= half {
        let edge = gap - half;
        let (length, [mass, ..]) = moments_from_the_edge(edge, 2.0 * half);
        ln_density(edge) + (length * mass).ln()
    } else if half <= 1.0 {
        let [mass, ..] = moments_around_the_middle(gap, half);
        ln_density(gap) + (2.0 * half * mass).ln()
    } else {
        (centre(half - gap) + centre(half + gap)).ln()
    }
}

/// Mean and variance of z in \[edge, edge + length\], edge >= 0.
fn from_the_edge(edge: f64, length: f64) -> (f64, f64) {
    let (length, [mass, first, second]) = moments_from_the_edge(edge, length);
    let mean = first / mass;
    let variance = length * length * (second / mass - mean * mean);
    (edge + length * mean, variance)
}

/// The integrals of 1, x and x^2 over z = edge + length x by the density of s = z - edge,
/// e^(-edge s - s^2 / 2), up to a factor; and the length up to which they count.
fn moments_from_the_edge(edge: f64, length: f64) -> (f64, [f64; 3]) {
    // Where the density has fallen by e^-40.
    let reach = 80.0 / (edge + (edge * edge + 80.0).sqrt());
    let length = length.min(reach);
    let integrals = moments(length * (edge + length), |x| {
        let s = length * x;
        let weight = exp(-edge * s - 0.5 * s * s);
        [weight, weight * x, weight * x * x]
    });
    (length, integrals)
}

/// Mean and variance of z in \[gap - half, gap + half\], with 0 inside.
fn around_the_middle(gap: f64, half: f64) -> (f64, f64) {
    let [mass, first, second] = moments_around_the_middle(gap, half);
    let mean = first / mass;
    (gap - mean, second / mass - mean * mean)
}

/// The integrals of 1, u and u^2 over u = gap - z by its density e^(gap u - u^2 / 2), up to a factor: its odd
/// and its even part are integrated over u = half x > 0.
fn moments_around_the_middle(gap: f64, half: f64) -> [f64; 3] {
    moments(half * (gap + half), |x| {
        let u = half * x;
        let weight = exp(-0.5 * u * u);
        let (odd, even) = ((gap * u).sinh(), (gap * u).cosh());
        [weight * even, weight * odd * u, weight * even * u * u]
    })
}

/// The integrals over \[0, 1\] of three functions, exponentials of something that changes by `range` at most: by the
/// rule of 8 points where that is small, else of 32.
fn moments(range: f64, integrands: impl Fn(f64) -> [f64; 3]) -> [f64; 3] {
    let rule: &[(f64, f64)] = if range <= 1.0 { &LEGENDRE_8 } else { &LEGENDRE_32 };
    let mut sums = [0.0; 3];
    for &(node, weight) in rule {
        for x in [0.5 - 0.5 * node, 0.5 + 0.5 * node] {
            for (sum, value) in sums.iter_mut().zip(integrands(x)) {
                *sum += 0.5 * weight * value;
            }
        }
    }
    sums
}

/// The positive zeros of Legendre's polynomial of degree 8 and their weights (Abramowitz and Stegun,
/// table 25.4, worked out to double precision).
const LEGENDRE_8: [(f64, f64); 4] = [
    (0.9602898564975363, 0.10122853629037626),
    (0.7966664774136267, 0.22238103445337448),
    (0.525532409916329, 0.31370664587788727),
    (0.1834346424956498, 0.362683783378362),
];

/// The same of degree 32.
const LEGENDRE_32: [(f64, f64); 16] = [
    (0.9972638618494816, 0.007018610009470096),
    (0.9856115115452684, 0.01627439473090567),
    (0.9647622555875064, 0.02539206530926206),
    (0.9349060759377397, 0.03427386291302143),
    (0.8963211557660521, 0.04283589802222668),
    (0.84936761373257, 0.050998059262376175),
    (0.7944837959679424, 0.058684093478535544),
    (0.7321821187402897, 0.06582222277636185),
    (0.6630442669302152, 0.0723457941088485),
    (0.5877157572407623, 0.07819389578707031),
    (0.5068999089322294, 0.08331192422694675),
    (0.42135127613063533, 0.08765209300440381),
    (0.33186860228212767, 0.09117387869576389),
    (0.23928736225213706, 0.09384439908080457),
    (0.1444719615827965, 0.09563872007927486),
    (0.04830766568773832, 0.0965400885147278),
];

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use std::f64::consts::FRAC_2_PI;

    #[test]
    fn the_normal_distribution_matches_published_values_in_the_middle_and_in_the_tails() {
        // Abramowitz and Stegun, table 26.1, and 50-digit arithmetic for the tails.
        for (x, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (1.96, 0.975_002_104_851_779_5),
            (-1.4, 0.08075665923377105),
            (-1.6, 0.054799291699557995),
            (-2.4, 0.00819753592459613),
            (-5.0, 2.866515718791939e-07),
            (-10.0, 7.619853024160525e-24),
            (-30.0, 4.906713927148187e-198),
            (-37.0, 5.725571222524577e-300),
        ] {
            assert_relative_eq!(normal_cdf(x), expected, max_relative = 3e-15);
        }
    }

    #[test]
    fn the_normal_distribution_rises_and_is_symmetric_across_its_two_formulas() {
        let mut last = 0.0;
        for step in -4000..=4000 {
            let x = f64::from(step) / 100.0;
            let value = normal_cdf(x);
            assert!(value >= last, "falls at {x}");
            assert!((value + normal_cdf(-x) - 1.0).abs() < 1e-15);
            last = value;
        }
        assert_eq!((normal_cdf(1e9), normal_cdf(-1e9)), (1.0, 0.0));
    }

    #[test]
    fn the_central_quantile_inverts_the_distribution_to_the_last_digits() {
        for (p, x) in [
            (0.0, 0.0),
            (1e-12, 1.2533141373155004e-12),
            (0.1, 0.12566134685507402),
            (0.5, 0.6744897501960817),
            (0.9, 1.6448536269514726),
            (0.95, 1.9599639845400543),
            (0.999, 3.290526731491895),
        ] {
            assert_relative_eq!(central_quantile(p), x, max_relative = 3e-15);
        }
        // 1 - p has eight digits here.
        assert_relative_eq!(
            central_quantile(0.999_999_999),
            6.1094102048693975,
            max_relative = 1e-8
        );
    }

    #[test]
    fn quantiles_match_published_values_and_invert_the_distribution() {
        // Abramowitz and Stegun, tables 26.5 and 26.6.
        for (share, x) in [
            (0.5, 0.0),
            (0.9, 1.281_551_565_544_6),
            (0.95, 1.644_853_626_951_47),
            (0.01, -2.326_347_874_040_84),
            (1e-10, -6.361_340_902_404_06),
        ] {
            assert_relative_eq!(quantile(share), x, epsilon = 1e-11);
        }
        for share in [1e-300, 1e-20, 0.049, 0.051, 0.3, 0.7, 0.949, 0.951] {
            assert_relative_eq!(normal_cdf(quantile(share)), share, max_relative = 1e-12);
        }
    }

    #[test]
    fn one_sided_moments_match_long_arithmetic_out_to_a_million_deviations() {
        for (x, mean, lost, left) in [
            (
                -6.0,
                6.075882855817676e-09,
                3.645529717182241e-08,
                0.9999999635447028,
            ),
            (-1.49, 0.141077518451449, 0.23010836870507795, 0.769891631294922),
            (0.0, 0.7978845608028654, FRAC_2_PI, 0.3633802276324187),
            (0.7, 1.2904993394581665, 0.7620390075212475, 0.2379609924787524),
            (1.49, 1.930176799618194, 0.8496190463532247, 0.15038095364677528),
            (1.5, 1.9386771666225433, 0.8504534064497973, 0.1495465935502027),
            (2.5, 2.8227447976639075, 0.9110261985788846, 0.08897380142111544),
            (6.0, 6.158482604544599, 0.9760123632108332, 0.02398763678916677),
            (40.0, 40.02496884720726, 0.9993773316214086, 0.0006226683785913888),
            (1e3, 1000.000999998, 0.999999000006, 9.999940000499995e-07),
            (1e6, 1000000.000001, 0.999999999999, 9.99999999994e-13),
        ] {
            let found = above(x);
            assert_relative_eq!(found.mean, mean, max_relative = 2e-15);
            assert_relative_eq!(found.lost, lost, max_relative = 1.5e-14);
            assert_relative_eq!(found.left, left, max_relative = 1e-13);
        }
        for x in [-40.0, -1e6, -1e22, -1e160] {
            let found = above(x);
            assert!(
                found.mean < 1e-300 && found.lost < 1e-300 && found.left == 1.0,
                "{x}"
            );
        }
        let far = above(1e22);
        assert!(far.mean == 1e22 && far.lost == 1.0 && far.left > 0.0);
    }

    /// Middle and half width; mean, lost and left variance, from 100-digit arithmetic.
    const TWO_SIDED: [[f64; 5]; 17] = [
        [
            9.0,
            5.0,
            -4.225607144489471,
            0.9533271616025774,
            0.04667283839742263,
        ],
        [
            0.001,
            0.005,
            -0.0009999916666944444,
            0.9999916666944445,
            8.333305555546957e-06,
        ],
        [0.0, 0.74, 0.0, 0.8304348719260415, 0.1695651280739585],
        [
            1e-9,
            0.5,
            -9.194108453991883e-10,
            0.9194108453991883,
            0.0805891546008117,
        ],
        [
            0.3,
            0.5,
            -0.2758572455993245,
            0.9197503068782072,
            0.08024969312179271,
        ],
        [
            0.5,
            0.5,
            -0.4598622292864265,
            0.9203481751514887,
            0.07965182484851131,
        ],
        [
            3.0,
            0.2,
            -2.96112735987994,
            0.9876321050242767,
            0.012367894975723366,
        ],
        [
            -3.0,
            0.2,
            2.96112735987994,
            0.9876321050242767,
            0.012367894975723366,
        ],
        [
            0.2,
            1.5,
            -0.0900494389102819,
            0.4537732680303522,
            0.5462267319696478,
        ],
        [
            1.0,
            4.0,
            -0.004436351586384508,
            0.013340645811148367,
            0.9866593541888516,
        ],
        [
            5.0,
            4.5,
            -1.1410777703680646,
            0.731519592844121,
            0.26848040715587895,
        ],
        [
            12.0,
            0.01,
            -11.99960038879284,
            0.999966762888478,
            3.3237111521992826e-05,
        ],
        [1e6, 1e-3, -999999.999001, 0.999999999999, 1.000000001994e-12],
        [1e6, 1e-9, -1000000.0, 1.0, 3.3333326666667725e-19],
        [
            1e3,
            5.0,
            -995.0010050230953,
            0.9999989899306183,
            1.0100693816802537e-06,
        ],
        [30.0, 30.0, -0.7978845608028654, FRAC_2_PI, 0.3633802276324187],
        [
            0.01,
            1e-6,
            -0.009999999999996666,
            0.9999999999996667,
            3.3333333333328886e-13,
        ],
    ];

    #[test]
    fn two_sided_moments_match_long_arithmetic_for_narrow_wide_and_far_intervals() {
        for [middle, half, mean, lost, left] in TWO_SIDED {
            let found = within_half(middle, half);
            assert_relative_eq!(found.mean, mean, max_relative = 1e-14);
            assert_relative_eq!(found.lost, lost, max_relative = 1e-14);
            // The borders themselves are rounded: 5 - 4.5 is exact, 12 - 0.01 is not.
            assert_relative_eq!(found.left, left, max_relative = 1e-12);
        }
        // Nothing is left of an interval without length but its place.
        assert_eq!(
            within_half(2.0, 0.0),
            Truncated {
                mean: -2.0,
                lost: 1.0,
                left: 0.0
            }
        );
        assert_eq!(within_half(0.0, 0.0).mean.abs(), 0.0);
        assert_eq!(within_half(0.0, 1e9).lost, 0.0);
    }

    #[test]
    fn logarithms_of_probabilities_agree_with_the_probabilities_and_go_on_where_these_end() {
        for x in [-37.0, -10.0, -1.6, -1.5, -1.4, 0.0, 0.7] {
            assert_relative_eq!(ln_normal_cdf(x), normal_cdf(x).ln(), max_relative = 1e-14);
        }
        assert_relative_eq!(ln_normal_cdf(10.0), -7.619853024160525e-24, max_relative = 1e-14);
        // -x^2/2 - ln(sqrt(2 pi) x) - 1/x^2 + ...
        let far = -5e11 - 1e6_f64.ln() - 0.918_938_533_204_672_8;
        assert_relative_eq!(ln_normal_cdf(-1e6), far, max_relative = 1e-15);
        for (middle, half) in [
            (0.3, 0.5),
            (0.2, 1.5),
            (1.0, 4.0),
            (3.0, 0.2),
            (5.0, 4.5),
            (-5.0, 4.5),
        ] {
            let mass = normal_cdf(half - middle) - normal_cdf(-half - middle);
            assert_relative_eq!(ln_within_half(middle, half), mass.ln(), max_relative = 1e-12);
        }
        // A narrow interval is worth its length times the density.
        let narrow = (2e-9_f64).ln() - 50.0 - 0.918_938_533_204_672_8;
        assert_relative_eq!(ln_within_half(10.0, 1e-9), narrow, max_relative = 1e-12);
        let wide = ln_normal_cdf(-995.0);
        assert_relative_eq!(ln_within_half(1e3, 5.0), wide, max_relative = 1e-14);
        assert_eq!(ln_within_half(3.0, 0.0), f64::NEG_INFINITY);
        assert_eq!(ln_within_half(0.0, 1e9), 0.0);
    }
}
