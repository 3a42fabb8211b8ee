//! A game as text, the same for all formats, with the place of each field.

/// A field of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// Its name in the file.
    pub(super) name: String,
    /// Where it stands in its line, from 1: the number of the field in CSV.
    pub(super) column: u64,
    /// What it says, without surrounding blanks.
    pub(super) text: String,
}

/// A game as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawGame {
    pub(super) line: u64,
    pub(super) time: Field,
    /// Where the sides stand in their line.
    pub(super) column: u64,
    pub(super) sides: Vec<Vec<RawMember>>,
    pub(super) decided_by: RawPlaces,
}

/// A player of a side as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawMember {
    pub(super) name: Field,
    pub(super) share: Option<Field>,
    pub(super) party: Option<Field>,
}

impl RawMember {
    /// A player who queued alone and played the whole game.
    pub(super) fn alone(name: Field) -> Self {
        Self {
            name,
            share: None,
            party: None,
        }
    }
}

/// How the places of the sides are told: one field a side, or the result of two sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RawPlaces {
    Ranks {
        ranks: Vec<Field>,
        scores: Option<Vec<Field>>,
    },
    Scores(Vec<Field>),
    Result(Field),
}

/// What is wrong with one row, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowError {
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) message: String,
    /// No row can follow: the file itself ends here.
    pub(super) fatal: bool,
}

impl RowError {
    pub(super) fn at(line: u64, column: u64, message: impl Into<String>) -> Self {
        Self {
            line,
            column,
            message: message.into(),
            fatal: false,
        }
    }

    pub(super) fn fatal(line: u64, column: u64, message: impl Into<String>) -> Self {
        Self {
            line,
            column,
            message: message.into(),
            fatal: true,
        }
    }
}

impl RawPlaces {
    /// Of two sides, from a look-up of fields by meaning.
    pub(super) fn of_two(
        uses_result: bool,
        field: impl Fn(&'static str) -> Result<Field, RowError>,
    ) -> Result<Self, RowError> {
        Ok(if uses_result {
            Self::Result(field("result")?)
        } else {
            Self::Scores(vec![field("score1")?, field("score2")?])
        })
    }
}

impl RawGame {
    /// One player against one, from a look-up of fields by meaning.
    pub(super) fn duel(
        line: u64,
        uses_result: bool,
        field: impl Fn(&'static str) -> Result<Field, RowError>,
    ) -> Result<Self, RowError> {
        let (time, one, two) = (field("time")?, field("player1")?, field("player2")?);
        Ok(Self {
            line,
            time,
            column: two.column,
            sides: vec![vec![RawMember::alone(one)], vec![RawMember::alone(two)]],
            decided_by: RawPlaces::of_two(uses_result, field)?,
        })
    }
}

/// What a reading error means, at the line where it struck.
pub(super) fn reading_error(line: u64, error: &std::io::Error) -> RowError {
    let message = match error.kind() {
        std::io::ErrorKind::UnexpectedEof => {
            "the file ends in the middle of its gzip stream; it was cut off: copy or download it again"
                .to_owned()
        }
        std::io::ErrorKind::InvalidData | std::io::ErrorKind::InvalidInput => {
            format!("the gzip stream is damaged ({error}): copy or download it again")
        }
        _ => format!("reading failed: {error}"),
    };
    RowError::fatal(line, 1, message)
}
