//! What of a file tells how its games ended. Names in small letters, with `_` for what is neither letter nor digit.

use super::Columns;
use super::two_sides::{TwoSides, win_of_first};
use crate::column_names::{called, inner, plain};
use crate::matches::outcome::Telling;
use crate::matches::status::{NOTES, is_flag};

/// What their scores are called.
const SCORES: [[&str; 2]; 14] = [
    ["hs", "as"],
    ["score1", "score2"],
    ["score_1", "score_2"],
    ["home_score", "away_score"],
    ["home_goals", "away_goals"],
    ["homescore", "awayscore"],
    ["homegoals", "awaygoals"],
    ["fthg", "ftag"],
    ["score_a", "score_b"],
    ["goals1", "goals2"],
    ["white_score", "black_score"],
    ["score_w", "score_b"],
    ["hg", "ag"],
    ["wsets", "lsets"],
];
/// What a column is called that has a shoot-out behind equal scores.
const PENS: [&str; 6] = [
    "pens",
    "penalties",
    "pso",
    "penalty_shootout",
    "penalty_score",
    "elfmeter",
];
/// What lists of both scores are called where there are those of other times as well.
const FULL_TIME: [&str; 3] = ["score_ft", "score_full_time", "score_fulltime"];
/// What results are called; `score` only where nothing else tells how a game ended.
const RESULTS: [&str; 6] = ["result", "outcome", "res", "ftr", "ergebnis", "resultat"];
/// What columns are called that name who won or lost, beside the players.
const WINNERS: [(&str, [&str; 5]); 2] = [
    (
        "winner",
        ["winner", "winner_name", "winning_team", "winner_id", "gewinner"],
    ),
    (
        "loser",
        ["loser", "loser_name", "losing_team", "loser_id", "verlierer"],
    ),
];
/// What tells how a game ended: where the user names some of these, the others do not count.
pub(super) const OUTCOMES: [&str; 11] = [
    "score1", "score2", "result", "result1", "result2", "winner", "loser", "ranks", "scores", "rank", "score",
];
/// What columns are called that say whether a game was played.
const STATUS: [&str; 7] = [
    "status",
    "match_status",
    "game_status",
    "status_short",
    "state",
    "match_state",
    "comment",
];

impl Columns {
    /// All that probably tells how a game ended.
    pub(super) fn guess_outcome<'a>(&self, names: &'a [String], guesses: &mut Vec<(&'static str, &'a str)>) {
        let has = |name: &str| names.iter().any(|known| known == name);
        let called = |wanted: &str| called(names, wanted);
        let pair = |family: &[&str; 2]| Some([called(family[0])?, called(family[1])?]);
        let are_free = |pair: &[&'a str; 2]| !pair.iter().any(|name| self.is_player(name));
        let two = TwoSides::of(names);
        let before = guesses.len();
        let has_scores = has("score1") && has("score2");
        if !has_scores {
            let found = SCORES.iter().find_map(pair);
            let found = found.or_else(|| two.scores());
            let found = found.filter(are_free).into_iter().flatten();
            guesses.extend(["score1", "score2"].into_iter().zip(found));
        }
        if !has("result") {
            let of = |meaning: &'static str| {
                let guess = guesses.iter().find(|(known, _)| *known == meaning);
                guess.map_or_else(|| self.name(meaning), |(_, name)| *name)
            };
            let found = RESULTS.iter().find_map(|name| called(name));
            let found = found.or_else(|| win_of_first(names, of("player1"), of("player2")));
            // It is refused, with what to write.
            let found = found.or_else(|| win_of_first(names, of("player2"), of("player1")));
            guesses.extend(found.map(|name| ("result", name)));
        }
        if !(has("shootout1") && has("shootout2")) {
            let found = two.shoot_outs().into_iter().flatten();
            guesses.extend(["shootout1", "shootout2"].into_iter().zip(found));
        }
        let lists = || names.iter().find(|name| FULL_TIME.contains(&&*plain(name)));
        if let Some(name) = lists().filter(|_| guesses.len() == before && !has_scores && !has("scores")) {
            guesses.push(("scores", name));
        }
        if !(has("result1") && has("result2")) {
            let found = two.results().filter(are_free).into_iter().flatten();
            guesses.extend(["result1", "result2"].into_iter().zip(found));
        }
        let all = names;
        let is_player = |name: &str| self.is_player(name) || guesses.iter().any(|(_, known)| *known == name);
        let others = WINNERS.iter().filter_map(|(meaning, names)| {
            let own = names.iter().filter_map(|name| called(name));
            let mut named = own.chain(names.iter().filter_map(|name| inner(all, name)));
            Some((*meaning, named.find(|name| !is_player(name))?))
        });
        let others: Vec<_> = others.collect();
        let is_winner = |name: &str| {
            ["winner", "winning", "victor"]
                .iter()
                .any(|word| plain(name).starts_with(word))
        };
        let are_winners = guesses
            .iter()
            .any(|(meaning, name)| *meaning == "player1" && is_winner(name))
            || self.sides()[0].1.iter().any(|name| is_winner(name));
        // Beside such players other columns of who won and lost, as of their ids, say nothing more.
        guesses.extend(others.into_iter().filter(|_| !are_winners));
        let is_there = has_scores || has("result") || has("ranks") || has("scores");
        let tells = is_there || are_winners || guesses.len() > before;
        if let Some(name) = called("score").filter(|name| !tells || *name != "score") {
            guesses.push((if tells { "score" } else { "result" }, name));
        }
        if !has("shootout") {
            let found = PENS.iter().find_map(|name| called(name));
            guesses.extend(found.map(|name| ("shootout", name)));
        }
        if !has("status") {
            let is_taken = |name: &str| guesses.iter().any(|(_, known)| *known == name);
            let found = status(names, is_taken);
            // A forfeit is told beside a status as well.
            let flag = names
                .iter()
                .find(|name| is_flag(name) && Some(&***name) != found && !is_taken(name));
            let flag = flag.filter(|_| found.is_some() && !has("flag"));
            let flag = flag.map(|name| ("flag", name.as_str()));
            guesses.extend(found.map(|name| ("status", name)).into_iter().chain(flag));
        }
    }

    /// What tells how a game ended in a file that has these names.
    pub(crate) fn tellings(&self, has: impl Fn(&str) -> bool) -> Vec<Telling> {
        let named = |meaning: &&'static str| self.named.iter().any(|(known, _)| known == meaning);
        let is_chosen = OUTCOMES.iter().any(named);
        let is_player = |meaning: &&'static str| self.is_player(self.name(meaning));
        let is_there = |telling: &Telling| {
            let mut meanings = telling.meanings().iter();
            match telling {
                Telling::Text if is_chosen || self.name("score") == self.name("result") => false,
                _ if is_chosen => meanings.any(named),
                Telling::Winner | Telling::Loser if meanings.clone().any(is_player) => false,
                _ => meanings.all(|meaning| has(self.name(meaning))),
            }
        };
        let sides = self.sides();
        let are_called =
            |side: usize, what: &str| sides[side].1.iter().all(|name| plain(name).starts_with(what));
        // Those who won may be the first players of all rows.
        let words = [("winner", "loser"), ("winning", "losing"), ("victor", "defeated")];
        let mut words = words.into_iter();
        let are_told = words.any(|(one, other)| are_called(0, one) && are_called(1, other));
        let players = (are_told && !is_chosen).then_some(Telling::Players);
        let others = Telling::ALL.into_iter().filter(is_there);
        let mut all: Vec<Telling> = players.into_iter().chain(others).collect();
        // Sets and points, in whatever order, are no result where the winner is named.
        let is_named =
            |telling: &Telling| matches!(telling, Telling::Players | Telling::Winner | Telling::Loser);
        let are_named = all.iter().any(is_named);
        let text = all.iter_mut().find(|telling| **telling == Telling::Text);
        if let Some(text) = text.filter(|_| are_named) {
            *text = Telling::Comment;
        }
        all
    }

    /// A name for the score of one side among these that lacks the other's, unless the user names what counts.
    pub(crate) fn half_of_scores(&self, names: &[String]) -> Option<(String, &'static str)> {
        let has = |name: &str| names.iter().any(|known| known == name);
        if self.chosen(&OUTCOMES) || self.tellings(has).contains(&Telling::TwoScores) {
            return None;
        }
        let called = |wanted: &str| called(names, wanted).map(str::to_owned);
        SCORES
            .iter()
            .find_map(|[one, two]| match (called(one), called(two)) {
                (Some(there), None) => Some((there, *two)),
                (None, Some(there)) => Some((there, *one)),
                _ => None,
            })
    }
}

