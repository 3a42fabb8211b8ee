//! Where matches are played, if the service itself finds that out: a list of servers, or a program that is asked.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::caller::now;
use crate::{Change, MatchView, Phase, Problem, Service, StepChanges, Told};

/// Who finds places for matches.
#[derive(Debug, Clone)]
pub enum Servers {
    /// Each of these takes one match at a time; a match without a place waits for one.
    Listed(Vec<String>),
    /// A program that is asked by HTTP.
    Webhook(Webhook),
}

/// A program that finds a place for a match.
///
/// It is sent `POST` with the match as JSON, and answers 200 with `{"connection": "..."}`. The header `matchwright-signature` is
/// `t=SECONDS,v1=HEX`, where HEX is the HMAC-SHA256 under the secret of `SECONDS.` and the body; `idempotency-key` is the match: asked
/// again, it answers the same. After three tries and ten seconds each the match has failed, and its tickets wait again.
#[derive(Clone)]
pub struct Webhook {
    /// Where it listens.
    pub url: String,
    /// What both know.
    pub secret: Vec<u8>,
}

impl std::fmt::Debug for Webhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Webhook")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// Tries of a webhook, and the waits between them in milliseconds.
const WAITS: [u64; 3] = [0, 200, 1000];
/// Webhooks that are asked at a time.
const ASKED: usize = 64;
/// The longest answer of a webhook, in bytes.
const LONGEST: u64 = 16 << 10;

/// Finds places for matches until the service ends.
///
/// # Errors
/// [`Problem::Stopped`], with the service.
pub async fn assign(service: Service, servers: Servers) -> Result<(), Problem> {
    loop {
        let (sender, mut steps) = mpsc::channel::<Told>(4096);
        let from = service
            .watch_all(move |told| sender.try_send(Arc::clone(told)).is_ok())
            .await?;
        // All matches that are not over: those of before a restart, and of steps for which there was no place.
        let all = service.clone();
        let known = spawn_blocking(move || all.matches(None, usize::MAX, |found| is_on(found.phase))).await;
        let known = known.map_err(|_| Problem::Stopped("it was closed".to_owned()))??;
        let mut places = match &servers {
            Servers::Listed(listed) => Places::of(listed, &known),
            Servers::Webhook(_) => Places::default(),
        };
        let asked = Arc::new(Semaphore::new(ASKED));
        // Steps since `from` may be in them already, and are told of again.
        let seen: HashMap<String, u64> = known
            .iter()
            .map(|found| (found.id.clone(), found.version))
            .collect();
        let first = StepChanges {
            step: from,
            changes: known.into_iter().map(Change::Match).collect(),
        };
        let (mut told, mut is_first) = (Some(Arc::new(first)), true);
        while let Some(step) = told {
            for change in &step.changes {
                let Change::Match(found) = change else {
                    continue;
                };
                if !is_first && seen.get(&found.id).is_some_and(|seen| found.version <= *seen) {
                    continue;
                }
                match &servers {
                    Servers::Listed(_) => places.change(&service, found).await,
                    Servers::Webhook(webhook) if found.phase == Phase::Allocating => {
                        let (service, webhook) = (service.clone(), webhook.clone());
                        let (found, asked) = (found.clone(), Arc::clone(&asked));
                        tokio::spawn(async move { ask(&service, webhook, found, &asked).await });
                    }
                    Servers::Webhook(_) => {}
                }
            }
            (told, is_first) = (steps.recv().await, false);
        }
        if let Some(why) = service.stopped() {
            return Err(Problem::Stopped(why.to_owned()));
        }
        // It was too slow for all steps, or the service was closed, which the next look tells.
        sleep(Duration::from_millis(100)).await;
    }
}

const fn is_on(phase: Phase) -> bool {
    matches!(phase, Phase::Allocating | Phase::Assigned | Phase::Started)
}

/// Servers that take one match at a time.
#[derive(Default)]
struct Places {
    free: VecDeque<String>,
    taken: HashMap<String, String>,
    /// Matches that wait for one, in their order.
    waiting: VecDeque<String>,
}

