//! A match of a long table, as far as its rows were read, and the game that they make.

use std::collections::HashMap;

use smallvec::SmallVec;

use super::{Row, Told};
use crate::cell::nobody::{Parties, Zero, is_no_party, is_nobody, is_zero};
use crate::cell::numbers::{GREATEST_WHOLE, ROUNDED};
use crate::cell::unplayed::unplayed;
use crate::cell::value::{of_word, parse_rank, parse_score, typed};
use crate::column_names::columns_option;
use crate::error::{Fault, RowError};
use crate::matches::agreement::{Order, Statement, agree};
use crate::matches::field::Field;
use crate::matches::games::{Match, Member, PlayerRows, When};
use crate::matches::letters::Letter;
use crate::matches::undecided::{LONE_F, Letters, OPEN_T};
use crate::text::shown;

/// As many as are looked through one after the other.
const FEW: usize = 16;

pub(super) struct Draft {
    sides: Vec<Side>,
    /// Where sides stand beyond the first few, by their teams.
    others: HashMap<String, usize>,
    /// What its rows say of its time, each once, with the first line.
    times: Vec<(u64, When<'static>)>,
    /// Whether all rows say the same of what was played.
    has_context: bool,
    /// What its first row says of what was played, with its line.
    context: Option<(u64, Field<'static>)>,
    rows: u64,
    /// The first of its bad rows, and whether the row is surely of this match.
    fault: Option<(RowError, bool)>,
}

#[derive(Default)]
struct Side {
    team: String,
    members: SmallVec<[Member<'static>; 1]>,
    /// Of the parties of the members.
    labels: Vec<String>,
    /// The lines of its rows, and what they say of how it did, by each meaning.
    told: Vec<(u64, SmallVec<[String; 1]>)>,
}

/// What all rows say together.
#[derive(Clone, Copy)]
pub(super) struct All {
    letters: Letters,
    pub(super) zero: Zero,
    /// Whether places begin at 0 in some matches and at 1 in others.
    has_odd_zero: bool,
}

impl All {
    pub(super) fn of(drafts: &[Draft], outcomes: &[Told]) -> Self {
        let (mut letters, mut parties) = (Letters::default(), Parties::default());
        let result = outcomes.iter().position(|told| told.meaning == "result");
        let rank = outcomes.iter().position(|told| told.meaning == "rank");
        let begins_at_zero = |draft: &Draft| {
            let mut told = draft.sides.iter().flat_map(|side| &side.told);
            told.any(|(_, told)| rank.is_some_and(|place| told[place] == "0"))
        };
        let zeros = drafts.iter().filter(|draft| begins_at_zero(draft)).count();
        let has_zero = drafts.iter().any(|draft| draft.zero().is_some());
        for draft in drafts {
            let told = draft.sides.iter().flat_map(|side| &side.told);
            let results = told.filter_map(|(_, told)| told.get(result?));
            results
                .filter_map(|text| Letter::of(text))
                .for_each(|letter| letters.add(letter));
            if has_zero {
                let sides = draft.sides.iter().enumerate();
                let labels = sides.flat_map(|(at, side)| side.labels.iter().map(move |label| (at, &**label)));
                parties.add(labels);
            }
        }
        Self {
            letters,
            zero: parties.zero(),
            has_odd_zero: zeros > 0 && zeros < drafts.len(),
        }
    }

    /// The score that a result of a row stands for.
    fn score(self, text: &str) -> Option<f64> {
        match (Letter::of(text), self.letters.t_is_true()) {
            (Some(Letter::T), is_true) => is_true.map(|is_true| if is_true { 1.0 } else { 0.5 }),
            _ if text == "=" => Some(0.5),
            _ if text.is_ascii() => of_word(text),
            _ => of_word(&typed(text)),
        }
    }
}

/// Whose the scores of a file are.
pub(super) enum Scores {
    /// There are none, or no team has several players.
    Plain,
    /// The team's, which all its players have.
    Team,
    /// Each player's own, as in this line, where another of the team has another one.
    Own(u64),
}

impl Scores {
    /// Scores that differ within a team in some match are the players' own in every match.
    pub(super) fn of(drafts: &[Draft], outcomes: &[Told]) -> Self {
        let Some(place) = outcomes.iter().position(|told| told.meaning == "score") else {
            return Self::Plain;
        };
        let sides = drafts.iter().flat_map(|draft| &draft.sides);
        let mut teams = sides.filter(|side| side.told.len() > 1).peekable();
        if teams.peek().is_none() {
            return Self::Plain;
        }
        let differs = teams.find_map(|side| {
            // What cannot be read is told of its own match alone.
            let mut scores = side.told.iter().filter_map(|(line, told)| {
                let score = parse_score(&told[place]).ok()?;
                Some((*line, score))
            });
            let (_, first) = scores.next()?;
            scores.find(|(_, score)| *score != first)
        });
        differs.map_or(Self::Team, |(line, _)| Self::Own(line))
    }

    /// What the user should hear of it.
    pub(super) fn note(&self) -> Option<String> {
        match self {
            Self::Plain => None,
            Self::Team => Some(
                "scores: the players of a team have the same in every match, so that it counts once, as the team's"
                    .to_owned(),
            ),
            Self::Own(line) => Some(format!(
                "scores: those within a team differ, as in line {line}, so that they are the players' own and add up in \
                 every match"
            )),
        }
    }
}

impl Draft {
    /// Whether one of its sides is this team.
    pub(super) fn has_team(&self, team: &str) -> bool {
        self.sides.iter().any(|side| side.team == team)
    }

    pub(super) fn new() -> Self {
        Self {
            sides: Vec::new(),
            others: HashMap::new(),
            times: Vec::new(),
            has_context: true,
            context: None,
            rows: 0,
            fault: None,
        }
    }

    /// One of its rows cannot be used; `is_sure`: it is of this match.
    pub(super) fn spoil(&mut self, error: RowError, is_sure: bool) {
        self.rows += 1;
        self.fault.get_or_insert((error, is_sure));
    }

    pub(super) fn is_spoilt(&self) -> bool {
        self.fault.is_some()
    }

    /// What is wrong with its rows.
    pub(super) fn fault(&mut self) -> Option<RowError> {
        let (error, is_sure) = self.fault.as_ref()?;
        let error = RowError {
            rows: self.rows,
            ..error.clone()
        };
        // A name that no good row has may be none.
        let is_known = *is_sure || !self.sides.is_empty();
        Some(if is_known {
            error
        } else {
            super::without_match(error)
        })
    }

    /// One more player; without a team a side of its own.
    pub(super) fn push(&mut self, row: Row, context_is_told: bool) {
        self.rows += 1;
        self.add_context(row.line, row.context, context_is_told);
        let is_other = |when: &When<'_>| when.text() != row.when.text() || when.date != row.when.date;
        // Of very many each may be there again.
        if self.times.iter().rev().take(FEW).all(|(_, when)| is_other(when)) {
            self.times.push((row.line, row.when));
        }
        let place = self.side(&row.team).unwrap_or_else(|| {
            let place = self.sides.len();
            if place >= FEW {
                self.others.insert(row.team.clone(), place);
            }
            self.sides.push(Side {
                team: row.team,
                ..Side::default()
            });
            place
        });
        self.sides[place].members.push(row.member);
        self.sides[place].labels.push(row.party);
        self.sides[place].told.push((row.line, row.told));
    }

    /// All rows must say the same of what was played; where they do not, a column that the user did not name is none of it.
    fn add_context(&mut self, line: u64, context: Option<Field<'static>>, is_told: bool) {
        let Some(context) = context else { return };
        let Some((first_line, first)) = &self.context else {
            self.context = Some((line, context));
            return;
        };
        if first.text != context.text && !is_told {
            self.has_context = false;
        } else if first.text != context.text {
            let what = format!(
                "`{}`, and `{}` in line {first_line} of the same match; write what was played alike in all its rows",
                shown(&context.text),
                shown(&first.text)
            );
            let error = RowError::new(line, context.refuse(&what));
            self.fault.get_or_insert((error, true));
        }
    }

    /// Where a side stands.
    fn side(&self, team: &str) -> Option<usize> {
        let mut few = self.sides.iter().take(FEW);
        let found = || {
            few.position(|side| side.team == team)
                .or_else(|| self.others.get(team).copied())
        };
        // Who has no team is a side alone.
        (!team.is_empty()).then(found).flatten()
    }

    /// The line of the first party `0`.
    pub(super) fn zero(&self) -> Option<u64> {
        let lines = |side: &Side| {
            let mut both = side.labels.iter().zip(&side.told);
            both.find_map(|(label, (line, _))| is_zero(label).then_some(*line))
        };
        self.sides.iter().filter_map(lines).min()
    }

    /// Gives each party a number of its own.
    fn number_parties(&mut self, zero: Zero) {
        let mut known: HashMap<&str, u32> = HashMap::new();
        for side in &mut self.sides {
            for (member, label) in side.members.iter_mut().zip(&side.labels) {
                if is_no_party(label) || (is_zero(label) && zero == Zero::Nobody) {
                    continue;
                }
                let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
                member.party = Some(*known.entry(label).or_insert(next));
            }
        }
    }

    /// Refuses players without a team beside others who have one.
    fn check_teams(&mut self) -> Result<(), RowError> {
        if let [side] = &mut self.sides[..]
            && side.team == "NA"
        {
            // Of all players of a match it says that there are no teams.
            self.sides = std::mem::take(side).each_alone();
        }
        let without = self.sides.iter().find(|side| side.team.is_empty());
        let has_teams = self.sides.iter().any(|side| !side.team.is_empty());
        match without.filter(|_| has_teams) {
            None => Ok(()),
            Some(side) => {
                let what = "the player has no team, where others of the match have one; write the team of each player, \
                            one of its own for who plays alone";
                let column = side.members.first().map_or(1, |one| one.column);
                Err(RowError::new(side.told[0].0, (column, what.to_owned())))
            }
        }
    }

    /// What its teams are called.
    pub(super) fn teams(&self) -> impl Iterator<Item = &str> {
        self.sides.iter().map(|side| &*side.team)
    }

    /// What its parties are called.
    pub(super) fn parties(&self) -> impl Iterator<Item = &str> {
        self.sides
            .iter()
            .flat_map(|side| side.labels.iter().map(String::as_str))
    }

    /// The line of a first match and the name of the ranks, if these tell alone how matches ended and none of some is the first.
    pub(super) fn without_first<'o>(drafts: &[Self], outcomes: &'o [Told]) -> Option<(u64, &'o str)> {
        let [rank] = outcomes else { return None };
        let is_first = |draft: &Self| {
            let mut told = draft.sides.iter().flat_map(|side| &side.told);
            told.any(|(_, told)| {
                told.first()
                    .is_some_and(|text| parse_rank(text).is_ok_and(|rank| rank < 2))
            })
        };
        let line = drafts.first()?.sides.first()?.told.first()?.0;
        let is_rank = rank.meaning == "rank" && drafts.len() > 1;
        (is_rank && !drafts.iter().any(is_first)).then_some((line, &*rank.name))
    }

    /// Leaves out sides that have no rank, or one that says that they did not finish, where two others did; how many.
    pub(super) fn leave_out_unfinished(&mut self, outcomes: &[Told]) -> u64 {
        let Some(rank) = outcomes.iter().position(|told| told.meaning == "rank") else {
            return 0;
        };
        let is_alone = outcomes.len() == 1;
        let is_unfinished = |side: &Side| {
            let mut ranks = side.told.iter().filter_map(|(_, told)| told.get(rank));
            ranks.all(|text| unplayed(text).is_some() || (is_alone && (text.is_empty() || is_nobody(text))))
        };
        let before = self.sides.len();
        let finished = self.sides.iter().filter(|side| !is_unfinished(side)).count();
        if finished < 2 {
            return 0;
        }
        self.sides.retain(|side| !is_unfinished(side));
        (before - finished) as u64
    }

    /// Whether a row says in place of a rank or a result that the match was not played.
    fn is_unplayed(&self, outcomes: &[Told]) -> bool {
        let told = self.sides.iter().flat_map(|side| &side.told);
        let mut cells = told.flat_map(|(_, told)| told.iter().zip(outcomes));
        cells.any(|(text, outcome)| outcome.meaning != "score" && unplayed(text).is_some())
    }

    /// The game, by all that tells how it ended, or what is wrong in which row.
    pub(super) fn game(
        mut self,
        outcomes: &[Told],
        (scores, all): (&Scores, All),
    ) -> Result<Match<'static>, RowError> {
        self.number_parties(all.zero);
        let rows = self.rows;
        let lost = |error: RowError| RowError { rows, ..error };
        self.check_teams().map_err(lost)?;
        let is_unplayed = self.is_unplayed(outcomes);
        let mut statements = Vec::new();
        let mend = self.mend(outcomes);
        let told = outcomes.iter().enumerate().filter(|_| !is_unplayed);
        for (place, outcome) in told {
            let statement = self.statement(place, outcome, (scores, all));
            statements.extend(statement.map_err(|mut error| {
                error.fault.1 += &mend(outcome.meaning);
                lost(error)
            })?);
        }
        let mut times = self.times.into_iter();
        let Some((line, when)) = times.next().filter(|_| is_unplayed || !statements.is_empty()) else {
            let (line, told) = &self.sides[0].told[0];
            return Err(lost(RowError::new(
                *line,
                outcomes[0]
                    .field(&told[0])
                    .refuse("empty in all rows of the match"),
            )));
        };
        let standings = if is_unplayed {
            Ok(SmallVec::from_elem((1, 0.0), self.sides.len()))
        } else {
            agree(statements, self.sides.len())
        };
        let standings = standings.map_err(|told| {
            let line = self.sides[told.side].told[0].0;
            lost(RowError::new(line, (told.column, told.what)))
        })?;
        let lines = self.sides.iter().flat_map(|side| &side.told);
        let rows = PlayerRows {
            lines: lines.map(|(line, _)| *line).collect(),
            times: times.collect(),
        };
        let first = self.sides.first().and_then(|side| side.members.first());
        let column = first.map_or(1, |one| one.column);
        let sides = self.sides.into_iter().map(|side| side.members).collect();
        let context = self
            .context
            .filter(|_| self.has_context)
            .map(|(_, context)| context);
        let game = Match::new(line, when, (column, sides), standings).of_rows(rows);
        Ok(game.in_context(context).unplayed(is_unplayed))
    }

    /// What else may be the matter where what tells the result is wrong, and what leaves it out.
    fn mend<'o>(&self, outcomes: &'o [Told]) -> impl Fn(&str) -> String + use<'o> {
        let times = match &self.times[..] {
            [(first, _), (second, _), ..] => format!(
                "; the rows in lines {first} and {second} are of other times: if they are of other matches, give each \
                 match an id of its own"
            ),
            _ => String::new(),
        };
        move |meaning| {
            let others = outcomes.iter().filter(|other| other.meaning != meaning);
            let others: Vec<String> = others
                .map(|other| format!("{}={}", other.meaning, other.name))
                .collect();
            let mend = format!("; {} leaves it out", columns_option(&others.join(",")));
            Some(mend).filter(|_| !others.is_empty()).unwrap_or_default() + &times
        }
    }

    /// What the rows say by one meaning; nothing if all are empty.
    fn statement(
        &self,
        place: usize,
        outcome: &Told,
        (scores, all): (&Scores, All),
    ) -> Result<Option<Statement>, RowError> {
        let mut told = self.sides.iter().flat_map(|side| &side.told);
        if told.all(|(_, told)| told[place].is_empty()) {
            return Ok(None);
        }
        let of_sides = self
            .sides
            .iter()
            .map(|side| side.told(place, outcome, (scores, all)));
        let of_sides: Vec<(u64, Field<'_>)> = of_sides.collect::<Result<_, _>>()?;
        let order = match outcome.meaning {
            "rank" => Order::Places(each(&of_sides, |field| match field.read(parse_rank)? {
                0 if all.has_odd_zero => Err(field.refuse(
                    "`0`: a place, or none? Other matches have no 0; write places from 1 for the winners",
                )),
                place => Ok(place),
            })?),
            "score" => Order::Scores(each(&of_sides, |field| field.read(parse_score))?),
            _ => Order::Outcomes(outcomes(&of_sides, all)?),
        };
        Ok(Some(Statement {
            choice: format!("{}={}", outcome.meaning, outcome.name),
            name: outcome.name.clone(),
            says: of_sides.iter().map(|(_, field)| shown(&field.text)).collect(),
            column: outcome.place as u64 + 1,
            order,
        }))
    }
}

