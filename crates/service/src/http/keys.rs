//! Who asks: checks the bearer token (JWT, RFC 7519) of a request's `Authorization` header (RFC 6750).
//!
//! The keys are public ones from a JWKS file (RFC 7517). A key fixes its algorithm, a token never does
//! (RFC 8725, section 3.1), and no claim is read before the signature holds. A part in base64url has one
//! spelling: padding and spare bits that are not zero are refused. Anyone can still turn an ES256 signature
//! `(r, s)` into `(r, n - s)`, which is as valid, so a token is told by its `jti`, never by its bytes.

use std::collections::{HashMap, HashSet};
use std::slice;
use std::time::Duration;

use jsonwebtoken::Algorithm::{self, ES256, EdDSA, RS256};
use jsonwebtoken::dangerous::insecure_decode_claims;
use jsonwebtoken::{DecodingKey, DecodingKeyKind, crypto};
use serde::Deserialize;
use serde_json::{Map, Value};

use KeysError::{
    Broken, Duplicate, Empty, NoKid, NotForSignatures, NotJwks, Private, RsaSize, Symmetric, Unsupported,
};
use Unauthenticated::{
    BadClaims, BadHeader, BadSignature, Expired, LivesTooLong, Malformed, NoRole, NotBearer, NotYet, Revoked,
    TooLong, UnknownKey, WrongAlgorithm, WrongAudience, WrongIssuer,
};

type Object = Map<String, Value>;
type Read<T> = fn(&Value) -> Option<T>;

/// The longest token that is looked at, in bytes.
const LONGEST_TOKEN: usize = 8 * 1024;
/// The longest subject, key id, token id or match that is taken, in bytes.
const LONGEST_NAME: usize = 128;

/// What someone may do: the claim `role`, such as `"role": "player"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Asks for a match for itself.
    Player,
    /// A game's own service, which asks for its players.
    Backend,
    /// A game server, which speaks of its matches.
    Server,
    /// Runs the service.
    Operator,
}

/// Who asks, as its token says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// What it may do.
    pub role: Role,
    /// Its name: claim `sub` (RFC 7519, section 4.1.2).
    pub subject: String,
    /// Of a server: the matches it may speak of, from claim `match`, a string or a list; none if not given.
    pub matches: Option<Vec<String>>,
    /// When its token ends, in Unix seconds: claim `exp` (RFC 7519, section 4.1.4).
    pub expires: i64,
    /// Its token's id, by which it can be revoked: claim `jti` (RFC 7519, section 4.1.7).
    pub token_id: Option<String>,
}

/// What every token must fulfil, whichever key has signed it.
#[derive(Debug, Clone)]
pub struct KeyRules {
    /// What `iss` must be (RFC 7519, section 4.1.1).
    pub issuer: String,
    /// What `aud` must be or contain (RFC 7519, section 4.1.3).
    pub audience: String,
    /// How long a token may live, from `iat` or now, whichever is earlier.
    pub longest: Duration,
    /// How far the clocks of issuer and service may differ.
    pub leeway: Duration,
}

impl KeyRules {
    /// Tokens that live for a day at most, and clocks that differ by a minute.
    #[must_use]
    pub fn of(issuer: impl Into<String>, audience: impl Into<String>) -> Self {
        Self {
            issuer: issuer.into(),
            audience: audience.into(),
            longest: Duration::from_secs(24 * 60 * 60),
            leeway: Duration::from_secs(60),
        }
    }
}

