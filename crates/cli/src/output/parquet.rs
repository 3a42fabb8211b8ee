//! Parquet files, written row group by row group.

use std::borrow::Borrow;
use std::io::{self, Write};
use std::sync::Arc;

use bytes::Bytes;
use matchwright_report::{Cell, Table, utc_time};
use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use super::Sink;

/// Rows of a table that go into a row group.
const GROUP: usize = 1 << 17;

/// The values of a column in a row group; none is a null.
pub(crate) enum Values {
    /// Unix milliseconds, UTC.
    Times(Vec<Option<i64>>),
    Integers(Vec<Option<i64>>),
    Numbers(Vec<Option<f64>>),
    Texts(Vec<Option<Bytes>>),
}

/// A Parquet file that is being written.
pub(crate) struct ParquetFile<W: Write + Send> {
    writer: SerializedFileWriter<W>,
}

impl<W: Write + Send> ParquetFile<W> {
    /// A file with columns of these names, and of the types of these values.
    pub(crate) fn new<'n>(
        file: W,
        columns: impl IntoIterator<Item = (&'n str, &'n Values)>,
    ) -> io::Result<Self> {
        let fields = columns.into_iter().map(|(name, values)| {
            let time = LogicalType::timestamp(true, TimeUnit::MILLIS);
            let (physical, logical) = match values {
                Values::Times(_) => (Physical::INT64, Some(time)),
                Values::Integers(_) => (Physical::INT64, None),
                Values::Numbers(_) => (Physical::DOUBLE, None),
                Values::Texts(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            };
            let field = Type::primitive_type_builder(name, physical);
            let field = field
                .with_repetition(Repetition::OPTIONAL)
                .with_logical_type(logical);
            field.build().map(Arc::new)
        });
        let fields = fields.collect::<Result<_, _>>().map_err(of_parquet)?;
        let schema = Type::group_type_builder("schema").with_fields(fields).build();
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(format!("matchwright version {}", env!("CARGO_PKG_VERSION")))
            .build();
        let writer =
            SerializedFileWriter::new(file, Arc::new(schema.map_err(of_parquet)?), Arc::new(properties));
        Ok(Self {
            writer: writer.map_err(of_parquet)?,
        })
    }

    /// Writes a row group: the values of each column, as many of each.
    pub(crate) fn write(&mut self, columns: &[Values]) -> io::Result<()> {
        let written = self.writer.next_row_group().and_then(|mut group| {
            columns.iter().try_for_each(|values| match values {
                Values::Times(values) | Values::Integers(values) => {
                    write_column::<Int64Type, _>(&mut group, values, |value| *value)
                }
                Values::Numbers(values) => write_column::<DoubleType, _>(&mut group, values, |value| *value),
                Values::Texts(values) => {
                    write_column::<ByteArrayType, _>(&mut group, values, |text| ByteArray::from(text.clone()))
                }
            })?;
            group.close()
        });
        written.map(drop).map_err(of_parquet)
    }

    /// Writes the footer, without which a file is none.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.writer.close().map(drop).map_err(of_parquet)
    }
}

fn write_column<T: DataType, V>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    values: &[Option<V>],
    stored: impl Fn(&V) -> T::T,
) -> Result<(), ParquetError> {
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    let values: Vec<T::T> = values.iter().flatten().map(stored).collect();
    let column = group.next_column()?;
    let mut column =
        column.ok_or_else(|| ParquetError::General("more columns than the schema has".to_owned()))?;
    column.typed::<T>().write_batch(&values, Some(&levels), None)?;
    column.close()
}

fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

/// Writes pieces of a table, of the same columns. A column is of times, of whole numbers or of numbers if all its cells
/// are, else of texts.
pub(super) fn write_tables<T: Borrow<Table>, I: Iterator<Item = T>>(
    pieces: impl Fn() -> I,
    file: &mut Sink<'_>,
) -> io::Result<()> {
    let (mut names, mut kinds): (Vec<String>, Vec<Option<Kind>>) = Default::default();
    for piece in pieces() {
        let records;
        (names, records) = piece.borrow().records();
        kinds.resize(names.len(), None);
        for record in records {
            for (kind, cell) in kinds.iter_mut().zip(&record) {
                *kind = Kind::of_both(*kind, Kind::of(cell));
            }
        }
    }
    // Of no cells are numbers.
    let kinds: Vec<Kind> = kinds
        .into_iter()
        .map(|kind| kind.unwrap_or(Kind::Numbers))
        .collect();
    let empty: Vec<Values> = kinds.iter().map(|kind| kind.values(&[])).collect();
    let mut file = ParquetFile::new(file, names.iter().map(String::as_str).zip(&empty))?;
    for piece in pieces() {
        let (_, mut records) = piece.borrow().records();
        loop {
            let mut columns: Vec<Vec<Cell>> = vec![Vec::new(); names.len()];
            for record in records.by_ref().take(GROUP) {
                for (column, cell) in columns.iter_mut().zip(record) {
                    column.push(cell);
                }
            }
            if columns.first().is_none_or(Vec::is_empty) {
                break;
            }
            let values = columns.iter().zip(&kinds).map(|(cells, kind)| kind.values(cells));
            file.write(&values.collect::<Vec<_>>())?;
        }
    }
    file.finish()
}

/// What the cells of a column are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Times,
    Integers,
    Numbers,
    Texts,
}

impl Kind {
    /// None for an empty cell, which any column may have.
    fn of(cell: &Cell) -> Option<Self> {
        match cell {
            Cell::Empty => None,
            Cell::Time(_) => Some(Self::Times),
            Cell::Integer(_) => Some(Self::Integers),
            Cell::Number(_) | Cell::Estimate { .. } => Some(Self::Numbers),
            Cell::Text(_) | Cell::Sparkline(_) => Some(Self::Texts),
        }
    }

    /// That of a column with cells of both.
    fn of_both(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (None, kind) | (kind, None) => kind,
            (Some(one), Some(other)) if one == other => Some(one),
            (Some(Self::Integers | Self::Numbers), Some(Self::Integers | Self::Numbers)) => {
                Some(Self::Numbers)
            }
            _ => Some(Self::Texts),
        }
    }

    fn values(self, cells: &[Cell]) -> Values {
        match self {
            Self::Times => Values::Times(
                cells
                    .iter()
                    .map(whole)
                    .map(|time| Some(time?.saturating_mul(1000)))
                    .collect(),
            ),
            Self::Integers => Values::Integers(cells.iter().map(whole).collect()),
            Self::Numbers => Values::Numbers(cells.iter().map(number).collect()),
            Self::Texts => Values::Texts(cells.iter().map(|cell| text(cell).map(Bytes::from)).collect()),
        }
    }
}

fn whole(cell: &Cell) -> Option<i64> {
    match cell {
        Cell::Time(value) | Cell::Integer(value) => Some(*value),
        _ => None,
    }
}

/// Finite numbers, as in CSV.
fn number(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Integer(value) => Some(*value as f64),
        Cell::Number(value) => Some(*value).filter(|value| value.is_finite()),
        _ => None,
    }
}

fn text(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Empty => None,
        Cell::Text(text) => Some(text.clone()),
        Cell::Time(seconds) => Some(utc_time(*seconds)),
        Cell::Integer(value) => Some(value.to_string()),
        Cell::Number(value) | Cell::Estimate { value, .. } => Some(value.to_string()),
        Cell::Sparkline(values) => Some(values.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")),
    }
}
