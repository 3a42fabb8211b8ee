//! Commas in numbers: decimal, or between thousands, as all numbers of a column tell together.

use std::borrow::Cow;

/// What mends an open comma, where no option says what it is.
pub(crate) const PLAIN: &str = "write a point before decimals and nothing between thousands";

/// What commas in the numbers of a file are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Decimals {
    /// Whether the user says that they are decimal.
    told: Option<bool>,
    /// Whether there are numbers in which they are, and such in which points are.
    has_comma: bool,
    has_point: bool,
    /// Whether there is a comma at all.
    has_any: bool,
    /// Whether there are numbers such as `1.500`, and whole ones of as many digits as such would have before a point.
    has_open_point: bool,
    has_hundreds: bool,
}

/// What a number says of commas and points.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Nothing.
    Whole,
    /// `0,5`, `1.234,5`, `1.234.567`
    Comma,
    /// `1.5`, `1,234.5`, `1,234,567`
    Point,
    /// `1,500`
    Open,
    /// `1.500`, which is one and a half, unless other numbers have decimal commas.
    OpenPoint,
    /// `1,2,3`
    None,
}

impl Decimals {
    /// As the user says, or by texts of numbers.
    pub(crate) fn of<'t>(told: Option<bool>, texts: impl Iterator<Item = &'t str>) -> Self {
        let mut decimals = Self {
            told,
            ..Self::default()
        };
        texts.for_each(|text| decimals.add(text));
        decimals
    }

    /// Takes note of one more text.
    pub(crate) fn add(&mut self, text: &str) {
        for shape in numbers(text).map(shape) {
            self.has_comma |= shape == Shape::Comma;
            self.has_point |= shape == Shape::Point;
            self.has_open_point |= shape == Shape::OpenPoint;
        }
        self.has_hundreds |= numbers(text).any(|number| number.len() > 2 && shape(number) == Shape::Whole);
        self.has_any |= text.contains(',') && numbers(text).next().is_some();
    }

    fn is_comma(self) -> Option<bool> {
        self.told.or(match (self.has_comma, self.has_point) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        })
    }

    /// The text with a point for each decimal comma, and nothing between thousands; or what is open in it.
    pub(crate) fn plain(self, text: Cow<'_, str>) -> Result<Cow<'_, str>, &'static str> {
        let is_comma = self.is_comma();
        // `1.300` beside `950` may be more, or less.
        let is_open_point = is_comma.is_none() && self.has_open_point && self.has_hundreds && !self.has_comma;
        let has_sign =
            text.contains(',') || ((is_comma == Some(true) || is_open_point) && text.contains('.'));
        if !has_sign {
            return Ok(text);
        }
        let mut is_decimal = is_comma;
        let shapes: Vec<Shape> = numbers(&text).map(shape).collect();
        if shapes.is_empty() || shapes.contains(&Shape::None) {
            return Ok(text);
        }
        for shape in shapes {
            let own = match shape {
                Shape::Comma => true,
                Shape::Point => false,
                Shape::Open | Shape::OpenPoint if is_comma.is_some() => continue,
                Shape::OpenPoint if is_open_point => {
                    return Err("a point before decimals, or between thousands?");
                }
                Shape::Open => return Err("a comma before decimals, or between thousands?"),
                Shape::Whole | Shape::OpenPoint | Shape::None => continue,
            };
            if is_comma.is_some_and(|is_comma| is_comma != own)
                || (self.has_comma && self.has_point && is_comma.is_none())
            {
                return Err("commas before decimals in some numbers of the file, and points in others?");
            }
            is_decimal = Some(own);
        }
        let Some(is_decimal) = is_decimal else {
            return Ok(text);
        };
        let plain = text.chars().filter_map(|c| match (c, is_decimal) {
            (',', true) => Some('.'),
            (',', false) | ('.', true) => None,
            (c, _) => Some(c),
        });
        Ok(plain.collect::<String>().into())
    }

    /// Whether a text is one number, as it is or by its commas.
    pub(crate) fn is_number(text: &str) -> bool {
        let text = text.strip_prefix('-').unwrap_or(text);
        let mut all = numbers(text);
        let is_one = all
            .next()
            .is_some_and(|number| number == text && shape(number) != Shape::None);
        is_one && all.next().is_none()
    }

    /// Whether commas are decimal, where there are some and the user has not said it.
    pub(crate) fn found(self) -> Option<bool> {
        self.is_comma().filter(|_| self.told.is_none() && self.has_any)
    }

    /// What the user should hear of it.
    pub(crate) fn note(self) -> Option<String> {
        let is_comma = self.found()?;
        let what = if is_comma {
            "commas in numbers are decimal"
        } else {
            "commas in numbers stand between thousands"
        };
        Some(what.to_owned())
    }
}

