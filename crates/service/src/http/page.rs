//! The page of those who run a service: one table, in plain HTML.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Html;
use maud::{DOCTYPE, html};

use super::app::App;
use super::caller::Caller;
use super::failure::Failure;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
table{border-collapse:collapse;width:100%;margin:1rem 0}th,td{text-align:right;padding:.3rem .6rem;border-bottom:1px solid #ccc}\
th:first-child,td:first-child{text-align:left}.bad{color:#a00;font-weight:bold}";

/// Milliseconds of seconds, as people read them.
fn shown(seconds: f64) -> String {
    match seconds {
        _ if seconds < 1.0 => format!("{:.1} ms", 1000.0 * seconds),
        _ if seconds < 120.0 => format!("{seconds:.1} s"),
        _ => format!("{:.0} min", seconds / 60.0),
    }
}

/// Queues, waits, matches and the disk.
pub(crate) async fn page(State(app): State<Arc<App>>, caller: Caller) -> Result<Html<String>, Failure> {
    caller.check_backend()?;
    let stats = app.service.stats();
    let queues = app.look(crate::Service::queues).await.unwrap_or_default();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                meta http-equiv="refresh" content="5";
                title { "matchwright" }
                style { (maud::PreEscaped(STYLE)) }
            }
            body {
                h1 { "matchwright" }
                @if let Some(why) = app.service.stopped() {
                    p.bad { "It has stopped: " (why) }
                }
                table {
                    thead { tr {
                        th { "Queue" } th { "Teams" } th { "Status" } th { "Tickets" } th { "Players" } th { "Oldest" }
                        th { "Expected wait of half" } th { "of four fifths" } th { "of 19 in 20" }
                    } }
                    tbody {
                        @for queue in &queues {
                            tr {
                                td { @if queue.name.is_empty() { "(the only one)" } @else { (queue.name) } }
                                td { (queue.teams.iter().map(ToString::to_string).collect::<Vec<_>>().join(" : ")) }
                                td { (format!("{:?}", queue.status).to_lowercase()) }
                                td { (queue.tickets) }
                                td { (queue.players) }
                                td { (shown(queue.oldest)) }
                                @for expected in queue.expected {
                                    td { @match expected { Some(seconds) => (shown(seconds)), None => "not known" } }
                                }
                            }
                        }
                    }
                }
                table {
                    tbody {
                        tr { td { "Matches of the last minute" } td { (stats.matches_a_minute) } }
                        tr { td { "Waited, of the latest 1,024 matched: half, nine of ten" } td { (shown(stats.wait[0])) ", " (shown(stats.wait[1])) } }
                        tr { td { "Sync to the disk, of the latest 1,024: half, 99 of 100" } td { (shown(stats.sync[0])) ", " (shown(stats.sync[1])) } }
                        tr { td { "Tickets, matches, failed matches since the start" } td { (stats.tickets) ", " (stats.matches) ", " (stats.failed_matches) } }
                        tr { td { "Results" } td { (stats.results) } }
                        tr { td { "Step" } td { (stats.step) } }
                    }
                }
                p { a href="/openapi.json" { "All calls" } " · " a href="/metrics" { "Metrics" } " · " a href="/v1/queues" { "Queues as JSON" } }
            }
        }
    };
    Ok(Html(page.into_string()))
}
