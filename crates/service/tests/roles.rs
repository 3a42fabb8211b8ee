//! What each role may do over HTTP, by tokens.

use std::sync::Arc;

use axum::body::Body;
use axum::http::StatusCode;
use http_body_util::BodyExt;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use matchwright_queue::live::Memory;
use matchwright_service::http::{HttpSettings, KeyRules, Keys, router};
use serde_json::{Value, json};

use crate::handle::{DUEL, open};
use crate::http::Client;

/// Tokens of an issuer whose public key the service has.
struct Issuer {
    key: EncodingKey,
    keys: Arc<Keys>,
}

impl Issuer {
    fn new() -> Self {
        // An Ed25519 key in PKCS#8 (RFC 8410, section 7) is its seed after 16 fixed bytes.
        let prefix = b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";
        let key = EncodingKey::from_ed_der(&[&prefix[..], &[7; 32]].concat());
        let jwk = Jwk::from_encoding_key(&key, Algorithm::EdDSA).unwrap();
        let mut jwk = serde_json::to_value(jwk).unwrap();
        jwk["kid"] = json!("1");
        let keys = Keys::from_jwks(&json!({ "keys": [jwk] }).to_string(), KeyRules::of("id", "game"));
        Self {
            key,
            keys: Arc::new(keys.unwrap()),
        }
    }

    /// The header of a token.
    fn of(&self, role: &str, subject: &str, more: &Value) -> String {
        let now = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap()
            .as_secs();
        let mut claims =
            json!({ "iss": "id", "aud": "game", "sub": subject, "role": role, "exp": now + 600 });
        claims
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().cloned().unwrap_or_default());
        let mut header = Header::new(Algorithm::EdDSA);
        header.kid = Some("1".to_owned());
        format!("Bearer {}", encode(&header, &claims, &self.key).unwrap())
    }
}

/// A service with keys.
struct Guarded {
    client: Client,
    issuer: Issuer,
}

impl Guarded {
    fn new() -> Self {
        let issuer = Issuer::new();
        let settings = HttpSettings {
            keys: Some(Arc::clone(&issuer.keys)),
            ..HttpSettings::default()
        };
        let client = Client(router(open(&Memory::default(), DUEL), settings));
        Self { client, issuer }
    }

    async fn call(&self, token: &str, method: &str, path: &str, body: Value) -> (u16, Value) {
        let body = if body.is_null() {
            Body::empty()
        } else {
            Body::from(body.to_string())
        };
        let response = self
            .client
            .send(method, path, body, &[("authorization", token)])
            .await;
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    }
}

#[tokio::test]
async fn a_player_acts_for_itself_alone() {
    let guarded = Guarded::new();
    let Guarded { client, issuer } = &guarded;
    let ann = issuer.of("player", "ann", &Value::Null);
    let bob = issuer.of("player", "bob", &Value::Null);
    // Nobody without a token, but for those who ask whether it lives.
    for path in ["/v1/queues", "/v1/players/me", "/"] {
        assert_eq!(client.call("GET", path, Value::Null).await.0, 401, "{path}");
    }
    assert_eq!(
        guarded.call("Bearer x", "GET", "/v1/queues", Value::Null).await.1["type"],
        "unauthenticated"
    );
    assert_eq!(client.text("/healthz").await, "alive\n");

    // A player acts for itself alone.
    assert_eq!(
        guarded
            .call(&ann, "POST", "/v1/tickets", json!({ "players": ["bob"] }))
            .await
            .0,
        403
    );
    assert_eq!(
        guarded
            .call(&ann, "POST", "/v1/tickets", json!({ "players": ["ann", "bob"] }))
            .await
            .0,
        403
    );
    let (status, ticket) = guarded.call(&ann, "POST", "/v1/tickets", Value::Null).await;
    assert_eq!((status, &ticket["players"]), (201, &json!(["ann"])));
    let path = format!("/v1/tickets/{}", ticket["id"].as_str().unwrap());
    for (method, path) in [
        ("GET", path.clone()),
        ("DELETE", path.clone()),
        ("GET", format!("{path}/events")),
    ] {
        assert_eq!(
            guarded.call(&bob, method, &path, Value::Null).await.0,
            404,
            "{method} {path}"
        );
    }
    assert_eq!(
        guarded.call(&bob, "GET", "/v1/players/ann", Value::Null).await.0,
        403
    );
    assert_eq!(
        guarded
            .call(&ann, "GET", "/v1/players/me/ticket", Value::Null)
            .await
            .1["id"],
        ticket["id"]
    );
    for (method, path) in [
        ("GET", "/v1/tickets"),
        ("GET", "/v1/matches"),
        ("GET", "/v1/events"),
        ("GET", "/v1/policy"),
        ("GET", "/v1/stats"),
        ("PUT", "/v1/policy"),
        ("POST", "/v1/queues/-/pause"),
        ("DELETE", "/v1/players/ann"),
        ("GET", "/"),
    ] {
        assert_eq!(
            guarded.call(&ann, method, path, Value::Null).await.0,
            403,
            "{method} {path}"
        );
    }
    assert_eq!(guarded.call(&ann, "GET", "/v1/queues", Value::Null).await.0, 200);
}