/// Why a JWKS file is not used. The number counts its keys from 1; no key's material is ever quoted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its variant means")]
pub enum KeysError {
    #[error("line {0}, column {1}: not a JWKS: write {{\"keys\": [...]}} (RFC 7517, section 5)")]
    NotJwks(usize, usize),
    #[error("the JWKS has no key: add the issuer's public keys")]
    Empty,
    #[error("key {0} is symmetric (`oct`): who checks with it could sign; use a public key")]
    Symmetric(usize),
    #[error("key {0} holds private members: replace it, as it has leaked, and give its public half only")]
    Private(usize),
    #[error("key {0} has no `kid` of 1 to 128 bytes without control characters: give it one")]
    NoKid(usize),
    #[error("key {0} has the `kid` of an earlier key: give each key its own")]
    Duplicate(usize),
    #[error("key {0} is not for signatures: `use` must be \"sig\" and `key_ops` hold \"verify\", if given")]
    NotForSignatures(usize),
    #[error("key {0} is of another kind: use EdDSA (OKP Ed25519), ES256 (EC P-256) or RS256 (RSA)")]
    Unsupported(usize),
    #[error("key {0} is RSA of a size not taken: use 2048 to 4096 bits, without leading zero bytes")]
    RsaSize(usize),
    #[error("key {0} is broken: its members are not base64url of a sound public key (RFC 7518, section 6)")]
    Broken(usize),
}

