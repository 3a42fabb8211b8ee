//! The seats of a side: one player, a column for each, or a list in one cell. Some may be empty.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use smallvec::SmallVec;

use crate::cell::cell_list::{Lists, is_array};
use crate::cell::names::Names;
use crate::cell::nobody::is_nobody;
use crate::column_names::columns_option;
use crate::error::Fault;
use crate::matches::columns::Columns;
use crate::matches::field::Field;
use crate::matches::games::Member;

/// How the players of a side stand in a row, and what was met so far.
pub(crate) struct Seats {
    names: Names,
    /// Those of sides in one cell.
    lists: Option<Lists>,
    /// Words that were taken for an empty seat.
    words: RefCell<BTreeSet<String>>,
    has_empty: Cell<bool>,
    /// Matches of unequal sides with an empty seat, and the line of the first.
    unequal: Cell<Option<(u64, u64, [usize; 2])>>,
}

impl Seats {
    /// As the user names the columns.
    pub(crate) fn new(columns: &Columns, as_written: bool) -> Self {
        let sides = columns.sides();
        let is_list = sides
            .iter()
            .all(|(meaning, names)| meaning.starts_with("team") && names.len() == 1);
        let several = match &sides {
            [(_, one), (_, other)] if one.len() == 1 && other.len() == 1 => {
                format!(
                    "give {}",
                    columns_option(&format!("team1={},team2={}", one[0], other[0]))
                )
            }
            _ => "write each in a column of its own".to_owned(),
        };
        let lists = || {
            if as_written {
                Lists::as_written([])
            } else {
                Lists::of_teams()
            }
        };
        Self {
            names: Names::new(as_written, Some(several)),
            lists: is_list.then(lists),
            words: RefCell::default(),
            has_empty: Cell::new(false),
            unequal: Cell::new(None),
        }
    }

    /// The members of a side, whose cells `field` finds.
    pub(crate) fn side<'r>(
        &self,
        places: &[usize],
        line: u64,
        field: impl Fn(usize) -> Result<Field<'r>, Fault>,
    ) -> Result<SmallVec<[Member<'r>; 1]>, Fault> {
        if let (Some(lists), &[place]) = (&self.lists, places) {
            return self.listed(lists, &field(place)?, line);
        }
        if let &[place] = places {
            let cell = field(place)?;
            if is_array(&cell.text, self.names.as_written) {
                return self.listed(&Lists::default(), &cell, line);
            }
            return Ok(SmallVec::from_buf([Member::new(cell, &self.names)?]));
        }
        let mut members = SmallVec::new();
        for &place in places {
            let name = field(place)?;
            if !self.is_empty(&name.text) {
                members.push(Member::new(name, &self.names)?);
            }
        }
        Ok(members)
    }

    /// The members in one cell.
    pub(crate) fn listed<'r>(
        &self,
        lists: &Lists,
        cell: &Field<'r>,
        line: u64,
    ) -> Result<SmallVec<[Member<'r>; 1]>, Fault> {
        let items = lists.seats(&cell.text, line).map_err(|what| cell.refuse(&what))?;
        let mut members = SmallVec::new();
        for item in items {
            if !self.is_empty(&item) {
                let checked = self.names.check_word(&item);
                checked.map_err(|what| cell.refuse(&what))?;
                members.push(Member::of(item.into(), cell.column));
            }
        }
        if members.is_empty() {
            return Err(cell.refuse("empty; every match needs two players or more, each with a name"));
        }
        Ok(members)
    }

    /// Whether a cell of a team is an empty seat.
    fn is_empty(&self, text: &str) -> bool {
        let is_word = !self.names.as_written && is_nobody(text);
        if is_word && !self.words.borrow().contains(text) {
            self.words.borrow_mut().insert(text.to_owned());
        }
        if is_word || text.is_empty() {
            self.has_empty.set(true);
        }
        is_word || text.is_empty()
    }

    /// Takes note of the sizes of a match's sides.
    pub(crate) fn count(&self, line: u64, sizes: [usize; 2]) {
        if self.has_empty.replace(false) && sizes[0] != sizes[1] {
            let (count, first, example) = self.unequal.get().unwrap_or((0, line, sizes));
            self.unequal.set(Some((count + 1, first, example)));
        }
    }

    /// What there is to say of empty seats.
    pub(crate) fn notes(&self) -> Vec<String> {
        let words: Vec<String> = self
            .words
            .borrow()
            .iter()
            .map(|word| format!("`{word}`"))
            .collect();
        let words = (!words.is_empty()).then(|| {
            format!(
                "cells of teams that stand for nobody: {}; if a player is called so, give --names-as-written",
                words.join(", ")
            )
        });
        let unequal = self.unequal.get().map(|(count, first, [one, other])| {
            let matches = if count == 1 { "match has" } else { "matches have" };
            format!(
                "{count} {matches} an empty seat and sides of unequal size, the first in line {first}, {one} against \
                 {other}: taken for games of fewer players; if names are missing, leave such matches out"
            )
        });
        words.into_iter().chain(unequal).collect()
    }
}
