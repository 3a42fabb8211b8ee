//! How a number becomes text for a reader: the same bytes on every machine, a true minus sign, no negative zero.

/// What stands where a number is not finite.
pub(crate) const MISSING: &str = "-";
/// U+2212, as wide as a plus sign, so that columns of signed numbers line up.
const MINUS: char = '\u{2212}';
/// At and above this magnitude an `f64` has no reliable decimals left and fixed notation only prints noise.
const FIXED_LIMIT: f64 = 1e15;
/// An `f64` holds at most 17 significant decimal digits.
const MAX_DIGITS: usize = 17;

/// The notation of a column's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    /// The fewest digits that read back as the same number.
    Shortest,
    /// A fixed number of decimals.
    Fixed(usize),
    /// A number of significant digits, with a power of ten for the very small and the very large.
    Significant(usize),
}

impl Notation {
    /// `value` as a reader sees it.
    pub(crate) fn format(self, value: f64) -> String {
        if !value.is_finite() {
            return MISSING.to_owned();
        }
        match self {
            Self::Shortest => with_true_minus(&shortest(value)),
            Self::Fixed(decimals) => grouped(&fixed(value, decimals.min(MAX_DIGITS))),
            Self::Significant(digits) => grouped(&significant(value, digits.clamp(1, MAX_DIGITS))),
        }
    }
}

/// The fewest ASCII digits that read back as the same number; for files that programs read.
pub(crate) fn shortest(value: f64) -> String {
    let text = format!("{value:?}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_owned(),
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// `value` with `decimals` decimals.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    if value.abs() >= FIXED_LIMIT {
        return with_true_minus(&format!("{value:.0$e}", decimals.min(6)));
    }
    let text = format!("{value:.decimals$}");
    let is_zero = !text.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    if is_zero {
        text.replace('-', "")
    } else {
        with_true_minus(&text)
    }
}

/// `value` with `digits` significant digits: 0.0123, 4.56, 1.2e−9.
fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{value:.0$e}", digits - 1);
    // Read from the rounded text, so that 9.996 with three digits counts as 1.00e1.
    let exponent = exponent_of(&scientific);
    match usize::try_from(exponent) {
        Ok(above) if above < 6 => fixed(value, (digits - 1).saturating_sub(above)),
        Err(_) if exponent >= -4 => fixed(value, digits - 1 + exponent.unsigned_abs() as usize),
        _ => with_true_minus(&scientific),
    }
}

/// `value` for running text, with up to `digits` significant digits and no more zeros than it needs: 0.25, 12,345, 1.2e−9.
///
/// ```
/// assert_eq!(matchwright_report::brief(41.0449, 3), "41");
/// assert_eq!(matchwright_report::brief(-0.25, 3), "−0.25");
/// ```
#[must_use]
pub fn brief(value: f64, digits: usize) -> String {
    let text = Notation::Significant(digits).format(value);
    let (number, power) = text.find('e').map_or((text.as_str(), ""), |at| text.split_at(at));
    let number = if number.contains('.') {
        number.trim_end_matches('0').trim_end_matches('.')
    } else {
        number
    };
    format!("{number}{power}")
}

