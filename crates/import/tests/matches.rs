//! Matches, one after the other or handed over.

use matchwright_import::{
    ImportError, Input, Match, MatchOptions, Matches, Place, RowError, TakeMatch, TimeUnit,
};

pub(crate) const TABLE: &str =
    "time,player1,player2,score1,score2\n1,ann,bob,3,1\n2,bob,cyd,0,0\n3,cyd,ann,1,2\n";

pub(crate) fn options() -> MatchOptions {
    MatchOptions {
        time_unit: Some(TimeUnit::Seconds),
        ..MatchOptions::default()
    }
}

pub(crate) fn open(text: &str, options: &MatchOptions) -> Result<Matches, ImportError> {
    let bytes = std::io::Cursor::new(text.as_bytes().to_vec());
    Matches::open(Input::new("text", bytes), options)
}

/// Time, and place, score and names of each side.
pub(crate) type Told = (i64, Vec<(u32, f64, Vec<String>)>);

pub(crate) fn told(game: &Match<'_>) -> Told {
    let side = |side: matchwright_import::Side<'_, '_>| {
        let names = side.members.iter().map(|member| member.name.to_string());
        (side.place, side.score, names.collect())
    };
    (game.time(), game.sides().map(side).collect())
}

pub(crate) fn all(text: &str, options: &MatchOptions) -> Result<Vec<Told>, ImportError> {
    open(text, options)?
        .map(|game| game.map(|game| told(&game)))
        .collect()
}

/// Takes this many matches, refuses those of a player, and then fails.
struct Few {
    left: usize,
    without: &'static str,
    taken: Vec<Told>,
}

#[derive(Debug)]
enum Stopped {
    Enough,
    Reading(ImportError),
}

impl From<ImportError> for Stopped {
    fn from(error: ImportError) -> Self {
        Self::Reading(error)
    }
}

impl TakeMatch for Few {
    type Error = Stopped;

    fn take(&mut self, game: &Match<'_>) -> Result<Result<(), RowError>, Stopped> {
        if self.left == 0 {
            return Err(Stopped::Enough);
        }
        if game.names().any(|name| name == self.without) {
            return Ok(Err(game.refuse_player(self.without, "the player is gone")));
        }
        self.left -= 1;
        self.taken.push(told(game));
        Ok(Ok(()))
    }
}

fn few(left: usize, without: &'static str) -> Few {
    Few {
        left,
        without,
        taken: Vec::new(),
    }
}

#[test]
fn matches_handed_over_are_those_of_the_iterator() {
    let iterated = all(TABLE, &options()).unwrap();
    let mut taker = few(9, "");
    open(TABLE, &options()).unwrap().hand_over(&mut taker).unwrap();
    assert_eq!(taker.taken, iterated);
    assert_eq!(
        iterated[1],
        (
            2,
            vec![(1, 0.0, vec!["bob".into()]), (1, 0.0, vec!["cyd".into()])]
        )
    );
}

#[test]
fn what_a_taker_refuses_is_told_at_its_place_or_counted() {
    let mut matches = open(TABLE, &options()).unwrap();
    let stopped = matches.hand_over(&mut few(9, "cyd")).unwrap_err();
    let Stopped::Reading(ImportError::Refused { name, place, what }) = stopped else {
        panic!("{stopped:?}")
    };
    assert_eq!((&*name, place), ("text", Place::Column(3, 3)));
    assert!(what.starts_with("the player is gone"), "{what}");
    let options = MatchOptions {
        skip_bad: true,
        ..options()
    };
    let mut matches = open(TABLE, &options).unwrap();
    let mut taker = few(9, "cyd");
    matches.hand_over(&mut taker).unwrap();
    let report = matches.report(["ann", "bob"].into_iter()).unwrap();
    assert_eq!((taker.taken.len(), report.skipped), (1, 2));
    assert!(
        report
            .notes
            .iter()
            .any(|note| note == "2 matches (2 rows) skipped: the player is gone, line 3"),
        "{report:?}"
    );
}

#[test]
fn a_taker_that_fails_ends_the_reading() {
    let mut matches = open(TABLE, &options()).unwrap();
    let mut taker = few(1, "");
    assert!(matches!(matches.hand_over(&mut taker), Err(Stopped::Enough)));
    assert!(matches.hand_over(&mut taker).is_ok() && matches.next().is_none());
    assert_eq!(taker.taken.len(), 1);
}

#[test]
fn an_iterator_ends_behind_its_error() {
    let mut matches = open(
        "time,player1,player2,result\n1,a,b,1\n2,a,b,x\n3,a,b,1\n",
        &options(),
    )
    .unwrap();
    let read: Vec<bool> = matches.by_ref().map(|game| game.is_ok()).collect();
    assert_eq!(read, [true, false]);
    assert!(matches.next().is_none());
}

#[test]
fn a_window_and_an_order_are_kept() {
    let text = "time,winner,loser\n30,a,b\n10,b,c\n20,c,a\n40,a,c\n";
    let within = MatchOptions {
        sort: true,
        since: Some("20".to_owned()),
        until: Some("40".to_owned()),
        ..options()
    };
    let times: Vec<i64> = all(text, &within)
        .unwrap()
        .into_iter()
        .map(|(time, _)| time)
        .collect();
    assert_eq!(times, [20, 30]);
    let never = MatchOptions {
        since: Some("soon".to_owned()),
        ..options()
    };
    assert!(
        matches!(open(text, &never), Err(ImportError::Option(what)) if what.starts_with("--since is `soon`"))
    );
}

#[test]
fn a_file_without_a_match_is_refused_by_its_report() {
    let mut matches = open("time,winner,loser\n", &options()).unwrap();
    assert!(matches.next().is_none());
    let refused = matches.report(std::iter::empty()).unwrap_err();
    assert_eq!(refused.to_string(), "text: no match in it");
}

#[test]
fn only_duels_are_duels() {
    let text = "{\"time\":1,\"teams\":[[\"a\",\"b\"],[\"c\",\"d\"]],\"ranks\":[1,2]}\n";
    assert_eq!(all(text, &options()).unwrap().len(), 1);
    let duels = MatchOptions {
        only_duels: true,
        ..options()
    };
    let refused = all(text, &duels).unwrap_err().to_string();
    assert!(refused.contains("more players than one against one"), "{refused}");
}
