//! A match or a game of sides as text, from whichever format, with the place of each field.

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

/// A match as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawMatch {
    pub(super) line: u64,
    pub(super) time: Field,
    pub(super) player1: Field,
    pub(super) player2: Field,
    pub(super) decided_by: RawResult,
}

/// A row of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RawGame {
    Duel(RawMatch),
    Sides(RawSides),
}

/// A game of sides as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawSides {
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

/// How the winner is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RawResult {
    Scores(Field, Field),
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

/// Builds a match from a look-up of its fields by meaning.
pub(super) fn assemble(
    line: u64,
    uses_result: bool,
    mut field: impl FnMut(&'static str) -> Result<Field, RowError>,
) -> Result<RawMatch, RowError> {
    Ok(RawMatch {
        line,
        time: field("time")?,
        player1: field("player1")?,
        player2: field("player2")?,
        decided_by: if uses_result {
            RawResult::Result(field("result")?)
        } else {
            RawResult::Scores(field("score1")?, field("score2")?)
        },
    })
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
