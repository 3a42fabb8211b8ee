//! What tells how a game ended: columns of scores, of a result, of who won, read and held against each other.

mod end;

use std::cell::Cell;

use smallvec::{SmallVec, smallvec};

use crate::cell::cell_list::Lists;
use crate::cell::composed::is_same;
use crate::cell::nobody::is_nobody;
use crate::cell::value::{of_scores, of_word, parse_result};
use crate::column_names::{columns_option, plain, without_signs};
use crate::error::Fault;
use crate::matches::agreement::{Order, Statement, agree};
use crate::matches::columns::two_sides::sides_of;
use crate::matches::field::{Field, Standings};
use crate::matches::games::{Member, Sides, by_ranks, by_scores, read_places, read_scores, two_scores};
use crate::matches::labels::{Coding, Labels, called_so};
use crate::matches::letters::{Letter, Said};
use crate::matches::status::{Status, is_flag};
use crate::text::shown;

/// A statement of the result that a file can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    /// The columns of the players, `winner` and `loser`.
    Players,
    /// A place for each side.
    Ranks,
    /// A score for each side, in one list.
    Scores,
    TwoScores,
    /// A shoot-out behind equal scores.
    ShootOut,
    /// The same in one column, `4-2`, empty where there was none.
    Pens,
    Result,
    /// A result of each side.
    TwoResults,
    /// Who won, by name or side.
    Winner,
    Loser,
    /// `score`, which need not be of the form `2-1`, where something else tells the result.
    Text,
    /// `score` beside the name of who won: it tells nothing but that a game was not played.
    Comment,
    /// Yes or no to a forfeit or the like, beside a status.
    Flag,
    /// Whether it was played to an end; that it was drawn, where nothing else tells.
    Status,
}

impl Telling {
    /// All but the players' own columns.
    pub(crate) const ALL: [Self; 12] = [
        Self::Ranks,
        Self::Scores,
        Self::TwoScores,
        Self::ShootOut,
        Self::Pens,
        Self::Result,
        Self::TwoResults,
        Self::Winner,
        Self::Loser,
        Self::Text,
        Self::Flag,
        Self::Status,
    ];

    /// All but what says only whether a game was played.
    pub(crate) const fn tells_result(self) -> bool {
        !matches!(self, Self::Comment | Self::Flag | Self::Status)
    }

    /// What its columns mean.
    pub(crate) const fn meanings(self) -> &'static [&'static str] {
        match self {
            Self::Players => &["player1", "player2"],
            Self::Ranks => &["ranks"],
            Self::Scores => &["scores"],
            Self::TwoScores => &["score1", "score2"],
            Self::ShootOut => &["shootout1", "shootout2"],
            Self::Pens => &["shootout"],
            Self::Result => &["result"],
            Self::TwoResults => &["result1", "result2"],
            Self::Winner => &["winner"],
            Self::Loser => &["loser"],
            Self::Text | Self::Comment => &["score"],
            Self::Flag => &["flag"],
            Self::Status => &["status"],
        }
    }
}

/// A game's row, as far as it tells how the game ended.
pub(crate) struct Outcome<'r, 's, F, L> {
    /// The field with a meaning.
    pub(crate) field: F,
    /// The numbers of a list, one a side.
    pub(crate) list: L,
    pub(crate) sides: &'r Sides<'s>,
    pub(crate) winners: &'r Winners,
}

/// How a file says who won.
#[derive(Default)]
pub(crate) struct Winners {
    /// Whether winners are players' names, and not numbers of sides, as far as its rows told: `1` may be either.
    are_names: Cell<Option<bool>>,
    labels: Labels,
    /// Whether results are `0`, and `2`, so far.
    zero_or_two: Cell<[bool; 2]>,
}

impl Winners {
    /// Refuses `0` and `2` in one file whose first rows did not tell that `0` is a draw.
    fn check_zero(&self, field: &Field<'_>) -> Result<(), Fault> {
        let [zero, two] = self.zero_or_two.get();
        let both = [zero || field.text == "0", two || field.text == "2"];
        self.zero_or_two.set(both);
        if both == [true, true] {
            let what = "and the file has both `0` and `2`: is `0` a draw, or a win of the second side? write draw, or 1 and 0";
            return Err(field.refuse(&format!("`{}`, {what}", shown(&field.text))));
        }
        Ok(())
    }