impl Side {
    /// A side for each of its players.
    fn each_alone(self) -> Vec<Self> {
        let rows = self.members.into_iter().zip(self.labels).zip(self.told);
        let alone = rows.map(|((member, label), told)| Self {
            team: String::new(),
            members: SmallVec::from_iter([member]),
            labels: vec![label],
            told: vec![told],
        });
        alone.collect()
    }

    /// What all its rows say alike, or the sum of its players' scores; with a line.
    fn told<'o>(
        &'o self,
        place: usize,
        outcome: &'o Told,
        (scores, all): (&Scores, All),
    ) -> Result<(u64, Field<'o>), RowError> {
        let Some(((line, first), others)) = self.told.split_first() else {
            return Err(RowError::new(1, (1, "a side without a player".to_owned())));
        };
        let first = outcome.field(&first[place]);
        if outcome.meaning == "score" && matches!(scores, Scores::Own(_)) && !others.is_empty() {
            let scores = self.told.iter().map(|(line, told)| {
                let score = outcome.field(&told[place]).read(parse_score);
                score.map_err(|fault| RowError::new(*line, fault))
            });
            let sum = scores.sum::<Result<f64, RowError>>()?;
            // A tenth and two tenths are three tenths.
            let sum = if sum.fract() == 0.0 {
                Some(sum)
            } else {
                format!("{sum:.14e}").parse().ok()
            };
            let sum = sum.filter(|sum| sum.abs() < GREATEST_WHOLE).ok_or_else(|| {
                let what = format!("part of a sum beyond what keeps its digits; {ROUNDED}");
                RowError::new(*line, first.refuse(&what))
            })?;
            let text = sum.to_string().into();
            return Ok((*line, Field { text, ..first }));
        }
        let value = |text: &str| all.score(text);
        let is_alike =
            |other: &str| other == first.text || value(other).is_some() && value(other) == value(&first.text);
        if let Some((other_line, other)) = others.iter().find(|(_, other)| !is_alike(&other[place])) {
            let other = outcome.field(&other[place]);
            let what = format!(
                "`{}`, and `{}` in line {line} of the same team",
                shown(&other.text),
                shown(&first.text)
            );
            return Err(RowError::new(*other_line, other.refuse(&what)));
        }
        Ok((*line, first))
    }
}

