//! Parts of dates and times as people spell them: months, days with an ordinal, times of day.

/// Milliseconds.
pub(super) const HOUR: i64 = 3_600_000;

/// Months as dates have them, whole or from three letters on.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The same in German, French, Spanish, Italian, Portuguese and Dutch.
const ELSEWHERE: [&str; 12] = [
    "januar janvier enero gennaio janeiro januari",
    "februar février fevrier febrero febbraio fevereiro februari",
    "märz maerz mars marzo março maart mrz",
    "avril abril aprile",
    "mai mayo maggio maio mei",
    "juni juin junio giugno junho",
    "juli juillet julio luglio julho",
    "août aout agosto augustus",
    "septembre septiembre setiembre settembre setembro",
    "oktober octobre octubre ottobre outubro",
    "novembre noviembre novembro",
    "dezember décembre decembre diciembre dicembre dezembro",
];

/// `10` of `10th`.
pub(super) fn without_ordinal(part: &str) -> &str {
    let ends = ["st", "nd", "rd", "th", "er"];
    ends.iter().find_map(|end| part.strip_suffix(end)).unwrap_or(part)
}

/// The number of a month that a word names.
pub(super) fn month_of(word: &str) -> Option<u8> {
    let word = word.to_lowercase();
    let is_named = |month: &&str| word.len() > 2 && month.starts_with(&*word);
    let own = MONTHS.iter().position(is_named);
    let place = own.or_else(|| {
        let is_month = |place: &usize| ELSEWHERE[*place].split(' ').any(|month| is_named(&month));
        let mut months = (0..12).filter(is_month);
        // `jui` may be one of two.
        months.next().filter(|_| months.next().is_none())
    });
    place.and_then(|place| u8::try_from(place + 1).ok())
}

/// Milliseconds from midnight UTC of a time of day: `18:30`, `9:05:07.25`, `6:30 PM`, `18:30:00+02:00`.
pub(super) fn clock(text: &str) -> Option<i64> {
    if !text.contains(':') || text.len() > 32 {
        return None;
    }
    let text = text.trim().to_ascii_lowercase();
    let (text, offset) = match text.strip_suffix('z') {
        Some(text) => (text, 0),
        None => match text.rfind(['+', '-']) {
            Some(place) => (&text[..place], offset(&text[place..])?),
            None => (&text[..], 0),
        },
    };
    let half = [("am", 0), ("pm", 12), ("a.m.", 0), ("p.m.", 12)];
    let half = half
        .into_iter()
        .find_map(|(name, hours)| Some((text.strip_suffix(name)?.trim_end(), hours)));
    let (text, half) = half.map_or((text, None), |(text, hours)| (text, Some(hours)));
    let mut parts = text.split(':');
    let (hours, minutes) = (small(parts.next()?, 24)?, small(parts.next()?, 60)?);
    let millis = parts.next().map_or(Some(0), seconds)?;
    let hours = match half {
        None => hours,
        Some(half) if (1..=12).contains(&hours) => hours % 12 + half,
        Some(_) => return None,
    };
    (parts.next().is_none()).then_some(hours * HOUR + minutes * 60_000 + millis - offset)
}

/// One or two digits below a bound.
fn small(text: &str, below: i64) -> Option<i64> {
    let is_number = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_number);
    number.filter(|number| *number < below)
}

/// Milliseconds of seconds with or without a fraction.
fn seconds(text: &str) -> Option<i64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digit = |place| i64::from(part.as_bytes().get(place).map_or(0, |digit| digit - b'0'));
    Some(small(whole, 60)? * 1000 + digit(0) * 100 + digit(1) * 10 + digit(2))
}

/// Milliseconds that a clock is ahead of UTC: `+02:00`, `-0330`, `+2`.
fn offset(text: &str) -> Option<i64> {
    if !text.is_ascii() {
        return None;
    }
    let (sign, digits) = text.split_at(1);
    let (hours, minutes) = match digits.split_once(':') {
        Some(both) => both,
        None if digits.len() == 4 => digits.split_at(2),
        None => (digits, "0"),
    };
    let ahead = small(hours, 24)? * HOUR + small(minutes, 60)? * 60_000;
    Some(if sign == "-" { -ahead } else { ahead })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day_are_told_from_all_else() {
        let minutes = |hours: i64, minutes: i64| Some((60 * hours + minutes) * 60_000);
        for (text, millis) in [
            ("18:30", minutes(18, 30)),
            ("9:05", minutes(9, 5)),
            ("18:30:00Z", minutes(18, 30)),
            ("18:30:00+02:00", minutes(16, 30)),
            ("00:30-0330", minutes(4, 0)),
            ("6:30 PM", minutes(18, 30)),
            ("12:01am", minutes(0, 1)),
            ("00:00:01.0625", Some(1062)),
            ("24:00", None),
            ("13:00 pm", None),
            ("12:60", None),
            ("1830", None),
            ("2024-05-09T18:30", None),
            ("2024-05-09 18:30", None),
            ("1:2:3:4", None),
            ("18:30+1\u{20ac}", None),
            ("18:30-\u{1f600}", None),
            ("", None),
        ] {
            assert_eq!(clock(text), millis, "{text}");
        }
    }
}