    /// A note on how results are written.
    pub(crate) fn note(&self) -> Option<String> {
        match self.are_names.get() {
            // `2` was the name of a player.
            Some(true) => None,
            Some(false) if self.labels.coding == Coding::Score => {
                Some("winners are the numbers of the sides, 1 and 2".to_owned())
            }
            _ => self.labels.coding.note(),
        }
    }

    pub(crate) fn new(labels: Labels) -> Self {
        Self {
            labels,
            ..Self::default()
        }
    }

    /// The side that has this label, unless one is named so: `Team A` may be either of two.
    fn labelled(&self, called: &str, sides: &Sides<'_>) -> Option<usize> {
        let is_name = |member: &Member<'_>| {
            let name = plain(&member.name);
            name == called || name.strip_suffix(called).is_some_and(|rest| rest.ends_with('_'))
        };
        let is_named = || sides.iter().flatten().any(is_name);
        self.labels
            .told(called)
            .or_else(|| self.labels.side(called).filter(|_| !is_named()))
    }

    /// The side of a text, which may be that of a player of this name, or that of this number; `Err` where all rows
    /// together contradict themselves.
    fn side(&self, named: Option<usize>, numbered: Option<usize>) -> Result<Option<usize>, &'static str> {
        let is_name = match (named, numbered) {
            (None, None) => return Ok(None),
            (Some(one), Some(other)) if one == other => return Ok(Some(one)),
            (Some(_), Some(_)) => self.are_names.get().unwrap_or(true),
            (Some(_), None) => true,
            (None, Some(_)) => false,
        };
        if self
            .are_names
            .replace(Some(is_name))
            .is_some_and(|before| before != is_name)
        {
            return Err(
                "in other rows the winner is told by a name where here it is the number of a side, or the other \
                        way round; write player1 and player2 for the sides",
            );
        }
        Ok(if is_name { named } else { numbered })
    }
}

