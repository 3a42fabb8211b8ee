//! How the probability of a draw falls with the gap in skill, and how wide a pool may be for it.

use std::f64::consts::LN_10;

use matchwright_rating::{Davidson, DrawModel, EloCurve, FixedDraw, OutcomeProbabilities, RaoKupper};
use matchwright_scoring::OutcomeChances;

use super::config::{DRAW_RATE, DRAW_WIDTH};
use anyhow::{Result, bail};
use matchwright_sim::adapt::chances_of;

/// Rating points for odds of e to 1 on Elo's logistic scale.
const POINTS: f64 = 400.0 / LN_10;
/// The u in (0, 1) with u^3 + u^2 + u = 1.
const GAUSSIAN_ROOT: f64 = 0.5436890126920764;

/// A draw probability as a function of the gap in skill, rating points; decided matches go by Elo's logistic
/// curve with scale 400.
///
/// The models of `matchwright-rating`, and three shapes of g for the proposition of [`theory`](super): a bell, a
/// convex fall and a concave one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawLaw(Shape);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Constant(FixedDraw),
    Davidson(Davidson),
    RaoKupper(RaoKupper),
    Gaussian { peak: f64, width: f64 },
    Exponential { peak: f64, width: f64 },
    Parabola { peak: f64, width: f64 },
}

impl DrawLaw {
    /// The same probability at any gap: EOMM Eq. 10.
    ///
    /// # Errors
    /// Unless it is from 0 to 1.
    pub fn constant(draw: f64) -> Result<Self> {
        Ok(Self(Shape::Constant(FixedDraw::new(draw)?)))
    }

    /// Davidson's model with this draw rate between equals.
    ///
    /// # Errors
    /// Unless it is from 0 to below 1.
    pub fn davidson(draw: f64) -> Result<Self> {
        Ok(Self(Shape::Davidson(Davidson::from_draw_probability(draw)?)))
    }

    /// Rao and Kupper's model with this draw rate between equals.
    ///
    /// # Errors
    /// Unless it is from 0 to below 1.
    pub fn rao_kupper(draw: f64) -> Result<Self> {
        Ok(Self(Shape::RaoKupper(RaoKupper::from_draw_probability(draw)?)))
    }

    /// peak exp(-(gap/width)^2): concave up to width / sqrt(2), convex beyond.
    ///
    /// # Errors
    /// Unless `peak` is from 0 to 1 and `width` above 0, finite.
    pub fn gaussian(peak: f64, width: f64) -> Result<Self> {
        let (peak, width) = checked(peak, width)?;
        Ok(Self(Shape::Gaussian { peak, width }))
    }

    /// peak exp(-gap/width): convex.
    ///
    /// # Errors
    /// As [`gaussian`](Self::gaussian).
    pub fn exponential(peak: f64, width: f64) -> Result<Self> {
        let (peak, width) = checked(peak, width)?;
        Ok(Self(Shape::Exponential { peak, width }))
    }

    /// peak (1 - (gap/width)^2), and 0 beyond `width`: concave up to there.
    ///
    /// # Errors
    /// As [`gaussian`](Self::gaussian).
    pub fn parabola(peak: f64, width: f64) -> Result<Self> {
        let (peak, width) = checked(peak, width)?;
        Ok(Self(Shape::Parabola { peak, width }))
    }

    /// The five laws under which draws fall with the gap, at EOMM's draw rate.
    ///
    /// # Errors
    /// None: the rate and the width are in range.
    pub(crate) fn falling() -> Result<[Self; 5]> {
        Ok([
            Self::davidson(DRAW_RATE)?,
            Self::rao_kupper(DRAW_RATE)?,
            Self::gaussian(DRAW_RATE, DRAW_WIDTH)?,
            Self::parabola(DRAW_RATE, DRAW_WIDTH)?,
            Self::exponential(DRAW_RATE, DRAW_WIDTH)?,
        ])
    }

