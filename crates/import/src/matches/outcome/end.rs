//! How a game ended, if it was played at all.

use smallvec::SmallVec;

use super::{Outcome, Telling, is_empty, places_of, standings};
use crate::cell::unplayed::{Unplayed, unplayed};
use crate::error::Fault;
use crate::matches::columns::two_sides::sides_of;
use crate::matches::field::{Field, Standings};
use crate::matches::letters::Said;
use crate::matches::status::Status;
use crate::text::shown;

impl<'a, F, L> Outcome<'_, '_, F, L>
where
    F: Fn(&'static str) -> Result<Field<'a>, Fault>,
    L: Fn(&'static str) -> Result<Vec<Field<'a>>, Fault>,
{
    /// What all of these tell together, what the result says of the letters of its file, and whether the game is none to rate.
    pub(crate) fn end(
        &self,
        tellings: &[Telling],
        forfeits: bool,
    ) -> Result<(Standings, Option<Box<Said>>, bool), Fault> {
        let Some(unplayed) = self.unplayed(tellings)? else {
            let (standings, said) = self.standings(tellings)?;
            return Ok((standings, said, false));
        };
        let rated = match unplayed {
            Unplayed::Forfeit(first) if forfeits => self.forfeited(first, tellings)?,
            Unplayed::Forfeit(_) | Unplayed::Open => None,
        };
        let is_none = rated.is_none();
        let open = || SmallVec::from_elem((1, 0.0), self.sides.len());
        Ok((rated.unwrap_or_else(open), None, is_none))
    }

    /// What the status, the result, empty scores, or a score beside who won, say of a game that was not played.
    fn unplayed(&self, tellings: &[Telling]) -> Result<Option<Unplayed>, Fault> {
        if tellings.last() == Some(&Telling::Status)
            && let Status::Unplayed(unplayed) = self.status("status")
        {
            return Ok(Some(unplayed));
        }
        if tellings.contains(&Telling::Flag)
            && let Status::Unplayed(unplayed) = self.status("flag")
        {
            return Ok(Some(unplayed));
        }
        if tellings.contains(&Telling::TwoResults) {
            let both = [(self.field)("result1")?, (self.field)("result2")?];
            let of = |field: &Field<'_>| match (unplayed(&field.text), Status::of(&field.text)) {
                (Some(unplayed), _) | (None, Status::Unplayed(unplayed)) => Some(unplayed),
                _ => None,
            };
            if let (Some(said), Some(_)) = (of(&both[0]), of(&both[1])) {
                return Ok(Some(said));
            }
        }
        let are_empty = |telling: &Telling| {
            let mut fields = telling.meanings().iter().map(|meaning| (self.field)(meaning));
            fields.all(|field| field.is_ok_and(|field| is_empty(&field)))
        };
        let is_draw = match tellings.last() {
            Some(Telling::Status) => self.status("status").is_draw(),
            _ => false,
        };
        let mut told = tellings.iter().filter(|telling| telling.tells_result());
        if !is_draw && tellings.contains(&Telling::TwoScores) && told.all(are_empty) {
            return Ok(Some(Unplayed::Open));
        }
        let result = tellings
            .contains(&Telling::Result)
            .then(|| (self.field)("result"));
        if let Some(field) = result.transpose()? {
            if matches!(&*field.text, "0-0" | "0:0") && self.is_chess() {
                return Ok(Some(Unplayed::Open));
            }
            if let Some(said) = unplayed(&field.text) {
                return Ok(Some(said));
            }
        }
        // Dropped: what is no text is no comment.
        let comment = tellings
            .contains(&Telling::Comment)
            .then(|| (self.field)("score").ok());
        let said = comment.flatten().and_then(|field| unplayed(&field.text));
        // Who won is named.
        Ok(said.map(|said| match said {
            Unplayed::Forfeit(_) => Unplayed::Forfeit(None),
            Unplayed::Open => Unplayed::Open,
        }))
    }

    /// Whether the sides are white and black, where `0-0` is a game that both have lost by a forfeit.
    fn is_chess(&self) -> bool {
        let columns = ["player1", "player2"].map(|meaning| (self.field)(meaning).ok());
        match &columns {
            [Some(one), Some(other)] => {
                sides_of(&one.name, &other.name).is_some_and(|sides| sides.contains(&"white"))
            }
            _ => false,
        }
    }

    /// Who won by a forfeit, as it says itself or what stands beside it; none where nothing does.
    fn forfeited(&self, first: Option<bool>, tellings: &[Telling]) -> Result<Option<Standings>, Fault> {
        // `W/O` says no more than that; a result beside a column that says it counts.
        let result = tellings
            .contains(&Telling::Result)
            .then(|| (self.field)("result"));
        let is_result =
            |field: Result<Field<'a>, Fault>| field.is_ok_and(|field| unplayed(&field.text).is_none());
        let counts = result.is_some_and(is_result);
        let others = tellings
            .iter()
            .copied()
            .filter(|telling| *telling != Telling::Result || counts);
        // Dropped: a game that nothing says who won is left out.
        let told = self.told(&others.collect::<Vec<_>>(), false).ok();
        let Some(first) = first else { return Ok(told) };
        let said = standings(places_of(if first { 1.0 } else { 0.0 }));
        match told {
            Some(told) if told[0].0 != told[1].0 && told[0].0 != said[0].0 => {
                let field = (self.field)("result")?;
                Err(field.refuse(&format!(
                    "`{}`, and another side is said to have won",
                    shown(&field.text)
                )))
            }
            _ => Ok(Some(said)),
        }
    }
}