impl Places {
    /// All but those where a match is played.
    fn of(listed: &[String], known: &[MatchView]) -> Self {
        let taken = known
            .iter()
            .filter_map(|found| Some((found.id.clone(), found.connection.clone()?)));
        let taken: HashMap<String, String> = taken.collect();
        let is_free = |place: &&String| !taken.values().any(|other| other == *place);
        Self {
            free: listed.iter().filter(is_free).cloned().collect(),
            taken,
            waiting: VecDeque::new(),
        }
    }

    async fn change(&mut self, service: &Service, found: &MatchView) {
        match found.phase {
            Phase::Allocating if !self.taken.contains_key(&found.id) && !self.waiting.contains(&found.id) => {
                self.waiting.push_back(found.id.clone());
            }
            Phase::Ended | Phase::Failed => {
                self.waiting.retain(|id| *id != found.id);
                self.free.extend(self.taken.remove(&found.id));
            }
            _ => {}
        }
        while let Some(place) = self.free.pop_front() {
            let Some(id) = self.waiting.pop_front() else {
                self.free.push_front(place);
                return;
            };
            match service.assign(&id, &place).await {
                Ok(_) => _ = self.taken.insert(id, place),
                // It failed meanwhile.
                Err(_) => self.free.push_front(place),
            }
        }
    }
}

async fn ask(service: &Service, webhook: Webhook, found: MatchView, asked: &Semaphore) {
    // Never closed.
    let _place = asked.acquire().await;
    let webhook = Arc::new(webhook);
    let found = Arc::new(found);
    for (attempt, wait) in WAITS.into_iter().enumerate() {
        sleep(Duration::from_millis(wait)).await;
        let (asked, about) = (Arc::clone(&webhook), Arc::clone(&found));
        let answer = spawn_blocking(move || post(&asked, &about, now())).await;
        match answer.unwrap_or_else(|_| Err("the task failed".to_owned())) {
            Ok(connection) => match service.assign(&found.id, &connection).await {
                Ok(_) => return,
                Err(problem) => tracing::warn!(target: "servers", %problem, "a place was found too late"),
            },
            Err(error) => {
                tracing::warn!(target: "servers", id = found.id, attempt, error, "no place was found");
            }
        }
    }
    // Dropped: one that started or is over needs none.
    let _ = service.failed(&found.id).await;
}

/// Asks once.
fn post(webhook: &Webhook, found: &MatchView, now: i64) -> Result<String, String> {
    #[derive(serde::Deserialize)]
    struct Answer {
        connection: String,
    }

    let body = serde_json::to_string(found).map_err(|error| error.to_string())?;
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(Duration::from_secs(10)))
        // Where it listens is a setting, and nobody else's choice.
        .max_redirects(0)
        .build();
    let answer = ureq::Agent::new_with_config(config)
        .post(&webhook.url)
        .header("content-type", "application/json")
        .header("idempotency-key", &found.id)
        .header("matchwright-signature", signature(&webhook.secret, now, &body))
        .send(&body)
        .map_err(|error| error.to_string())?;
    if answer.status() != 200 {
        return Err(format!("it answered {}", answer.status()));
    }
    let text = answer
        .into_body()
        .into_with_config()
        .limit(LONGEST)
        .read_to_string();
    let answer: Answer =
        serde_json::from_str(&text.map_err(|error| error.to_string())?).map_err(|error| error.to_string())?;
    Ok(answer.connection)
}

/// The header `matchwright-signature` (RFC 2104).
fn signature(secret: &[u8], now: i64, body: &str) -> String {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else {
        // A key of any length is taken.
        return String::new();
    };
    mac.update(format!("{now}.{body}").as_bytes());
    let mut header = format!("t={now},v1=");
    for byte in mac.finalize().into_bytes() {
        for digit in [byte >> 4, byte & 15] {
            header.extend(char::from_digit(digit.into(), 16));
        }
    }
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4231, section 4.3: the data of case 2 is `what do ya want for nothing?`; here as `1.` and a body the reference is
    /// Python's `hmac.new(b"Jefe", b"1.what do ya want for nothing?", "sha256")`.
    #[test]
    fn a_signature_is_that_of_the_reference() {
        let signed = signature(b"Jefe", 1, "what do ya want for nothing?");
        assert_eq!(
            signed,
            "t=1,v1=a9049465ce89cfb8e9aac62333abda66f80e3403f51f57f6bae3c3a4485eca38"
        );
    }
}