/// What probably says whether a game was played.
fn status(names: &[String], is_taken: impl Fn(&str) -> bool) -> Option<&str> {
    let found = STATUS.iter().find_map(|name| called(names, name));
    let inner = || STATUS.iter().find_map(|name| inner(names, name));
    let first = |is_meant: &dyn Fn(&str) -> bool| {
        let mut names = names.iter().map(String::as_str);
        names.find(|name| is_meant(name))
    };
    let short = || first(&|name| plain(name).ends_with("status_short"));
    let flag = || first(&|name| is_flag(name) && !is_taken(name));
    // Of several none is.
    let is_alone = |name: &&str| names.iter().filter(|known| known == name).count() == 1;
    let notes = || NOTES.iter().find_map(|name| called(names, name)).filter(is_alone);
    found.or_else(inner).or_else(short).or_else(flag).or_else(notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_tells_the_result_counts_unless_the_user_names_some() {
        use Telling::{Comment, Loser, Players, Result, TwoScores, Winner};
        for (given, names, wanted) in [
            (
                "",
                "time,player1,player2,score1,score2,result",
                &[TwoScores, Result][..],
            ),
            (
                "result=result",
                "time,player1,player2,score1,score2,result",
                &[Result],
            ),
            ("", "time,player1,player2,score1,result", &[Result]),
            ("", "Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR", &[TwoScores, Result]),
            ("", "time,winner,loser,result", &[Players, Result]),
            ("", "time,Winning Player,Losing Player", &[Players]),
            ("", "time,victor,defeated", &[Players]),
            ("", "time,winner_name,loser_name,score", &[Players, Comment]),
            (
                "winner=winner_name",
                "time,winner_name,loser_name,score",
                &[Winner],
            ),
            ("", "time,player1,player2,winner,loser", &[Winner, Loser]),
            ("", "time,white,black,winner,score", &[Winner, Comment]),
            ("", "time,white,black,Score", &[Result]),
            ("", "time,white,black", &[]),
        ] {
            let names: Vec<String> = names.split(',').map(str::to_owned).collect();
            let (columns, _) = Columns::parse(given).unwrap().fitted(&names);
            let has = |name: &str| names.iter().any(|known| known == name);
            assert_eq!(columns.tellings(has), wanted, "{given} {names:?}");
        }
    }
}