#[tokio::test]
async fn backends_servers_and_operators_do_their_own() {
    let guarded = Guarded::new();
    let issuer = &guarded.issuer;
    let ann = issuer.of("player", "ann", &Value::Null);
    let bob = issuer.of("player", "bob", &Value::Null);
    let eve = issuer.of("player", "eve", &Value::Null);
    let backend = issuer.of("backend", "lobby", &Value::Null);
    let operator = issuer.of("operator", "olga", &Value::Null);
    guarded.call(&ann, "POST", "/v1/tickets", Value::Null).await;
    // A backend acts for any, and is no operator; a server speaks of the matches of its token alone.
    assert_eq!(
        guarded
            .call(&backend, "POST", "/v1/tickets", json!({ "players": ["bob"] }))
            .await
            .0,
        201
    );
    assert_eq!(
        guarded.call(&backend, "PUT", "/v1/policy", Value::Null).await.0,
        403
    );
    let (_, ticket) = guarded
        .call(&bob, "GET", "/v1/players/me/ticket", Value::Null)
        .await;
    let found = ticket["match"].as_str().unwrap();
    let path = |what: &str| format!("/v1/matches/{found}{what}");
    let post =
        async |token: &str, what: &str, body: Value| guarded.call(token, "POST", &path(what), body).await.0;
    assert_eq!(guarded.call(&bob, "GET", &path(""), Value::Null).await.0, 200);
    assert_eq!(guarded.call(&eve, "GET", &path(""), Value::Null).await.0, 404);
    for what in ["/assign", "/started", "/failed", "/result", "/retract"] {
        let body = if what == "/assign" {
            json!({ "connection": "x" })
        } else {
            Value::Null
        };
        assert_eq!(post(&bob, what, body).await, 403, "{what}");
    }
    assert_eq!(post(&eve, "/leave", Value::Null).await, 404);
    let other = issuer.of("server", "eu2", &json!({ "match": "m0" }));
    let nameless = issuer.of("server", "eu3", &Value::Null);
    for server in [&other, &nameless] {
        assert_eq!(post(server, "/started", Value::Null).await, 403);
        assert_eq!(guarded.call(server, "GET", &path(""), Value::Null).await.0, 403);
    }
    let server = issuer.of("server", "eu1", &json!({ "match": [found] }));
    let of_ticket = format!("/v1/tickets/{}", ticket["id"].as_str().unwrap());
    for path in [format!("{of_ticket}/events"), of_ticket] {
        assert_eq!(
            guarded.call(&server, "GET", &path, Value::Null).await.0,
            403,
            "{path}"
        );
    }
    assert_eq!(post(&server, "/assign", json!({ "connection": "x" })).await, 403);
    assert_eq!(post(&backend, "/assign", json!({ "connection": "x" })).await, 200);
    assert_eq!(post(&server, "/started", Value::Null).await, 200);
    assert_eq!(
        guarded
            .call(&server, "POST", "/v1/tickets", json!({ "players": ["ann"] }))
            .await
            .0,
        403
    );
    assert_eq!(post(&server, "/result", json!({ "places": [2, 1] })).await, 200);
    assert_eq!(post(&backend, "/retract", Value::Null).await, 403);
    assert_eq!(post(&operator, "/retract", Value::Null).await, 200);
    assert_eq!(
        guarded
            .call(&operator, "DELETE", "/v1/players/ann", Value::Null)
            .await
            .0,
        204
    );
}

#[tokio::test]
async fn a_player_creates_and_watches_no_faster_than_people_do() {
    let guarded = Guarded::new();
    let Guarded { client, issuer } = &guarded;
    let eve = issuer.of("player", "eve", &Value::Null);
    // A player may create five tickets at once, and then one a second.
    let mut statuses = Vec::new();
    for _ in 0..8 {
        statuses.push(guarded.call(&eve, "POST", "/v1/tickets", Value::Null).await.0);
        guarded
            .call(&eve, "DELETE", "/v1/players/me/ticket", Value::Null)
            .await;
    }
    assert_eq!(statuses[..5], [201; 5]);
    assert!(statuses[5..].contains(&429), "{statuses:?}");
    // And watch three times.
    let fay = issuer.of("player", "fay", &Value::Null);
    let (_, ticket) = guarded.call(&fay, "POST", "/v1/tickets", Value::Null).await;
    let path = format!("/v1/tickets/{}/events", ticket["id"].as_str().unwrap());
    let token = [("authorization", fay.as_str())];
    let watch = || client.send("GET", &path, Body::empty(), &token);
    let watching = [watch().await, watch().await, watch().await];
    assert!(
        watching
            .iter()
            .all(|response| response.status() == StatusCode::OK)
    );
    assert_eq!(watch().await.status(), StatusCode::TOO_MANY_REQUESTS);
    drop(watching);
    assert_eq!(watch().await.status(), StatusCode::OK);
}
