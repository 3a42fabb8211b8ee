//! Server-sent events: the changes of a ticket, and of all.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{Stream, unfold};
use serde::Deserialize;
use tokio::sync::{mpsc, watch};
use utoipa::IntoParams;

use super::app::{App, Watching};
use super::caller::{Asked, Caller};
use super::failure::{Failure, Refusals};
use super::tickets::watch_ticket;
use crate::{Change, StepChanges, TicketView, Told};

/// Steps that wait for a watcher of all, who is cut off beyond them and comes again with its last step.
const STEPS: usize = 4096;

type Events<S> = Sse<axum::response::sse::KeepAliveStream<S>>;

fn sse<S: Stream<Item = Result<Event, Infallible>> + Send + 'static>(events: S) -> Events<S> {
    // Those of many clients whose server went away do not come back at once.
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
}

/// A time to come again after, spread over five seconds.
fn retry(spread: u64) -> Event {
    Event::default().retry(Duration::from_millis(1000 + spread % 4000))
}

/// The step that a client has seen last.
fn last_seen(headers: &HeaderMap) -> Result<Option<u64>, Failure> {
    let Some(given) = headers.get("last-event-id") else {
        return Ok(None);
    };
    let step = given.to_str().ok().and_then(|given| given.parse().ok());
    let fault = || Failure::Body("`Last-Event-ID` is not the number of a step".to_owned());
    step.map(Some).ok_or_else(fault)
}

/// What a watcher of one ticket has.
struct OfTicket {
    changes: watch::Receiver<Option<TicketView>>,
    seen: Option<u64>,
    /// The time to come again after is told first.
    retry: Option<Event>,
    is_over: bool,
    expires: tokio::time::Instant,
    _watching: Option<Watching>,
}

impl OfTicket {
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        if let Some(retry) = self.retry.take() {
            return Some((Ok(retry), self));
        }
        while !self.is_over {
            let newest = self.changes.borrow_and_update().clone();
            if let Some(view) = newest
                && self.seen.is_none_or(|seen| view.version > seen)
            {
                self.seen = Some(view.version);
                self.is_over = view.is_over();
                let event = Event::default().event("ticket").id(view.version.to_string());
                return Some((Ok(event.json_data(&view).unwrap_or_default()), self));
            }
            let changed = tokio::time::timeout_at(self.expires, self.changes.changed()).await;
            self.is_over = !matches!(changed, Ok(Ok(())));
        }
        None
    }
}

/// The changes of a ticket, beginning with its present state; the event's id is the step. Ends with the ticket.
#[utoipa::path(get, path = "/v1/tickets/{id}/events", tag = "tickets", params(("id" = String, Path, description = "The ticket"),
    ("last-event-id" = Option<u64>, Header, description = "The last step that was seen")), responses(
    (status = 200, description = "Events `ticket`, whose data is a ticket", body = String, content_type = "text/event-stream"),
    (status = 204, description = "It is over, and its last state was seen"),
    Refusals,
))]
pub(crate) async fn of_ticket(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    caller.check_tickets()?;
    let seen = last_seen(&headers)?;
    let view = app.service.ticket_for(&id, caller.player()).await?;
    // A client that comes again is told not to: nothing more will happen.
    if view.is_over() && seen.is_some_and(|seen| seen >= view.version) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let watching = app.watch(&caller)?;
    let of_ticket = OfTicket {
        changes: watch_ticket(&app, &id).await?,
        seen,
        retry: Some(retry(view.version.wrapping_mul(2_654_435_761))),
        is_over: false,
        expires: caller.ends(),
        _watching: watching,
    };
    Ok(sse(unfold(of_ticket, OfTicket::next)).into_response())
}

/// From where on.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct After {
    /// What has changed after this step; without it, from now on.
    #[serde(default)]
    after: Option<u64>,
}

/// What a watcher of all has.
struct OfAll {
    steps: mpsc::Receiver<Told>,
    /// Until here what was told is in what was looked up.
    known: u64,
    next: VecDeque<Event>,
    expires: tokio::time::Instant,
}

/// The events of a step: the last has its number, so that who has seen that has seen all.
fn events(step: &StepChanges) -> impl Iterator<Item = Event> + '_ {
    let last = step.changes.len().saturating_sub(1);
    let event = move |(place, change): (usize, &Change)| {
        let event = match change {
            Change::Ticket(ticket) => Event::default().event("ticket").json_data(ticket),
            Change::Match(found) => Event::default().event("match").json_data(found),
        };
        let event = event.unwrap_or_default();
        if place == last {
            event.id(step.step.to_string())
        } else {
            event
        }
    };
    step.changes.iter().enumerate().map(event)
}

impl OfAll {
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        loop {
            if let Some(event) = self.next.pop_front() {
                return Some((Ok(event), self));
            }
            let told = tokio::time::timeout_at(self.expires, self.steps.recv()).await;
            let told = told.ok().flatten()?;
            if told.step > self.known {
                self.next.extend(events(&told));
            }
        }
    }
}

/// All changes of tickets and matches, for a backend. What has changed after a step begins it, as it is now: an hour after they ended,
/// tickets and matches are forgotten. The id of an event is the step, of which it is the last.
#[utoipa::path(get, path = "/v1/events", tag = "operation", params(After,
    ("last-event-id" = Option<u64>, Header, description = "The last step that was seen")), responses(
    (status = 200, description = "Events `ticket` and `match`", body = String, content_type = "text/event-stream"),
    Refusals,
))]
pub(crate) async fn of_all(
    State(app): State<Arc<App>>,
    caller: Caller,
    Asked(after): Asked<After>,
    headers: HeaderMap,
) -> Result<Events<impl Stream<Item = Result<Event, Infallible>>>, Failure> {
    caller.check_backend()?;
    let after = last_seen(&headers)?.or(after.after);
    let (sender, steps) = mpsc::channel(STEPS);
    let from = app
        .service
        .watch_all(move |told| sender.try_send(Arc::clone(told)).is_ok())
        .await?;
    // Who is cut off before the first event goes on from here.
    let begin = retry(from.wrapping_mul(2_654_435_761)).id(after.unwrap_or(from).to_string());
    let mut next = VecDeque::from([begin]);
    let mut known = from;
    if let Some(after) = after {
        let (until, changes) = app.look(move |service| service.changes_after(after)).await?;
        known = until;
        next.extend(changes.iter().flat_map(events));
    }
    let of_all = OfAll {
        steps,
        known,
        next,
        expires: caller.ends(),
    };
    Ok(sse(unfold(of_all, OfAll::next)))
}
