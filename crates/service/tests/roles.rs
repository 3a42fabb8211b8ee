//! What each role may do over HTTP, by tokens.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::StatusCode;
use http_body_util::BodyExt;
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use matchwright_queue::live::Memory;
use matchwright_service::http::{HttpSettings, KeyRing, KeyRules, Keys, KeysError, router};
use serde_json::{Value, json};

use crate::handle::{DUEL, open};
use crate::http::Client;

/// Tokens of an issuer whose public key the service has.
struct Issuer {
    key: EncodingKey,
    kid: String,
}

impl Issuer {
    fn new(number: u8) -> Self {
        // An Ed25519 key in PKCS#8 (RFC 8410, section 7) is its seed after 16 fixed bytes.
        let prefix = b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";
        let key = EncodingKey::from_ed_der(&[&prefix[..], &[number; 32]].concat());
        let kid = number.to_string();
        Self { key, kid }
    }

    /// Its file of public keys.
    fn jwks(&self) -> String {
        let jwk = Jwk::from_encoding_key(&self.key, Algorithm::EdDSA).unwrap();
        let mut jwk = serde_json::to_value(jwk).unwrap();
        jwk["kid"] = json!(self.kid);
        json!({ "keys": [jwk] }).to_string()
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
        header.kid = Some(self.kid.clone());
        format!("Bearer {}", encode(&header, &claims, &self.key).unwrap())
    }
}

fn keys(jwks: &str) -> Result<Keys, KeysError> {
    Keys::from_jwks(jwks, KeyRules::of("id", "game"))
}

fn ring(read: impl Fn() -> Result<Keys, KeysError> + Send + Sync + 'static) -> Arc<KeyRing> {
    Arc::new(KeyRing::new(read).unwrap())
}

#[tokio::test]
async fn an_issuers_new_keys_are_read_when_a_token_needs_them_but_not_all_the_time() {
    let [old, new, newest] = [7, 8, 9].map(Issuer::new);
    let file = Arc::new(Mutex::new(old.jwks()));
    let reads = Arc::new(AtomicUsize::new(0));
    let (read_file, count) = (Arc::clone(&file), Arc::clone(&reads));
    let ring = ring(move || {
        count.fetch_add(1, Ordering::Relaxed);
        keys(&read_file.lock().unwrap())
    });
    let settings = HttpSettings {
        keys: Some(Arc::clone(&ring)),
        ..HttpSettings::default()
    };
    let client = Client(router(open(&Memory::default(), DUEL), settings));
    let status = async |issuer: &Issuer| {
        let token = issuer.of("backend", "b", &Value::Null);
        let header = [("authorization", token.as_str())];
        let response = client.send("GET", "/v1/queues", Body::empty(), &header).await;
        response.status().as_u16()
    };
    assert_eq!(status(&old).await, 200);
    *file.lock().unwrap() = new.jwks();
    assert_eq!(status(&old).await, 200, "keys that nobody asked to read again");
    assert_eq!(status(&new).await, 200, "a token of a new key");
    assert_eq!(status(&old).await, 401);
    assert_eq!(reads.load(Ordering::Relaxed), 2);
    *file.lock().unwrap() = newest.jwks();
    for _ in 0..3 {
        assert_eq!(status(&newest).await, 401, "read twice within a minute");
    }
    assert_eq!(reads.load(Ordering::Relaxed), 2);
    ring.reload().unwrap();
    assert_eq!(status(&newest).await, 200);
    // Keys that cannot be read change nothing.
    "{".clone_into(&mut file.lock().unwrap());
    ring.reload().unwrap_err();
    assert_eq!(status(&newest).await, 200);
}

/// A service with keys.
struct Guarded {
    client: Client,
    issuer: Issuer,
}

impl Guarded {
    fn new() -> Self {
        let issuer = Issuer::new(7);
        let jwks = issuer.jwks();
        let settings = HttpSettings {
            keys: Some(ring(move || keys(&jwks))),
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
    for what in [
        "/assign",
        "/started",
        "/failed",
        "/backfill",
        "/result",
        "/retract",
    ] {
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
    assert_eq!(post(&server, "/backfill", Value::Null).await, 400);
    assert_eq!(post(&server, "/started", Value::Null).await, 200);
    assert_eq!(post(&server, "/backfill", json!({ "left": ["ann"] })).await, 200);
    let backfill = path("/backfill");
    assert_eq!(guarded.call(&eve, "DELETE", &backfill, Value::Null).await.0, 403);
    assert_eq!(
        guarded.call(&server, "DELETE", &backfill, Value::Null).await.0,
        200
    );
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
async fn a_player_changes_what_is_known_of_itself_alone() {
    let guarded = Guarded::new();
    let issuer = &guarded.issuer;
    let [ann, eve] = ["ann", "eve"].map(|name| issuer.of("player", name, &Value::Null));
    let backend = issuer.of("backend", "lobby", &Value::Null);
    guarded.call(&ann, "POST", "/v1/tickets", Value::Null).await;
    let own = guarded
        .call(&ann, "GET", "/v1/players/me/ticket", Value::Null)
        .await
        .1;
    let edit = format!("/v1/tickets/{}", own["id"].as_str().unwrap());
    for (who, players, status) in [
        (&ann, json!(["ann"]), 200),
        (&ann, json!(["ann", "eve"]), 400),
        (&eve, json!(["eve"]), 404),
        (
            &backend,
            json!([{ "id": "ann", "attributes": { "map": "dust" } }]),
            200,
        ),
    ] {
        let body = json!({ "players": players });
        assert_eq!(guarded.call(who, "PATCH", &edit, body).await.0, status);
    }
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
    // A request that is sent again makes no ticket, however often.
    let fay = issuer.of("player", "fay", &Value::Null);
    let body = json!({ "request_id": "1" });
    for status in [201, 200, 200, 200, 200, 200, 200, 200] {
        let (got, document) = guarded.call(&fay, "POST", "/v1/tickets", body.clone()).await;
        assert_eq!(got, status, "{document}");
    }
    guarded
        .call(&fay, "DELETE", "/v1/players/me/ticket", Value::Null)
        .await;
    // And watch three times.
    let gus = issuer.of("player", "gus", &Value::Null);
    let (_, ticket) = guarded.call(&gus, "POST", "/v1/tickets", Value::Null).await;
    let path = format!("/v1/tickets/{}/events", ticket["id"].as_str().unwrap());
    let token = [("authorization", gus.as_str())];
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
