//! What the values of a Parquet column mean, and how a CSV file would write them.

use std::fmt::{Display, LowerExp};
use std::io::Write;

use jiff::{Timestamp, civil};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::data_type::Int96;
use parquet::schema::types::ColumnDescPtr;

/// What a column's values mean.
pub(crate) enum Meaning {
    /// Themselves.
    Plain,
    /// Whole numbers without a sign.
    Unsigned,
    /// Days since 1970-01-01.
    Date,
    /// Units since 1970-01-01 UTC, this many to a second.
    Time(i64),
    /// Units since midnight, this many to a second.
    TimeOfDay(i64),
    /// Whole numbers whose last digits, this many, are decimals.
    Decimal(usize),
    /// Sixteen bytes.
    Uuid,
    /// A fraction in two bytes.
    Half,
}

impl Meaning {
    pub(crate) fn of(column: &ColumnDescPtr) -> Self {
        let is_integer = matches!(column.physical_type(), Type::INT32 | Type::INT64);
        let decimals = || usize::try_from(column.type_scale()).unwrap_or(0);
        let a_second = |unit| match unit {
            TimeUnit::MILLIS => 1_000,
            TimeUnit::MICROS => 1_000_000,
            TimeUnit::NANOS => 1_000_000_000,
        };
        match (column.logical_type_ref(), column.converted_type()) {
            (Some(LogicalType::Timestamp(stamp)), _) => Self::Time(a_second(stamp.unit)),
            (Some(LogicalType::Time(clock)), _) => Self::TimeOfDay(a_second(clock.unit)),
            (_, ConvertedType::TIME_MILLIS) => Self::TimeOfDay(1_000),
            (_, ConvertedType::TIME_MICROS) => Self::TimeOfDay(1_000_000),
            (Some(LogicalType::Uuid), _) => Self::Uuid,
            (Some(LogicalType::Float16), _) => Self::Half,
            (_, ConvertedType::TIMESTAMP_MILLIS) => Self::Time(1_000),
            (_, ConvertedType::TIMESTAMP_MICROS) => Self::Time(1_000_000),
            (_, ConvertedType::DATE) => Self::Date,
            (_, ConvertedType::DECIMAL) => Self::Decimal(decimals()),
            (
                _,
                ConvertedType::UINT_8
                | ConvertedType::UINT_16
                | ConvertedType::UINT_32
                | ConvertedType::UINT_64,
            ) if is_integer => Self::Unsigned,
            _ => Self::Plain,
        }
    }

    pub(crate) fn int32(&self, value: i32, text: &mut Vec<u8>) {
        match self {
            Self::Unsigned => write_value(text, &value.cast_unsigned()),
            Self::Date => date(value.into(), text),
            _ => self.int64(value.into(), text),
        }
    }

    pub(crate) fn int64(&self, value: i64, text: &mut Vec<u8>) {
        match self {
            Self::Unsigned => write_value(text, &value.cast_unsigned()),
            Self::Time(a_second) => time(value, *a_second, text),
            Self::TimeOfDay(a_second) => time_of_day(value, *a_second, text),
            Self::Decimal(decimals) => decimal(value.into(), *decimals, text),
            _ => write_value(text, &value),
        }
    }

    pub(crate) fn bytes(&self, value: &[u8], text: &mut Vec<u8>) {
        match self {
            Self::Decimal(decimals) if (1..=16).contains(&value.len()) => {
                let filled = if value[0] >= 128 { u8::MAX } else { 0 };
                let mut bytes = [filled; 16];
                bytes[16 - value.len()..].copy_from_slice(value);
                decimal(i128::from_be_bytes(bytes), *decimals, text);
            }
            Self::Uuid => {
                for (place, byte) in value.iter().enumerate() {
                    write_value(
                        text,
                        &format_args!(
                            "{}{byte:02x}",
                            if matches!(place, 4 | 6 | 8 | 10) { "-" } else { "" }
                        ),
                    );
                }
            }
            Self::Half => {
                let half = value.try_into().map(u16::from_le_bytes).unwrap_or_default();
                write_value(text, &of_half(half));
            }
            _ => text.extend_from_slice(value),
        }
    }
}

/// The number that two bytes stand for: a sign, five bits of exponent and ten of fraction (IEEE 754, binary16).
fn of_half(half: u16) -> f64 {
    let sign = if half >> 15 == 1 { -1.0 } else { 1.0 };
    let fraction = f64::from(half & 1023) / 1024.0;
    sign * match half >> 10 & 31 {
        0 => fraction * 2f64.powi(-14),
        31 if fraction > 0.0 => f64::NAN,
        31 => f64::INFINITY,
        exponent => (1.0 + fraction) * 2f64.powi(i32::from(exponent) - 15),
    }
}

/// Nanoseconds of a day and the day, as some programs still write times.
pub(crate) fn write_int96(text: &mut Vec<u8>, value: &Int96) {
    time(value.to_micros(), 1_000_000, text);
}

/// Writing to memory cannot fail.
pub(crate) fn write_value(text: &mut Vec<u8>, value: &impl Display) {
    let written = write!(text, "{value}");
    debug_assert!(written.is_ok(), "{written:?}");
}

/// A number that is no integer of the file, with an exponent where its digits alone would look like one that a double
/// cannot hold.
pub(crate) fn write_number(text: &mut Vec<u8>, value: &(impl Display + LowerExp), size: f64) {
    if size.abs() < 1e15 {
        write_value(text, value);
    } else {
        write_value(text, &format_args!("{value:e}"));
    }
}

/// `2004-08-06T18:13:50.125Z`; beyond the years of calendars a number that no reader takes for a time.
fn time(value: i64, a_second: i64, text: &mut Vec<u8>) {
    let nanoseconds = i128::from(value) * i128::from(1_000_000_000 / a_second);
    match Timestamp::from_nanosecond(nanoseconds) {
        Ok(time) => write_value(text, &time),
        Err(_) => write_value(text, &format_args!("{value}/{a_second} s")),
    }
}

/// `18:13:50.125`; beyond a day a number that no reader takes for a time.
fn time_of_day(value: i64, a_second: i64, text: &mut Vec<u8>) {
    let midnight = civil::Time::midnight();
    let nanoseconds = value.checked_mul(1_000_000_000 / a_second);
    let span = nanoseconds.and_then(|all| jiff::Span::new().try_nanoseconds(all).ok());
    match span.and_then(|span| midnight.checked_add(span).ok()) {
        Some(time) => write_value(text, &time),
        None => write_value(text, &format_args!("{value}/{a_second} s")),
    }
}

/// `2004-08-06`.
fn date(days: i64, text: &mut Vec<u8>) {
    let span = jiff::Span::new().try_days(days);
    let date = span.and_then(|span| civil::date(1970, 1, 1).checked_add(span));
    match date {
        Ok(date) => write_value(text, &date),
        Err(_) => write_value(text, &format_args!("day {days}")),
    }
}

fn decimal(value: i128, decimals: usize, text: &mut Vec<u8>) {
    let digits = format!("{:0>width$}", value.unsigned_abs(), width = decimals + 1);
    let (whole, part) = digits.split_at(digits.len() - decimals);
    let sign = if value < 0 { "-" } else { "" };
    let point = if decimals > 0 { "." } else { "" };
    write_value(text, &format_args!("{sign}{whole}{point}{part}"));
}