/// The numbers of a text that is one, or two with a dash or colon between them; none of any other.
fn numbers(text: &str) -> impl Iterator<Item = &str> {
    let parts = || text.split(['-', ':', '\u{2013}']).map(str::trim);
    let is_number = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_digit())
            && part.ends_with(|c: char| c.is_ascii_digit())
            && part
                .bytes()
                .all(|byte| byte.is_ascii_digit() || b",.".contains(&byte))
    };
    // Before a minus there is nothing.
    let is_one = parts().count() <= 3 && parts().filter(|part| !part.is_empty()).count() <= 2;
    let are_numbers = is_one && parts().all(|part| part.is_empty() || is_number(part));
    parts().filter(move |part| are_numbers && !part.is_empty())
}

fn shape(number: &str) -> Shape {
    let groups = |text: &str, sign: char| {
        let mut groups = text.split(sign);
        let first = groups
            .next()
            .is_some_and(|first| (1..=3).contains(&first.len()) && first != "0");
        (first
            && groups
                .clone()
                .all(|group| group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit())))
        .then(|| groups.count())
    };
    match (number.matches(',').count(), number.matches('.').count()) {
        (0, 0) => Shape::Whole,
        (1, 0) if groups(number, ',') == Some(1) => Shape::Open,
        (1, 0) => Shape::Comma,
        (0, 1) if groups(number, '.') == Some(1) => Shape::OpenPoint,
        (0, 1) => Shape::Point,
        (_, 0) if groups(number, ',').is_some() => Shape::Point,
        (0, _) if groups(number, '.').is_some() => Shape::Comma,
        (1, _) => match number.split_once(',') {
            Some((before, after)) if !after.contains('.') && groups(before, '.').is_some() => Shape::Comma,
            Some((_, _)) => match number.split_once('.') {
                Some((before, after)) if !after.contains(',') && groups(before, ',').is_some() => {
                    Shape::Point
                }
                _ => Shape::None,
            },
            None => Shape::None,
        },
        (_, 1) => match number.split_once('.') {
            Some((before, after)) if !after.contains(',') && groups(before, ',').is_some() => Shape::Point,
            _ => Shape::None,
        },
        _ => Shape::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_are_what_all_numbers_together_say() {
        let plain = |told, texts: &str, text: &str| {
            let decimals = Decimals::of(told, texts.split(' '));
            decimals.plain(text.to_owned().into()).map(Cow::into_owned).ok()
        };
        for (texts, text, wanted) in [
            ("0,5 1", "1,500", Some("1.500")),
            ("1,5-0,5", "1,5-0,5", Some("1.5-0.5")),
            ("1.234,5", "1.234,5", Some("1234.5")),
            ("1,234.5", "1,234", Some("1234")),
            ("1,234,567", "12,000", Some("12000")),
            ("1,500 2,250", "1,500", None),
            ("1 2", "1,500", None),
            ("1 2", "-3", Some("-3")),
            ("-0,5", "-0,25", Some("-0.25")),
            ("0,5 1.234", "1.234", Some("1234")),
            ("0,5", "1.5", None),
            ("1.5 1,500", "1,500", Some("1500")),
            ("1,234.5 0,5", "0,5", None),
            ("1", "12,34,56", Some("12,34,56")),
            ("1", "0,5", Some("0.5")),
            ("6-4,3-6", "6-4,3-6", Some("6-4,3-6")),
            ("ann,bob", "ann,bob", Some("ann,bob")),
        ] {
            assert_eq!(plain(None, texts, text).as_deref(), wanted, "{texts}: {text}");
        }
        assert_eq!(plain(Some(true), "1", "1,500").as_deref(), Some("1.500"));
        assert_eq!(plain(Some(false), "0,5", "1,500").as_deref(), Some("1500"));
    }
}