    /// What tables call it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.0 {
            Shape::Constant(_) => "constant",
            Shape::Davidson(_) => "Davidson",
            Shape::RaoKupper(_) => "Rao-Kupper",
            Shape::Gaussian { .. } => "Gaussian",
            Shape::Exponential { .. } => "exponential",
            Shape::Parabola { .. } => "parabola",
        }
    }

    /// The chances of a player who is `lead` points stronger; none for NaN.
    #[must_use]
    pub fn chances(&self, lead: f64) -> Option<OutcomeChances> {
        if lead.is_nan() {
            return None;
        }
        let curve = EloCurve::default();
        let (expected, reverse) = (curve.expected(lead, 0.0), curve.expected(0.0, lead));
        let gap = lead.abs();
        let draw = match self.0 {
            Shape::Constant(model) => return chances_of(&model.outcome_probabilities(expected, reverse)),
            Shape::Davidson(model) => return chances_of(&model.outcome_probabilities(expected, reverse)),
            Shape::RaoKupper(model) => return chances_of(&model.outcome_probabilities(expected, reverse)),
            Shape::Gaussian { peak, width } => peak * (-(gap / width).powi(2)).exp(),
            Shape::Exponential { peak, width } => peak * (-gap / width).exp(),
            Shape::Parabola { peak, width } => peak * (1.0 - (gap / width).powi(2)).max(0.0),
        };
        chances_of(&OutcomeProbabilities {
            win: (1.0 - draw) * expected,
            draw,
            loss: (1.0 - draw) * reverse,
        })
    }

    /// f(gap), the probability of a draw; NaN for NaN.
    #[must_use]
    pub fn draw(&self, gap: f64) -> f64 {
        self.chances(gap).map_or(f64::NAN, |chances| chances.draw())
    }

    /// R\*, rating points: sort-adjacent has the most expected draws in every pool whose skills span no more, and
    /// not in every wider one. Infinite where draws do not depend on the gap.
    ///
    /// ```text
    /// Davidson      4 acosh(a/2) 400/ln 10    a = (2 + b + sqrt((2 + b)^2 + 16)) / 2,  b = nu
    /// Rao-Kupper    2 acosh(a/2) 400/ln 10    the same a,  b = theta + 1/theta
    /// Gaussian      2 width sqrt(-ln u)       u^3 + u^2 + u = 1, so 1.5613 width
    /// exponential   0                         parabola: width
    /// ```
    ///
    /// Derivation. In natural units t = gap ln 10 / 400, Rao and Kupper's f is proportional to
    /// 1 / (b + 2 cosh t), Davidson's to 1 / (b + 2 cosh(t/2)). Take the first; the second has twice the
    /// width. For x + z = R put y = cosh((x - z)/2) and Q = cosh(R/2); then
    ///
    /// ```text
    /// f(x) + f(z) ~ (4 Q y + 2 b) / (4 y^2 + 4 b Q y + 4 Q^2 - 4 + b^2)        1 <= y <= Q
    /// ```
    ///
    /// and f(x) + f(z) >= f(0) + f(R) is a quadratic in y with a negative square, which holds between the ends
    /// if it holds at both: at y = Q (x = 0) the sides are equal, so y = 1 decides, x = z = R/2. With
    /// a = 2 cosh(R/2) that reads (a - 2) (a^2 - (2 + b) a - 4) <= 0. The Gaussian's sum goes up, then down in
    /// |x - z|, so that again x = z decides: 2 u >= 1 + u^4 fails first at the root above, with
    /// u = exp(-(R / (2 width))^2). The parabola is concave up to its width, and just beyond it the gaps
    /// `width` and the rest lose more draws than their sum. No closed form is needed for the proposition; a
    /// test holds these against a grid.
    #[must_use]
    pub fn safe_width(&self) -> f64 {
        let root = |b: f64| ((2.0 + b) + ((2.0 + b).powi(2) + 16.0).sqrt()) / 2.0;
        match self.0 {
            _ if self.draw(0.0) == 0.0 => f64::INFINITY,
            Shape::Constant(_) => f64::INFINITY,
            Shape::Davidson(model) => 4.0 * (root(model.nu()) / 2.0).acosh() * POINTS,
            Shape::RaoKupper(model) => {
                let b = model.theta() + 1.0 / model.theta();
                2.0 * (root(b) / 2.0).acosh() * POINTS
            }
            Shape::Gaussian { width, .. } => 2.0 * width * (-GAUSSIAN_ROOT.ln()).sqrt(),
            Shape::Exponential { .. } => 0.0,
            Shape::Parabola { width, .. } => width,
        }
    }

    /// Of the pools 0, x, x, `width` the one where sort-adjacent does worst, x on a grid of `steps` steps.
    #[must_use]
    pub fn hardest_four(&self, width: f64, steps: u32) -> [f64; 4] {
        let adjacent = |x: f64| self.draw(x) + self.draw(width - x);
        let grid = (1..steps).map(|k| width * f64::from(k) / f64::from(steps));
        let least = grid.min_by(|a, b| adjacent(*a).total_cmp(&adjacent(*b)));
        let x = least.unwrap_or(width / 2.0);
        [0.0, x, x, width]
    }
}

