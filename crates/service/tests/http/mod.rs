//! The calls over HTTP, without a network: as a client sends them, and what it gets.

mod bad_requests;
mod operation;
mod tickets;

use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use matchwright_queue::live::Memory;
use matchwright_service::http::{HttpSettings, router};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::handle::open;

pub(crate) const TEAMS: &str = "[queue]\nteams = [2, 2]\n[[queue.windows]]\nof = 'rating'\nstart = 2000";

/// A client of a service that is served in this process.
pub(crate) struct Client(pub(crate) Router);

impl Client {
    fn of(policy: &str) -> Self {
        Self(router(open(&Memory::default(), policy), HttpSettings::default()))
    }

    pub(crate) async fn send(
        &self,
        method: &str,
        path: &str,
        body: impl Into<Body>,
        headers: &[(&str, &str)],
    ) -> Response<Body> {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.0
            .clone()
            .oneshot(request.body(body.into()).unwrap())
            .await
            .unwrap()
    }

    /// The status and the JSON of an answer.
    pub(crate) async fn call(&self, method: &str, path: &str, body: Value) -> (u16, Value) {
        let body = if body.is_null() {
            Body::empty()
        } else {
            Body::from(body.to_string())
        };
        let response = self.send(method, path, body, &[]).await;
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }

    pub(crate) async fn text(&self, path: &str) -> String {
        let response = self.send("GET", path, Body::empty(), &[]).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        String::from_utf8(bytes.into()).unwrap()
    }

    /// A ticket of these players: its id.
    async fn create(&self, players: &[&str]) -> String {
        let (status, ticket) = self
            .call("POST", "/v1/tickets", json!({ "players": players }))
            .await;
        assert_eq!(status, 201, "{ticket}");
        ticket["id"].as_str().unwrap().to_owned()
    }

    /// Both meet: the match's id.
    async fn meet(&self, one: &str, other: &str) -> String {
        self.create(&[one]).await;
        let ticket = self.create(&[other]).await;
        let (_, ticket) = self
            .call("GET", &format!("/v1/tickets/{ticket}"), Value::Null)
            .await;
        ticket["match"].as_str().unwrap().to_owned()
    }
}

/// The next event of a stream: its name, its id and its data.
pub(crate) async fn event(body: &mut Body) -> Option<(String, Option<u64>, Value)> {
    loop {
        let frame = tokio::time::timeout(Duration::from_secs(10), body.frame())
            .await
            .unwrap()?;
        let text = String::from_utf8(frame.unwrap().into_data().unwrap().into()).unwrap();
        let field = |name: &str| {
            let line = text
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            line.map(str::to_owned)
        };
        if let (Some(name), Some(data)) = (field("event"), field("data")) {
            let id = field("id").map(|id| id.parse().unwrap());
            return Some((name, id, serde_json::from_str(&data).unwrap()));
        }
        assert!(text.contains("retry: ") || text.starts_with(':'), "{text}");
    }
}