/// A value of each side, or what is wrong in its line.
fn each<T>(
    of_sides: &[(u64, Field<'_>)],
    read: impl Fn(&Field<'_>) -> Result<T, Fault>,
) -> Result<SmallVec<[T; 2]>, RowError>
where
    [T; 2]: smallvec::Array<Item = T>,
{
    let read = |(line, field): &(u64, Field<'_>)| read(field).map_err(|fault| RowError::new(*line, fault));
    of_sides.iter().map(read).collect()
}

/// What each side is said to have done: won, drawn or lost. One side wins, or some draw.
fn outcomes(of_sides: &[(u64, Field<'_>)], all: All) -> Result<SmallVec<[u32; 2]>, RowError> {
    let scores = each(of_sides, |field| match all.score(&field.text) {
        _ if Letter::of(&field.text) == Some(Letter::F) && all.letters.has_lone_f() => {
            Err(field.refuse(LONE_F))
        }
        None if Letter::of(&field.text) == Some(Letter::T) => Err(field.refuse(OPEN_T)),
        Some(score) if [0.0, 0.5, 1.0].contains(&score) => Ok(score),
        _ => Err(field.refuse(&format!(
            "`{}`; the result of a row is win, draw or loss (or 1, 0.5, 0)",
            shown(&field.text)
        ))),
    })?;
    let count = |wanted: f64| scores.iter().filter(|score| **score == wanted).count();
    let is_one_result = match (count(1.0), count(0.5)) {
        (1, 0) => true,
        (0, drew) => drew > 1,
        _ => false,
    };
    // Of a side alone something else is wrong.
    if !is_one_result && of_sides.len() > 1 {
        // The first that does not go with the one before it, of two sides the second.
        let second = (1..scores.len()).find(|side| scores[*side] > 0.0 || of_sides.len() == 2);
        let (line, field) = &of_sides[second.unwrap_or(1)];
        let (first_line, first) = &of_sides[0];
        let what = format!(
            "`{}`, and `{}` in line {first_line} of another side of the match: one side wins, or several draw; players of \
             one side need the same team",
            shown(&field.text),
            shown(&first.text)
        );
        return Err(RowError::new(*line, field.refuse(&what)));
    }
    // Those who draw share the first place.
    Ok(scores
        .iter()
        .map(|score| if *score > 0.0 { 1 } else { 2 })
        .collect())
}
