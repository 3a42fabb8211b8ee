//! What the keys of matches that list their players are taken for.

use serde_json::{Map, Value};

use super::{MemberRows, Winner};
use crate::row::json_row::JsonRow;
use crate::row::json_text::{flat, object};
use crate::unused::ColumnUse;

impl MemberRows {
    /// What was found where, for `--columns`.
    pub(super) fn found(&self) -> impl Iterator<Item = String> {
        let told = self.outcomes.iter().map(|told| (told.meaning, Some(&told.name)));
        let own = [
            ("player", self.player.as_ref()),
            ("team", self.team.as_ref()),
            ("party", self.party.as_ref()),
        ];
        let is_beside = |name: &String| self.winner.as_ref().is_some_and(|winner| winner.key() == name);
        let all = own
            .into_iter()
            .chain(told.filter(move |(_, name)| !name.is_some_and(is_beside)));
        let all = all.filter_map(|(meaning, name)| Some((meaning, name?)));
        let others = all.filter(|(meaning, name)| meaning != name);
        others
            .map(|(meaning, name)| format!("{meaning}={name}"))
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// Notes the keys of a match, and of its first player, and what they are taken for.
    pub(super) fn note_use(&self, row: &JsonRow, unused: &ColumnUse) {
        let Some(object) = object(&row.text).ok().and_then(|(object, _)| flat(object).ok()) else {
            return;
        };
        let keys: Vec<String> = object.keys().cloned().collect();
        let winner = self.winner.as_ref().map(Winner::key);
        let beside = [
            Some(self.columns.name("time")),
            Some(self.columns.name("context")),
            Some(&*self.list),
            self.columns.match_id(&keys),
            winner,
        ];
        let of_key = |key: &&String| !beside.contains(&Some(key.as_str()));
        keys.iter().filter(of_key).for_each(|key| unused.add(key));
        let first = object
            .get(&self.list)
            .and_then(Value::as_array)
            .and_then(|list| list.first()?.as_object().cloned());
        let told = self.outcomes.iter().map(|told| &told.name);
        let own = [
            &self.player,
            &self.team,
            &self.party,
            &self.performance,
            &self.of_side,
        ];
        let named = |meaning| {
            let key = self.columns.name(meaning);
            object.contains_key(key).then_some((key, meaning))
        };
        let beside = [named("time"), named("context"), winner.map(|key| (key, "winner"))];
        let beside = beside
            .into_iter()
            .chain([self.columns.match_id(&keys).map(|key| (key, "match"))]);
        beside
            .flatten()
            .for_each(|(key, meaning)| unused.take(key, meaning));
        let meanings = [
            (&self.player, "player"),
            (&self.team, "team"),
            (&self.party, "party"),
            (&self.performance, "performance"),
        ];
        let meanings = meanings
            .into_iter()
            .filter_map(|(key, meaning)| Some((key.as_ref()?, meaning)));
        let outcomes = self.outcomes.iter().filter(|told| winner != Some(&*told.name));
        for (key, meaning) in meanings.chain(outcomes.map(|told| (&told.name, told.meaning))) {
            unused.take(&format!("{}.{key}", self.list), meaning);
        }
        let used: Vec<&String> = own.into_iter().flatten().chain(told).collect();
        for key in first
            .and_then(|first| flat(first).ok())
            .iter()
            .flat_map(Map::keys)
        {
            if !used.contains(&key) {
                unused.add(&format!("{}.{key}", self.list));
            }
        }
    }
}
