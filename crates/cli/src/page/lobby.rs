//! The page of `matchwright lobby`: every match with its factors, worst first.

use matchwright_report::{Axis, Bars, Callout, Page, Plot, Point, Section, Series};

use crate::commands::lobby::{LobbyAnswer, LobbyMatch, TRIVIAL_BOUND, names};

/// The page, but for its foot.
pub(crate) fn lobby_page(answer: &LobbyAnswer) -> Page {
    let (a, b) = answer.teams;
    let mut page = Page::new(format!("Matches of {a} against {b}"))
        .lead(answer.summary() + ".")
        .section(short_section(answer))
        .section(bound_section(answer));
    if !answer.matches.is_empty() {
        page = page
            .section(spread_section(answer))
            .section(factor_section(answer))
            .section(match_section(answer));
    }
    page.section(unmatched_section(answer)).files_section([
        ("Everything, as JSON", "lineups.json"),
        ("Version, command, seed, configuration, hashes", "manifest.json"),
    ])
}

fn short_section(answer: &LobbyAnswer) -> Section {
    let number = |value: Option<f64>| value.map_or("none".to_owned(), |value| format!("{value:.4}"));
    let mut facts = vec![
        ("Players".to_owned(), answer.players.to_string()),
        ("Matches".to_owned(), answer.matches.len().to_string()),
        ("Unmatched".to_owned(), answer.unmatched.len().to_string()),
        (
            format!("Mean quality ({})", answer.mean_quality_is),
            number(answer.mean_quality),
        ),
    ];
    if answer.mean_quality != answer.arithmetic_mean {
        facts.push((
            "Arithmetic mean quality".to_owned(),
            number(answer.arithmetic_mean),
        ));
    }
    let bound = if answer.is_bound_trivial() {
        "1 (trivial)".to_owned()
    } else {
        number(answer.upper_bound)
    };
    facts.push(("Upper bound on the arithmetic mean".to_owned(), bound));
    let gap = answer
        .gap
        .map_or("unknown".to_owned(), |gap| format!("{:.2} %", 100.0 * gap));
    facts.push(("Gap".to_owned(), gap));
    let section = Section::new("In short")
        .paragraph("A match's quality is a number from 0, useless, to 1, perfect: the weighted average of its factors. The mean quality is the mean over all matches.")
        .key_values(facts)
        .attach(answer.seats());
    answer.notes.iter().fold(section, |section, note| {
        section.callout(Callout::Note, note.as_str())
    })
}

/// What the bound means, for readers who do not know the term.
fn bound_section(answer: &LobbyAnswer) -> Section {
    let section = Section::new("How good is that?").paragraph(
        "There are far too many ways to put these players into matches to look at all of them, so a search finds good ones. Whether it missed better ones is a question of its own.",
    );
    let method = "The bound answers it without looking at them. Every party gets a price, every match pays one charge that is the same for all, and some threes of parties have a charge for the one match that may hold two of them: such that no match that is allowed is worth more than it pays. Any set of matches is then worth at most the sum of all that can be paid, however it is made. The program looks for the prices with the least sum; anybody can check them without knowing how they were found.";
    match (answer.arithmetic_mean, answer.upper_bound, answer.gap) {
        (Some(_), Some(_), _) if answer.is_optimal() => section
            .paragraph(method)
            .callout(Callout::Success, "These matches are the best there are. The matches that a better lineup could contain were listed with the help of the bound, and no combination of them is better."),
        (Some(mean), Some(bound), Some(gap)) => section.paragraph(method).paragraph(format!(
            "Here the mean quality is {mean:.4} and the bound {bound:.4}: other matches of the same players improve the mean by {:.4} at most, which is {:.2} % of the bound. The true optimum may be anywhere between the two.",
            bound - mean,
            100.0 * gap
        )),
        (Some(_), _, _) => section.callout(
            Callout::Warning,
            match &answer.no_bound_because {
                Some(why) => format!("Nothing is proven here: {why}. The matches may be far from the best ones."),
                None => TRIVIAL_BOUND.to_owned(),
            },
        ),
        _ => section.callout(Callout::Warning, "No match was made; the reasons are listed under Unmatched."),
    }
}

fn spread_section(answer: &LobbyAnswer) -> Section {
    let matches = &answer.matches;
    let points = matches
        .iter()
        .map(|one| Point::new(one.number as f64, one.quality));
    let level = |value: f64| {
        let ends = [1.0, matches.len().max(2) as f64];
        ends.map(|number| Point::new(number, value))
    };
    let mut plot = Plot::new("Quality of each match, worst first")
        .caption("Each point is a match. A line that falls off at its left end means that a few matches are much worse than all others.")
        .x(Axis::new("Match"))
        .y(Axis::new("Quality").range(0.0, 1.0))
        .series(Series::line_and_points("match", points.collect::<Vec<_>>()));
    if let Some(mean) = answer.arithmetic_mean {
        plot = plot.series(Series::line("mean", level(mean)).guide());
    }
    let quality = |place: usize| matches[place.min(matches.len() - 1)].quality;
    let last = matches.len() - 1;
    let median = f64::midpoint(quality(last / 2), quality(last.div_ceil(2)));
    let rows = [("Worst", quality(0)), ("Median", median), ("Best", quality(last))];
    let rows = rows.map(|(name, value)| (name.to_owned(), format!("{value:.4}")));
    Section::new("Spread of the qualities")
        .plot(plot)
        .key_values(rows.to_vec())
}

fn factor_section(answer: &LobbyAnswer) -> Section {
    Section::new("Where quality is lost")
        .paragraph("Each factor of the policy over all matches. The factor with the largest loss is the first to improve: more players, other weights, or other limits.")
        .table(answer.factor_table())
}

fn match_section(answer: &LobbyAnswer) -> Section {
    let section = Section::new("Matches, worst first").paragraph(
        "Bars are the qualities of the factors: full is perfect. Beside each factor stands its share of the match's quality. Players in brackets are a party.",
    );
    answer
        .matches
        .iter()
        .fold(section, |section, one| section.bars(bars_of(one)))
}

fn bars_of(one: &LobbyMatch) -> Bars {
    let title = format!("Match {}: {:.4}", one.number, one.quality);
    let teams = format!("{}  against  {}", names(&one.team1), names(&one.team2));
    one.score
        .factors
        .iter()
        .fold(Bars::new(title).note(teams), |bars, factor| {
            let name = factor.name.replace('_', " ");
            let share = format!("{:.1}", 100.0 * factor.share);
            let share = share.strip_suffix(".0").unwrap_or(&share);
            bars.bar(name, format!("{share} %"), factor.value.unwrap_or(f64::NAN), 3)
        })
}

fn unmatched_section(answer: &LobbyAnswer) -> Section {
    let section = Section::new("Unmatched");
    if answer.unmatched.is_empty() {
        return section.paragraph("None: all players are in a match.");
    }
    section
        .paragraph("An unmatched player costs a penalty of 1, as much as a perfect match is worth, and 1 more for each 5 minutes waited. So as many play as can, and those who have waited longest come first.")
        .table(answer.unmatched_table())
}