/// The exponent of a number in scientific notation.
fn exponent_of(scientific: &str) -> i32 {
    let exponent = scientific.rsplit('e').next();
    exponent.and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// The exponent of the largest power of ten up to `value`, exactly: a logarithm would be off by rounding at times.
pub(crate) fn floor_log10(value: f64) -> i32 {
    exponent_of(&format!("{value:e}"))
}

/// An integer; from 10,000 on with commas between thousands.
pub(crate) fn integer(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let sign = if value < 0 {
        MINUS.to_string()
    } else {
        String::new()
    };
    sign + &group_thousands(&digits)
}

/// A count for running text, as tables write it: from 10,000 on with commas between thousands.
///
/// ```
/// assert_eq!(matchwright_report::count(5_093_131), "5,093,131");
/// assert_eq!(matchwright_report::count(9_999), "9999");
/// ```
#[must_use]
pub fn count(value: u64) -> String {
    group_thousands(&value.to_string())
}

/// A number of things, in words for one and for several.
///
/// ```
/// use matchwright_report::counted;
///
/// assert_eq!(counted(1, "ticket", "tickets"), "1 ticket");
/// assert_eq!(counted(12_000, "ticket", "tickets"), "12,000 tickets");
/// ```
#[must_use]
pub fn counted(number: usize, one: &str, several: &str) -> String {
    let words = if number == 1 { one } else { several };
    format!("{} {words}", count(number as u64))
}

/// A number for running text, as tables write it: with these decimals, a true minus sign, and from 10,000 on with
/// commas between thousands; `-` where it is not finite.
///
/// ```
/// assert_eq!(matchwright_report::decimal(-17_454.54, 1), "−17,454.5");
/// ```
#[must_use]
pub fn decimal(value: f64, decimals: usize) -> String {
    Notation::Fixed(decimals).format(value)
}

/// A number for running text, with as many decimals as an error of this size leaves it: two digits of the error are shown.
/// Three significant digits where the error is not above 0 or not finite.
///
/// ```
/// assert_eq!(matchwright_report::rounded(56.4123, 1.048), "56.4");
/// assert_eq!(matchwright_report::rounded(1204.7, 31.0), "1205");
/// assert_eq!(matchwright_report::rounded(0.012345, f64::NAN), "0.0123");
/// ```
#[must_use]
pub fn rounded(value: f64, error: f64) -> String {
    if !(error > 0.0 && error.is_finite()) {
        return brief(value, 3);
    }
    let decimals = usize::try_from(1 - floor_log10(error)).unwrap_or(0);
    decimal(value, decimals.min(MAX_DIGITS))
}

/// A formatted number with commas between the thousands of its whole part, from 10,000 on.
pub(crate) fn grouped(text: &str) -> String {
    let (sign, digits) = text
        .strip_prefix(MINUS)
        .map_or(("", text), |digits| ("\u{2212}", digits));
    let (whole, rest) = digits
        .find(['.', 'e'])
        .map_or((digits, ""), |end| digits.split_at(end));
    format!("{sign}{}{rest}", group_thousands(whole))
}

/// A run of ASCII digits with commas between thousands when there are five or more.
fn group_thousands(digits: &str) -> String {
    if digits.len() < 5 {
        return digits.to_owned();
    }
    let mut grouped = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// 10 to the power `exponent`, as in 10⁻³.
pub(crate) fn power_of_ten(exponent: i32) -> String {
    let digits = exponent.to_string();
    let raised = digits.chars().map(|character| match character {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    });
    "10".chars().chain(raised).collect()
}

/// Every ASCII hyphen of a formatted number as a minus sign.
fn with_true_minus(text: &str) -> String {
    text.replace('-', &MINUS.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rounding_to_nothing_leaves_no_sign() {
        assert_eq!(Notation::Fixed(2).format(-0.001), "0.00");
        assert_eq!(Notation::Fixed(0).format(-0.0), "0");
        assert_eq!(Notation::Fixed(2).format(-0.006), "−0.01");
        assert_eq!(Notation::Shortest.format(-0.0), "0");
    }

    #[test]
    fn what_is_not_finite_is_a_dash() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Notation::Fixed(3).format(value), "-");
            assert_eq!(Notation::Significant(3).format(value), "-");
        }
    }

    #[test]
    fn significant_digits_survive_rounding_up_a_decade() {
        let three = Notation::Significant(3);
        assert_eq!(three.format(9.996), "10.0");
        assert_eq!(three.format(0.09996), "0.100");
        assert_eq!(three.format(0.000123456), "0.000123");
        assert_eq!(three.format(0.0000123456), "1.23e−5");
        assert_eq!(three.format(-123_456.0), "−123,456");
        assert_eq!(three.format(1234567.0), "1.23e6");
        assert_eq!(three.format(0.0), "0");
    }

    #[test]
    fn a_brief_number_has_no_zeros_that_it_does_not_need() {
        let shown = [50.0, 0.25, -12_345.678, 0.0, 1.2e-9, f64::NAN, 100.0].map(|value| brief(value, 5));
        assert_eq!(shown, ["50", "0.25", "−12,346", "0", "1.2e−9", "-", "100"]);
    }

    #[test]
    fn thousands_are_parted_from_ten_thousand_on() {
        assert_eq!(Notation::Fixed(1).format(-12_345.67), "−12,345.7");
        assert_eq!(Notation::Fixed(0).format(9999.0), "9999");
        assert_eq!(integer(9999), "9999");
        assert_eq!(integer(10_000), "10,000");
        assert_eq!(integer(-1_234_567), "−1,234,567");
        assert_eq!(integer(i64::MIN), "−9,223,372,036,854,775,808");
    }

    #[test]
    fn powers_of_ten_are_raised() {
        assert_eq!(power_of_ten(-12), "10⁻¹²");
        assert_eq!(power_of_ten(30), "10³⁰");
    }

    proptest! {
        #[test]
        fn the_shortest_form_reads_back_as_the_same_number(value in proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL) {
            prop_assert_eq!(shortest(value).parse::<f64>().unwrap(), value);
        }

        #[test]
        fn fixed_notation_is_within_half_a_unit_in_the_last_place(value in -1e12..1e12_f64, decimals in 0_usize..6) {
            let back: f64 = fixed(value, decimals).replace('−', "-").parse().unwrap();
            prop_assert!((back - value).abs() <= 0.5 * 10_f64.powi(-i32::try_from(decimals).unwrap()) + value.abs() * 1e-15);
        }

        #[test]
        fn any_number_in_any_notation_is_short(value in proptest::num::f64::ANY, digits in 0_usize..100) {
            for notation in [Notation::Shortest, Notation::Fixed(digits), Notation::Significant(digits)] {
                prop_assert!(notation.format(value).chars().count() <= 40);
            }
        }
    }
}
