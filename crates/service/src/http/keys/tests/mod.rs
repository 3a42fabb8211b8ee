//! Tokens of every algorithm, and all that is refused.

mod jwks;
mod mutated;
mod tokens;

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as B64;
use jsonwebtoken::EncodingKey;
use jsonwebtoken::jwk::Jwk;
use p256::elliptic_curve::ff::PrimeField;
use p256::pkcs8::EncodePrivateKey;
use rsa::BigUint;
use rsa::pkcs1::EncodeRsaPrivateKey;
use serde_json::json;

use super::*;

const NOW: i64 = 1_800_000_000;
const TWO_TO_53: u64 = 1 << 53;

/// One issuer's key: how tests sign, and what its JWKS says.
struct Signer {
    algorithm: Algorithm,
    key: EncodingKey,
    jwk: Value,
}

impl Signer {
    fn new(kid: &str, algorithm: Algorithm, key: EncodingKey) -> Self {
        let mut jwk = serde_json::to_value(Jwk::from_encoding_key(&key, algorithm).unwrap()).unwrap();
        jwk["kid"] = json!(kid);
        Self { algorithm, key, jwk }
    }

    /// An Ed25519 key in PKCS#8 (RFC 8410, section 7) is its seed after 16 fixed bytes.
    fn ed25519(kid: &str, seed: u8) -> Self {
        let prefix = b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20";
        let der = [&prefix[..], &[seed; 32]].concat();
        Self::new(kid, EdDSA, EncodingKey::from_ed_der(&der))
    }

    fn p256(kid: &str, seed: u8) -> Self {
        let key = p256::SecretKey::from_slice(&[seed; 32]).unwrap();
        let der = key.to_pkcs8_der().unwrap();
        Self::new(kid, ES256, EncodingKey::from_ec_der(der.as_bytes()))
    }

    /// From two fixed primes, as finding some takes long without optimization.
    fn rsa(kid: &str) -> Self {
        let prime = |hex: &str| BigUint::parse_bytes(hex.as_bytes(), 16).unwrap();
        let p = prime(concat!(
            "F5C08A7DF43B758286772CA40FB5F7D46A3BD8BEA54108ACBC21323FE9BC18DC5D4A1FFF55FB3E602C0D61B528E6099D",
            "C1F07092BCD8C10636A42636D25D7A4D75DC686FD6827A894DE9168E30DDD7F3F9416F2FF64FB58B43E48D166A9C014B",
            "AB37EB1938D312FE821F4905930ADF87E81D1EB2CF8CEFAA3884196E34D3E509"
        ));
        let q = prime(concat!(
            "C551596FAB2A23ADECA5832FC06704567D08FA57B6C895F1F2FF993FEE1D501F3857252F807A52E11F4263E6AEC8D321",
            "ADD708A2FEE7F0C861A0D0F812861F8AD9C71016BCC5F3F4615E1BC6C9A5C955712E402253E51C3F9E22E1072C79EF82",
            "7E4A96B8F22427A1121EDB4BB71F16D9C6F8A8D988403F6ECE7FCE8407E729D1"
        ));
        let key = rsa::RsaPrivateKey::from_p_q(p, q, BigUint::from(65537_u32)).unwrap();
        let der = key.to_pkcs1_der().unwrap();
        Self::new(kid, RS256, EncodingKey::from_rsa_der(der.as_bytes()))
    }

    fn kid(&self) -> &str {
        self.jwk["kid"].as_str().unwrap()
    }

    fn header(&self) -> Value {
        json!({"typ": "JWT", "alg": format!("{:?}", self.algorithm), "kid": self.kid()})
    }

    fn sign_text(&self, header: &str, claims: &str) -> String {
        let message = format!("{}.{}", B64.encode(header), B64.encode(claims));
        let signature = crypto::sign(message.as_bytes(), &self.key, self.algorithm).unwrap();
        format!("{message}.{signature}")
    }

    fn sign(&self, header: &Value, claims: &Value) -> String {
        self.sign_text(&header.to_string(), &claims.to_string())
    }

    fn token(&self, claims: &Value) -> String {
        self.sign(&self.header(), claims)
    }
}

static ED: LazyLock<Signer> = LazyLock::new(|| Signer::ed25519("ed", 7));
static EC: LazyLock<Signer> = LazyLock::new(|| Signer::p256("ec", 8));
static RSA: LazyLock<Signer> = LazyLock::new(|| Signer::rsa("rsa"));
static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let set = json!({"keys": [ED.jwk, EC.jwk, RSA.jwk]});
    Keys::from_jwks(&set.to_string(), rules())
        .unwrap()
        .revoking(["gone\r".to_owned(), String::new()])
});

fn rules() -> KeyRules {
    KeyRules::of("https://id.example", "matchmaker")
}

fn claims() -> Value {
    json!({"iss": "https://id.example", "aud": "matchmaker", "exp": NOW + 3600, "sub": "ann", "role": "player"})
}

/// `of` with one member changed; `Value::Null` is a value like any other here.
fn with(mut of: Value, member: &str, value: impl Into<Value>) -> Value {
    of[member] = value.into();
    of
}

fn without(mut of: Value, member: &str) -> Value {
    of.as_object_mut().unwrap().remove(member).unwrap();
    of
}

fn check(token: &str) -> Result<Caller, Unauthenticated> {
    KEYS.check(&format!("Bearer {token}"), NOW)
}