fn checked(peak: f64, width: f64) -> Result<(f64, f64)> {
    let peak = FixedDraw::new(peak)?.draw_probability();
    if !width.is_finite() || width <= 0.0 {
        bail!("the draw law's width is {width}; it must be above 0 rating points");
    }
    Ok((peak, width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    fn falling() -> [DrawLaw; 5] {
        [
            DrawLaw::davidson(0.2).unwrap(),
            DrawLaw::rao_kupper(0.2).unwrap(),
            DrawLaw::gaussian(0.2, 200.0).unwrap(),
            DrawLaw::exponential(0.2, 200.0).unwrap(),
            DrawLaw::parabola(0.2, 200.0).unwrap(),
        ]
    }

    /// The least of f(x) + f(z) - f(0) - f(x + z) over x + z <= width, on a grid that has `width` itself.
    fn margin(law: &DrawLaw, width: f64) -> f64 {
        let f = |k: u32| law.draw(width * f64::from(k) / 200.0);
        (0..=200_u32)
            .flat_map(|sum| (0..=sum).map(move |x| f(x) + f(sum - x) - f(0) - f(sum)))
            .fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn within_the_safe_width_g_is_superadditive_and_just_beyond_it_is_not() {
        for rate in [0.05, 0.2, 0.5, 0.9] {
            let laws = [
                DrawLaw::davidson(rate),
                DrawLaw::rao_kupper(rate),
                DrawLaw::gaussian(rate, 130.0),
                DrawLaw::parabola(rate, 130.0),
            ];
            for law in laws.map(Result::unwrap) {
                let width = law.safe_width();
                assert!(margin(&law, width) > -1e-13, "{} {rate}", law.name());
                assert!(margin(&law, width * 1.02) < -1e-6, "{} {rate}", law.name());
            }
        }
        let convex = DrawLaw::exponential(0.2, 200.0).unwrap();
        assert!(margin(&convex, 1.0) < -1e-8);
    }

    #[test]
    fn widths_at_twenty_percent_are_those_of_the_docs() {
        let [davidson, rao_kupper, gaussian, ..] = falling().map(|law| law.safe_width());
        assert_abs_diff_eq!(davidson, 830.9, epsilon = 0.05);
        assert_abs_diff_eq!(rao_kupper, 542.2, epsilon = 0.05);
        assert_abs_diff_eq!(gaussian, 200.0 * 1.5613, epsilon = 0.015);
        let u = GAUSSIAN_ROOT;
        assert_abs_diff_eq!(u * u * u + u * u + u, 1.0, epsilon = 1e-15);
    }

    #[test]
    fn draws_fall_with_the_gap_from_the_rate_of_equals_and_chances_swap_sides() {
        for law in falling() {
            assert_abs_diff_eq!(law.draw(0.0), 0.2, epsilon = 1e-15);
            let draws: Vec<f64> = (0..40).map(|k| law.draw(f64::from(k) * 25.0)).collect();
            assert!(draws.windows(2).all(|pair| pair[1] <= pair[0]), "{}", law.name());
            let chances = law.chances(150.0).unwrap();
            assert_eq!(chances.reversed(), law.chances(-150.0).unwrap());
            assert!(chances.win() > chances.loss());
        }
        let constant = DrawLaw::constant(0.2).unwrap();
        assert_eq!(constant.draw(500.0), 0.2);
        assert!(constant.safe_width().is_infinite());
        assert!(constant.chances(f64::NAN).is_none());
    }

    #[test]
    fn a_law_without_draws_has_no_width_to_fear() {
        for law in [
            DrawLaw::davidson(0.0),
            DrawLaw::rao_kupper(0.0),
            DrawLaw::gaussian(0.0, 9.0),
        ] {
            assert!(law.unwrap().safe_width().is_infinite());
        }
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        assert!(DrawLaw::constant(1.1).is_err());
        assert!(DrawLaw::davidson(1.0).is_err());
        assert!(DrawLaw::rao_kupper(f64::NAN).is_err());
        assert!(DrawLaw::gaussian(-0.1, 100.0).is_err());
        assert!(DrawLaw::exponential(0.1, 0.0).is_err());
        assert!(DrawLaw::parabola(0.1, f64::INFINITY).is_err());
    }
}