impl<'a, F, L> Outcome<'_, '_, F, L>
where
    F: Fn(&'static str) -> Result<Field<'a>, Fault>,
    L: Fn(&'static str) -> Result<Vec<Field<'a>>, Fault>,
{
    /// What all of these tell together, and what the result says of the letters of its file.
    fn standings(&self, tellings: &[Telling]) -> Result<(Standings, Option<Box<Said>>), Fault> {
        let result = tellings
            .contains(&Telling::Result)
            .then(|| (self.field)("result"));
        let result = result.transpose()?;
        let letter = result.as_ref().and_then(|field| Letter::of(&field.text));
        let Some((letter, field)) = letter.zip(result) else {
            return Ok((self.told(tellings, false)?, None));
        };
        if letter != Letter::T {
            return Ok((self.told(tellings, false)?, Some(Said::new(letter, field, None))));
        }
        // What it is, all results of the file decide.
        let both = [true, false].map(|t_is_true| self.told(tellings, t_is_true));
        let open = SmallVec::from_elem((1, 0.0), self.sides.len());
        Ok((open, Some(Said::new(letter, field, Some(both)))))
    }

    /// What all of these tell together, where a result `T` is true, or a tie.
    fn told(&self, tellings: &[Telling], t_is_true: bool) -> Result<Standings, Fault> {
        let status = tellings.last() == Some(&Telling::Status);
        if tellings.contains(&Telling::Comment) && tellings.contains(&Telling::Players) {
            // Dropped: what is no text is no comment.
            let comment = (self.field)("score").ok();
            // Who won stands first in all rows, but for those that are told to be drawn.
            if comment.is_some_and(|one| of_word(&one.text) == Some(0.5) && one.text.parse::<f64>().is_err())
            {
                return Ok(standings(places_of(0.5)));
            }
        }
        let count = tellings.iter().take_while(|telling| telling.tells_result());
        let tellings = &tellings[..count.count()];
        if status {
            return self.told_with_status(tellings, t_is_true);
        }
        self.told_by(tellings, t_is_true)
    }

    /// What all of these tell, which must go with the status; of a draw nothing else need tell.
    fn told_with_status(&self, tellings: &[Telling], t_is_true: bool) -> Result<Standings, Fault> {
        // What is no text says nothing.
        let Ok(field) = (self.field)("status") else {
            return self.told_by(tellings, t_is_true);
        };
        let status = Status::of_field(&field);
        // Who won may stand first in all rows, but for those that a column of draws tells.
        let may_be_drawn = status == Status::Drawn && is_flag(&field.name);
        let is_empty = |telling: &Telling| {
            let mut fields = telling.meanings().iter().map(|meaning| (self.field)(meaning));
            match telling {
                Telling::Players => may_be_drawn,
                _ => fields.all(|field| field.is_ok_and(|field| is_empty(&field))),
            }
        };
        let names_winner = tellings.contains(&Telling::Winner);
        let is_draw = status.is_draw() || (status == Status::Ended && names_winner);
        if is_draw && self.sides.len() == 2 && tellings.iter().all(is_empty) {
            return Ok(standings(places_of(0.5)));
        }
        let told = self.told_by(tellings, t_is_true)?;
        let is_tie = told.iter().all(|(place, _)| *place == told[0].0);
        let contradicts = match status {
            Status::Drawn => !is_tie,
            Status::ShootOut => is_tie,
            _ => false,
        };
        if contradicts {
            let what = "which the result beside it does not say; name what counts, for example --columns score1=COLUMN,score2=COLUMN";
            return Err(field.refuse(&format!("`{}`, {what}", shown(&field.text))));
        }
        Ok(told)
    }

    fn told_by(&self, tellings: &[Telling], t_is_true: bool) -> Result<Standings, Fault> {
        match tellings {
            [Telling::TwoScores] => return two_scores(&(self.field)("score1")?, &(self.field)("score2")?),
            [Telling::Result] => return Ok(standings(self.result(&(self.field)("result")?, t_is_true)?)),
            [Telling::Players] => return Ok(standings(places_of(1.0))),
            [Telling::Ranks] => return by_ranks(&(self.list)("ranks")?),
            [Telling::Scores] => return by_scores(&(self.list)("scores")?),
            _ => {}
        }
        let mut statements = Vec::new();
        for &telling in tellings {
            let statement = self.statement(telling, t_is_true);
            statements.extend(statement.map_err(|(column, what)| {
                let others = tellings.iter().filter(|other| **other != telling);
                let others: Vec<String> = others.filter_map(|other| self.choice(*other).ok()).collect();
                let hint = if others.is_empty() {
                    String::new()
                } else {
                    format!("; {} leaves it out", columns_option(&others.join(",")))
                };
                (column, format!("{what}{hint}"))
            })?);
        }
        if statements.is_empty() {
            return Err(self.nothing(tellings));
        }
        agree(statements, self.sides.len()).map_err(|told| (told.column, told.what))
    }

    /// What is wrong where every cell is empty.
    fn nothing(&self, tellings: &[Telling]) -> Fault {
        let meaning = tellings.first().map_or("result", |telling| telling.meanings()[0]);
        match (self.field)(meaning) {
            Ok(field) => field.refuse("empty; every game needs scores, a result or a winner"),
            Err(fault) => fault,
        }
    }

    /// What `--columns` takes for this one to count alone.
    fn choice(&self, telling: Telling) -> Result<String, Fault> {
        let named = |meaning: &&'static str| Ok(format!("{meaning}={}", (self.field)(meaning)?.name));
        let meanings = match telling {
            // Whoever is named there has won.
            Telling::Players => return Ok(format!("winner={}", (self.field)("player1")?.name)),
            Telling::Ranks | Telling::Scores => {
                let meaning = telling.meanings()[0];
                let list = (self.list)(meaning)?;
                let name = list.first().map_or(meaning, |field| &field.name);
                return Ok(format!("{meaning}={name}"));
            }
            Telling::Text | Telling::Comment => return Ok(format!("result={}", (self.field)("score")?.name)),
            _ => telling.meanings(),
        };
        let named: Result<Vec<String>, Fault> = meanings.iter().map(named).collect();
        Ok(named?.join(","))
    }

    /// What one of them tells; nothing if its cells are empty.
    fn statement(&self, telling: Telling, t_is_true: bool) -> Result<Option<Statement>, Fault> {
        if telling == Telling::Pens && !self.has_shoot_out() {
            return Ok(None);
        }
        let fields = match telling {
            Telling::Ranks | Telling::Scores => (self.list)(telling.meanings()[0])?,
            _ => {
                let fields = telling.meanings().iter().map(|meaning| (self.field)(meaning));
                fields.collect::<Result<_, _>>()?
            }
        };
        // The columns of the players tell it by their names.
        if telling != Telling::Players && fields.iter().all(|field| is_empty(field)) {
            return Ok(None);
        }
        let order = match (telling, &fields[..]) {
            (Telling::Ranks, all) => Order::Places(read_places(all)?),
            (Telling::Scores, all) => Order::Scores(read_scores(all)?),
            (_, [field, ..]) if self.sides.len() != 2 && telling != Telling::Winner => {
                let sides = self.sides.len();
                let what = format!(
                    "{} tells of two sides, and there are {sides}; write `ranks`, with a place for each",
                    field.name
                );
                return Err((field.column, what));
            }
            (Telling::Players, _) => Order::Outcomes(smallvec![1, 2]),
            (Telling::TwoScores | Telling::ShootOut, all) => Order::Scores(read_scores(all)?),
            (Telling::TwoResults, [one, other]) => Order::Outcomes(places_of(two_results(one, other)?)),
            (Telling::Result, [field, ..]) if self.has_shoot_out() && of_scores(&field.text) == Some(0.5) => {
                Order::Level
            }
            (Telling::Result, [field, ..]) => Order::Outcomes(self.result(field, t_is_true)?),
            (Telling::Winner | Telling::Loser, [field, ..]) => {
                Order::Outcomes(self.named(field, telling == Telling::Winner)?)
            }
            (_, [field, ..]) => match of_scores(&field.text) {
                Some(score) => Order::Outcomes(places_of(score)),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let mut names: Vec<&str> = fields.iter().map(|field| &*field.name).collect();
        names.dedup();
        let is_list = fields.len() > 1 && names.len() == 1;
        Ok(Some(Statement {
            name: names.join(", "),
            column: fields.last().map_or(1, |field| field.column),
            says: fields.iter().map(|field| shown(&field.text)).collect(),
            choice: if is_list {
                format!("{}={}", telling.meanings()[0], names[0])
            } else {
                self.choice(telling)?
            },
            order,
        }))
    }

    /// What a column of a status says; what is no text, as a list of notes, says nothing.
    fn status(&self, meaning: &'static str) -> Status {
        (self.field)(meaning).map_or(Status::Unknown, |field| Status::of_field(&field))
    }

    /// Whether a shoot-out stands in a column of its own, with something in it.
    fn has_shoot_out(&self) -> bool {
        (self.field)("shootout").is_ok_and(|field| !is_empty(&field))
    }

    /// A result: a number, a word, scores, or the side that won.
    fn result(&self, field: &Field<'_>, t_is_true: bool) -> Result<SmallVec<[u32; 2]>, Fault> {
        if let Some(side) = self.told_label(field) {
            return Ok(self.won_by(side));
        }
        if let Some(score) = self.winners.labels.coding.score(&field.text) {
            return Ok(places_of(score));
        }
        self.winners.check_zero(field)?;
        if Letter::of(&field.text) == Some(Letter::T) {
            return Ok(places_of(if t_is_true { 1.0 } else { 0.5 }));
        }
        let side = || self.side_named(field).or_else(|| self.side_of(&field.text));
        let places = parse_result(&field.text).map(Into::into).ok();
        let places = places.or_else(|| side().map(|side| self.won_by(side)));
        match places {
            Some(places) => Ok(places),
            None => field
                .read(parse_result)
                .map(Into::into)
                .map_err(|(column, what)| (column, what + &self.winners.labels.hint(&plain(&field.text)))),
        }
    }

    /// Who won, or who lost.
    fn named(&self, field: &Field<'_>, won: bool) -> Result<SmallVec<[u32; 2]>, Fault> {
        if let Some(side) = self.told_label(field) {
            return Ok(self.won_by(if won { side } else { 1 - side }));
        }
        if self.winners.labels.is_zero_or_one
            && ["0", "1"].contains(&&*field.text)
            && self.side_of(&field.text).is_none()
        {
            let name = columns_option(&format!("result={}", field.name));
            return Err(field.refuse(&format!(
                "`{}`, and all are 0 or 1: if these number the sides, give --sides 0,1 (or --sides 1,0); if 1 says that the first \
                 side won, give {name}",
                shown(&field.text)
            )));
        }
        let is_draw = of_word(&field.text) == Some(0.5) && field.text.parse::<f64>().is_err();
        if self.winners.labels.coding == Coding::Sides
            && ["0", "X", "x"].contains(&&*field.text)
            && self.side_of(&field.text).is_none()
        {
            return Ok(SmallVec::from_elem(1, self.sides.len()));
        }
        let number = ["1", "2"].iter().position(|number| *number == field.text);
        let number = number.filter(|_| self.sides.len() == 2);
        let side = self.winners.side(self.side_of(&field.text), number);
        let side = side.map_err(|what| field.refuse(&format!("`{}`: {what}", shown(&field.text))))?;
        if let Some(side) = side.or_else(|| self.side_named(field)) {
            // Who lost is asked of two sides only.
            return Ok(self.won_by(if won { side } else { 1 - side }));
        }
        if is_draw {
            return Ok(SmallVec::from_elem(1, self.sides.len()));
        }
        if let Some(side) = self.side_of_all(&field.text) {
            return Ok(self.won_by(if won { side } else { 1 - side }));
        }
        let mut members = self.sides.iter().flatten();
        let hint = match members.find(|one| plain(&one.name) == plain(&field.text)) {
            Some(one) => format!(
                "; `{}` differs in case or signs alone: write one of the two",
                shown(&one.name)
            ),
            None => self.winners.labels.hint(&plain(&field.text)),
        };
        Err(field.refuse(&format!(
            "`{}`, which is neither a player of the game nor a draw{hint}",
            shown(&field.text),
        )))
    }

    /// The side that the user calls so.
    fn told_label(&self, field: &Field<'_>) -> Option<usize> {
        self.winners
            .labels
            .told(&plain(&field.text))
            .filter(|_| self.sides.len() == 2)
    }

    /// The side whose players a text lists.
    fn side_of_all(&self, text: &str) -> Option<usize> {
        let names = Lists::default().split(text, 1).ok()?;
        let has = |side: usize, name: &str| self.sides[side].iter().any(|one| one.name == name);
        let mut sides = 0..self.sides.len();
        let found = sides.find(|side| names.iter().all(|name| has(*side, name)))?;
        (!names.is_empty() && self.sides.len() == 2).then_some(found)
    }

    fn won_by(&self, winner: usize) -> SmallVec<[u32; 2]> {
        let place = |side| if side == winner { 1 } else { 2 };
        (0..self.sides.len()).map(place).collect()
    }

    /// The side of a player of this name.
    fn side_of(&self, name: &str) -> Option<usize> {
        self.sides
            .iter()
            .position(|side| side.iter().any(|one| is_same(&one.name, name)))
    }

    /// The side of two that is called so.
    fn side_named(&self, field: &Field<'_>) -> Option<usize> {
        // `-1` is no side.
        if self.sides.len() != 2 || field.text.starts_with(['-', '+', '\u{2212}']) {
            return None;
        }
        let called = plain(&field.text);
        let columns = ["player1", "player2"].map(|meaning| (self.field)(meaning).ok());
        let words = match &columns {
            [Some(one), Some(other)] => sides_of(&one.name, &other.name),
            _ => None,
        };
        let is_called = |side: usize| {
            let number = ["1", "2"][side];
            let mut own = Vec::from([
                format!("player{number}"),
                format!("team{number}"),
                format!("side{number}"),
                format!("faction{number}"),
            ]);
            if let Some(column) = &columns[side] {
                let column = plain(&column.name);
                let bare = ["_team", "_name", "_id", "_player", "team"];
                let bare = bare.iter().find_map(|end| column.strip_suffix(end));
                let bare = bare.unwrap_or(&column).to_owned();
                own.extend([bare, column]);
            }
            own.extend(words.into_iter().flat_map(|words| called_so(words[side])));
            own.iter()
                .any(|own| without_signs(own).eq(without_signs(&called)))
        };
        // What the columns are called says more than what is usual.
        (0..2)
            .find(|side| is_called(*side))
            .or_else(|| self.winners.labelled(&called, self.sides))
    }
}

fn is_empty(field: &Field<'_>) -> bool {
    field.text.is_empty() || is_nobody(&field.text)
}

/// The score of the first side by a word for each: one has won, or both say the same.
fn two_results(one: &Field<'_>, other: &Field<'_>) -> Result<f64, Fault> {
    let scores = [one, other].map(|field| of_word(&field.text));
    match scores {
        [Some(first), Some(second)] if first + second == 1.0 => Ok(first),
        [Some(1.0), None] => Ok(1.0),
        [None, Some(1.0)] => Ok(0.0),
        [None, None] if [one, other].iter().all(|field| Status::of(&field.text).is_draw()) => Ok(0.5),
        _ => Err(other.refuse(&format!(
            "`{}`, and {} is `{}`: one side wins, or both draw",
            shown(&other.text),
            shown(&one.name),
            shown(&one.text)
        ))),
    }
}

/// Standings without scores.
fn standings(places: SmallVec<[u32; 2]>) -> Standings {
    places.into_iter().map(|place| (place, 0.0)).collect()
}

/// The places of two sides by the score of the first: 1, 0.5 or 0.
fn places_of(score: f64) -> SmallVec<[u32; 2]> {
    smallvec![1 + u32::from(score < 0.5), 1 + u32::from(score > 0.5)]
}