/// Why a request's token is not taken. The messages never quote the token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its variant means")]
pub enum Unauthenticated {
    #[error("no bearer token: send the header `Authorization: Bearer <token>`")]
    NotBearer,
    #[error("the token is over {LONGEST_TOKEN} bytes: have one issued with fewer claims")]
    TooLong,
    #[error("not a signed JWT: send the three base64url parts with dots between, as they were issued")]
    Malformed,
    #[error("the token's header is wrong at `{0}`: give the key's `kid`, and no `crit`")]
    BadHeader(&'static str),
    #[error("no key {kid:?} is known here: sign with a key of the service's JWKS file, or add it there")]
    UnknownKey { kid: String },
    #[error("the token's `alg` is not that of its key: sign with the key's own algorithm")]
    WrongAlgorithm,
    #[error("the signature does not hold: send the token unchanged, signed with the key that `kid` names")]
    BadSignature,
    #[error("the token has expired: get a new one")]
    Expired,
    #[error("the token is not valid yet by `nbf` or `iat`: wait, or set the issuer's clock")]
    NotYet,
    #[error("the token lives too long: have it issued with an earlier `exp`")]
    LivesTooLong,
    #[error("`iss` is not the issuer that this service trusts: get a token from that issuer")]
    WrongIssuer,
    #[error("`aud` does not name this service: get a token for it")]
    WrongAudience,
    #[error("`role` must be \"player\", \"backend\", \"server\" or \"operator\": have it issued with one")]
    NoRole,
    #[error("the claim `{0}` is missing or malformed: have the token issued with a sound one")]
    BadClaims(&'static str),
    #[error("the token has been revoked: get a new one")]
    Revoked,
}

/// The public keys that tokens are checked with, and the rules for all tokens.
#[derive(Debug, Clone)]
pub struct Keys {
    by_kid: HashMap<String, (Algorithm, DecodingKey)>,
    rules: KeyRules,
    revoked: HashSet<String>,
}

impl Keys {
    /// Reads the text of a JWKS file (RFC 7517, section 5). One bad key refuses the whole file.
    ///
    /// # Errors
    /// What is wrong with the file, and with which of its keys.
    pub fn from_jwks(text: &str, rules: KeyRules) -> Result<Self, KeysError> {
        #[derive(Deserialize)]
        struct Set {
            keys: Vec<Object>,
        }
        // Only the place: the parser's own words can quote the file.
        let not_jwks = |e: serde_json::Error| NotJwks(e.line(), e.column());
        let set: Set = serde_json::from_str(text).map_err(not_jwks)?;
        let (mut by_kid, revoked) = (HashMap::new(), HashSet::new());
        for (at, jwk) in (1..).zip(&set.keys) {
            let (kid, key) = read_key(jwk, at)?;
            ensure(by_kid.insert(kid, key).is_none(), Duplicate(at))?;
        }
        ensure(!by_kid.is_empty(), Empty)?;
        Ok(Self {
            by_kid,
            rules,
            revoked,
        })
    }

    /// Refuses the tokens with these `jti` too, such as the lines of a file; blanks around one do not count.
    #[must_use]
    pub fn revoking(mut self, revoked: impl IntoIterator<Item = String>) -> Self {
        let trimmed = revoked.into_iter().map(|jti| jti.trim().to_owned());
        self.revoked.extend(trimmed);
        self
    }

    /// Whether there is a key of this `kid`.
    #[must_use]
    pub fn has(&self, kid: &str) -> bool {
        self.by_kid.contains_key(kid)
    }

    /// Says who sends this value of an `Authorization` header (RFC 6750, section 2.1), at `now` in Unix
    /// seconds.
    ///
    /// # Errors
    /// The first reason found not to take the token; nothing of a token is trusted before its signature.
    pub fn check(&self, authorization: &str, now: i64) -> Result<Caller, Unauthenticated> {
        let (scheme, token) = authorization.split_once(' ').ok_or(NotBearer)?;
        ensure(scheme.eq_ignore_ascii_case("bearer"), NotBearer)?;
        let token = token.trim_start_matches(' ');
        ensure(token.len() <= LONGEST_TOKEN, TooLong)?;
        let (message, signature) = token.rsplit_once('.').ok_or(Malformed)?;
        let (header, claims) = message.split_once('.').ok_or(Malformed)?;
        ensure(!claims.contains('.'), Malformed)?;
        let header = read_part(header)?;
        ensure(!header.contains_key("crit"), BadHeader("crit"))?;
        let kid = header.get("kid").and_then(name).ok_or(BadHeader("kid"))?;
        let Some((algorithm, key)) = self.by_kid.get(&kid) else {
            return Err(UnknownKey { kid });
        };
        let own = header.get("alg").is_some_and(|alg| names(alg, *algorithm));
        ensure(own, WrongAlgorithm)?;
        // Fails only if the signature is not base64url: the key was tried when it was read.
        let holds = crypto::verify(signature, message.as_bytes(), key, *algorithm);
        ensure(holds.map_err(|_| Malformed)?, BadSignature)?;
        self.admit(&read_part(claims)?, now)
    }

    /// Checks the claims of a token whose signature holds.
    fn admit(&self, claims: &Object, now: i64) -> Result<Caller, Unauthenticated> {
        let seconds_of = |span: Duration| i64::try_from(span.as_secs()).unwrap_or(i64::MAX);
        let (leeway, longest) = (seconds_of(self.rules.leeway), seconds_of(self.rules.longest));
        let is_issuer = |iss: &Value| *iss == self.rules.issuer;
        let has_audience = |aud: &Value| list(aud).iter().any(|aud| *aud == self.rules.audience);
        ensure(claims.get("iss").is_some_and(is_issuer), WrongIssuer)?;
        ensure(claims.get("aud").is_some_and(has_audience), WrongAudience)?;

        let expires = get(claims, "exp", seconds)?.ok_or(BadClaims("exp"))?;
        let (not_before, issued) = (get(claims, "nbf", seconds)?, get(claims, "iat", seconds)?);
        let started = not_before.max(issued).unwrap_or(now) <= now.saturating_add(leeway);
        let latest = issued.unwrap_or(now).min(now).saturating_add(longest);
        ensure(expires.saturating_add(leeway) > now, Expired)?;
        ensure(started, NotYet)?;
        ensure(expires <= latest.saturating_add(leeway), LivesTooLong)?;

        let subject = get(claims, "sub", name)?.ok_or(BadClaims("sub"))?;
        // Only a string: serde would read {"player": null} as a role as well.
        let role = claims.get("role").filter(|role| role.is_string());
        let role = Role::deserialize(role.ok_or(NoRole)?).map_err(|_| NoRole)?;
        let matches = get(claims, "match", |value| list(value).iter().map(name).collect())?;
        let token_id = get(claims, "jti", name)?;
        let revoked = |jti: &String| self.revoked.contains(jti.trim());
        ensure(!token_id.as_ref().is_some_and(revoked), Revoked)?;
        Ok(Caller {
            role,
            subject,
            matches,
            expires,
            token_id,
        })
    }
}

/// Reads one key of a set: its `kid`, the algorithm that it alone is used with, and the key.
fn read_key(jwk: &Object, at: usize) -> Result<(String, (Algorithm, DecodingKey)), KeysError> {
    let text = |member: &str| jwk.get(member).and_then(Value::as_str).unwrap_or_default();
    ensure(text("kty") != "oct", Symmetric(at))?;
    // RFC 7518, sections 6.2.2, 6.3.2 and 6.4.1; RFC 8037, section 2.
    let mut private = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"].iter();
    ensure(!private.any(|member| jwk.contains_key(*member)), Private(at))?;
    let kid = jwk.get("kid").and_then(name).ok_or(NoKid(at))?;
    let verifies = |ops: &Value| list(ops).iter().any(|op| op == "verify");
    let signs = jwk.get("use").is_none_or(|usage| usage == "sig") && jwk.get("key_ops").is_none_or(verifies);
    ensure(signs, NotForSignatures(at))?;
    let (algorithm, key) = match (text("kty"), text("crv")) {
        ("OKP", "Ed25519") => (EdDSA, DecodingKey::from_ed_components(text("x"))),
        ("EC", "P-256") => (ES256, DecodingKey::from_ec_components(text("x"), text("y"))),
        ("RSA", _) => (RS256, DecodingKey::from_rsa_components(text("n"), text("e"))),
        _ => return Err(Unsupported(at)),
    };
    let own = jwk.get("alg").is_none_or(|alg| names(alg, algorithm));
    ensure(own, Unsupported(at))?;
    let key = key.map_err(|_| Broken(at))?;
    // The library looks at a key only when it checks a token, and panics at an Ed25519 key below 32 bytes.
    let sound = match key.kind() {
        DecodingKeyKind::RsaModulusExponent { n, e } => {
            let sized = matches!((n.len(), n.first()), (256, Some(128..)) | (257..=512, Some(1..)));
            ensure(sized, RsaSize(at))?;
            let odd = |number: &[u8]| number.last().is_some_and(|byte| byte % 2 == 1);
            odd(n) && odd(e) && e.len() <= 4 && e.first() != Some(&0) && *e != [1]
        }
        DecodingKeyKind::SecretOrDer(point) => {
            // 43 characters are 32 bytes; of EC, the library then wants as many of `y`. Bytes all alike are a
            // placeholder, and as an Ed25519 key one of small order, with which anyone can sign.
            let placeholder = point.iter().skip(1).take(30).collect::<HashSet<_>>().len() < 2;
            text("x").len() == 43 && !placeholder
        }
    };
    // Tried once, so that a point off its curve is found here rather than with each token.
    let sound = sound && crypto::verify("", b"", &key, algorithm).is_ok();
    ensure(sound, Broken(at))?;
    Ok((kid, (algorithm, key)))
}

/// Reads a token's header or claims. The library decodes the middle part of anything with two dots.
fn read_part(part: &str) -> Result<Object, Unauthenticated> {
    insecure_decode_claims(format!(".{part}.")).map_err(|_| Malformed)
}

/// Whether `alg` names this algorithm (RFC 7518, section 3.1; RFC 8037, section 3.1).
fn names(alg: &Value, algorithm: Algorithm) -> bool {
    alg.as_str().and_then(|alg| alg.parse().ok()) == Some(algorithm)
}

/// A claim that may be absent, but not malformed.
fn get<T>(of: &Object, at: &'static str, read: Read<T>) -> Result<Option<T>, Unauthenticated> {
    let read = |value| read(value).ok_or(BadClaims(at));
    of.get(at).map(read).transpose()
}

/// The values of what may be one value or a list.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(slice::from_ref(value), Vec::as_slice)
}

/// A name that is safe in a log: 1 to 128 bytes, without control characters.
fn name(value: &Value) -> Option<String> {
    let fits = |name: &&str| (1..=LONGEST_NAME).contains(&name.len()) && !name.chars().any(char::is_control);
    value.as_str().filter(fits).map(str::to_owned)
}

/// A `NumericDate` (RFC 7519, section 2), without its fraction; none if negative, or 2^53 or more.
#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
fn seconds(value: &Value) -> Option<i64> {
    let time = value.as_f64()?;
    (0.0..9_007_199_254_740_992.0)
        .contains(&time)
        .then_some(time as i64)
}

fn ensure<E>(holds: bool, otherwise: E) -> Result<(), E> {
    holds.then_some(()).ok_or(otherwise)
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failure in a helper fails the test"
)]
mod tests;
