#!/usr/bin/env python3
"""Writes the vectors: python3 test/profiles/make-vectors.py > profiles/vectors.json && biome format --write profiles

The HMACs are those of Python, the Ed25519 signatures those of openssl: nothing here is partnerkit's. The published
vectors of GitHub, Standard Webhooks and RFC 8032 are among them, and are compared with what is computed.
"""

import base64
import hmac
import json
import subprocess
import tempfile
from functools import cache
from pathlib import Path

NOW = 1_732_147_200
CURRENT = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
NEXT = "whsec_" + base64.b64encode(bytes(range(24))).decode()
WRONG = "whsec_" + base64.b64encode(bytes(range(100, 124))).decode()
PLAIN = "clé-très-secrète-" * 5  # longer than a block of SHA-256
BODY = '{"timestamp":1732147200,"data":{"id":"pay_9"},"objectName":"RequestPayment","type":"payed"}'
ACCENTS = BODY.replace("pay_9", "Gîte — 日本語 🏡")
# The keys of RFC 8032 §7.1, tests 1 and 2; then one that no receiver has.
SEED = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
SEED_NEXT = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
SEED_WRONG = "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7"
ENDPOINT = "019ab7c4-8f00-7000-8000-00000000000a"
ENDPOINT_NEXT = "019ab7c4-8f00-7000-8000-00000000000b"
ENDPOINT_OTHER = "019ab7c4-8f00-7000-8000-00000000000c"  # of another partner
ORDER = 2**252 + 27742317777372353535851937790883648493  # of the base point (RFC 8032 §5.1)


def openssl(*command, **files):
    """Runs a command with files: `{key}` stands for the path of the one that is called key."""
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: Path(folder, name) for name in files}
        for name, content in files.items():
            paths[name].write_bytes(content)
        run = [part.format(**paths) for part in ("openssl", *command)]
        return subprocess.run(run, check=True, capture_output=True).stdout


def private(seed):
    return bytes.fromhex("302e020100300506032b657004220420" + seed)  # RFC 8410


@cache
def ed25519(seed, message):
    sign = ("pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", "{key}", "-in", "{message}")
    return openssl(*sign, key=private(seed), message=message)


def public(seed):
    """`x` of the public key in a JWK: Base64url without padding."""
    read = ("pkey", "-inform", "DER", "-in", "{key}", "-pubout", "-outform", "DER")
    return base64.urlsafe_b64encode(openssl(*read, key=private(seed))[12:]).decode().rstrip("=")


def digest(secret, message):
    return hmac.digest(secret.encode(), message, "sha256")


def github(secret, body=BODY):
    return {"x-hub-signature-256": "sha256=" + digest(secret, body.encode()).hex()}


def stripe(secret, body=BODY, timestamp=NOW, version="v1"):
    return {"stripe-signature": f"t={timestamp},{version}={digest(secret, f'{timestamp}.{body}'.encode()).hex()}"}


def headers(signatures, id, timestamp):
    return {"webhook-id": id, "webhook-timestamp": str(timestamp), "webhook-signature": " ".join(signatures)}


def standard(*secrets, body=BODY, id="msg_1", timestamp=NOW, version="v1"):
    message = f"{id}.{timestamp}.{body}".encode()
    keys = [base64.b64decode(secret.removeprefix("whsec_")) for secret in secrets]
    signatures = [f"{version},{base64.b64encode(hmac.digest(key, message, 'sha256')).decode()}" for key in keys]
    return headers(signatures, id, timestamp)


def asymmetric(*seeds, body=BODY, id="msg_1_" + ENDPOINT, timestamp=NOW, version="v1a"):
    signatures = [ed25519(seed, f"{id}.{timestamp}.{body}".encode()) for seed in seeds]
    return headers([f"{version},{base64.b64encode(each).decode()}" for each in signatures], id, timestamp)


FORMS = {
    "github": (github, CURRENT, NEXT, WRONG),
    "stripe": (stripe, CURRENT, NEXT, WRONG),
    "standard": (standard, CURRENT, NEXT, WRONG),
    "ed25519": (asymmetric, SEED, SEED_NEXT, SEED_WRONG),
}
SIGNATURE = {"github": "x-hub-signature-256", "stripe": "stripe-signature"}
PUBLIC = {seed: public(seed) for seed in (SEED, SEED_NEXT, SEED_WRONG)}

vectors = []


def vector(form, name, genuine, headers, body=BODY, keys=None, now=NOW, endpoints=(ENDPOINT,)):
    """`keys` and `endpoints` are those of the receiver. An HMAC names its receiver by the secret alone."""
    keys = [PUBLIC.get(key, key) for key in keys or FORMS[form][1:2]]
    endpoints = list(endpoints) if form == "ed25519" else []
    about = {"form": form, "name": name, "genuine": genuine, "now": now, "keys": keys, "endpoints": endpoints}
    vectors.append({**about, "body": body, "headers": headers})


for form, (sign, current, upcoming, wrong) in FORMS.items():
    name = SIGNATURE.get(form, "webhook-signature")
    good = sign(current)
    value = good[name]

    def changed(to):
        return {**good, name: to}

    vector(form, "a good signature", True, good)
    vector(form, "a body with accents and emoji", True, sign(current, body=ACCENTS), ACCENTS)
    vector(form, "an empty body", True, sign(current, body=""), "")
    vector(form, "the second of two keys", True, sign(upcoming), keys=[current, upcoming])
    vector(form, "the first of two keys", True, good, keys=[current, upcoming])
    vector(form, "a key that is not known", False, sign(wrong))
    to_another = asymmetric(SEED, id="msg_1_" + ENDPOINT_OTHER) if form == "ed25519" else sign(wrong)
    vector(form, "what the platform sent to another partner", False, to_another)
    vector(form, "a changed byte of the body", False, good, BODY.replace("payed", "payee"))
    vector(form, "a longer body", False, good, BODY + "\n")
    vector(form, "no signature", False, {key: "" for key in good})
    vector(form, "an empty signature", False, changed(""))
    vector(form, "a signature cut short", False, changed(value[:-2]))
    vector(form, "a signature with something after it", False, changed(value + "0"))
    _, _, unnamed = value.partition("=" if form == "github" else ",")
    vector(form, "a signature without its name", False, changed(unnamed))
    vector(form, "a signature that comes twice", False, changed(f"{value}, {value}"))

for form in ("github", "stripe"):
    sign, name = FORMS[form][0], SIGNATURE[form]
    vector(form, "a key longer than a block, with accents", True, sign(PLAIN), keys=[PLAIN])
    head, mark, last = sign(CURRENT)[name].rpartition("=")
    vector(form, "a digest in capitals", False, {name: head + mark + last.upper()})

vector("github", "another hash", False,
       {"x-hub-signature-256": "sha256=" + hmac.new(CURRENT.encode(), BODY.encode(), "sha1").hexdigest()})
vector("github", "the name of another hash", False,
       {"x-hub-signature-256": "sha1=" + github(CURRENT)["x-hub-signature-256"][7:]})
vector("stripe", "another version", False, stripe(CURRENT, version="v0"))
vector("stripe", "a time that was changed", False,
       {"stripe-signature": stripe(CURRENT)["stripe-signature"].replace("t=17321472", "t=17321473")}, now=NOW + 60)
for form in ("stripe", "standard", "ed25519"):
    sign, current = FORMS[form][:2]
    for seconds, genuine in ((300, True), (301, False), (-300, True), (-301, False)):
        vector(form, f"a request of {abs(seconds)} seconds {'ago' if seconds > 0 else 'ahead'}", genuine,
               sign(current, timestamp=NOW - seconds))
    for what, timestamp in {"a sign": f"+{NOW}", "a zero before": f"0{NOW}", "a letter after": f"{NOW}x",
                            "a blank before": f" {NOW}", "no digit": "", "a fraction": f"{NOW}.0"}.items():
        vector(form, f"a time that is no plain number: {what}", False, sign(current, timestamp=timestamp))
for form in ("standard", "ed25519"):
    sign, current, upcoming, wrong = FORMS[form]
    good = sign(current)
    vector(form, "the second signature of a list", True, sign(wrong, current))
    vector(form, "another signature of the list for the second key", True, sign(current, upcoming), keys=[upcoming])
    vector(form, "another id", False, {**good, "webhook-id": good["webhook-id"].replace("msg_1", "msg_2")})
    vector(form, "no id", False, {**sign(current, id=""), "webhook-id": ""})
    vector(form, "another time", False, {**good, "webhook-timestamp": str(NOW + 1)})
    vector(form, "another version", False, sign(current, version="v2"))
    vector(form, "the version of the other kind", False, sign(current, version="v1a" if form == "standard" else "v1"))
    vector(form, "the sixteenth signature of a list", True, sign(*[wrong] * 15, current))
    vector(form, "the seventeenth signature of a list", False, sign(*[wrong] * 16, current))
vector("standard", "an empty key", False, standard("whsec_"), keys=["whsec_"])
vector("standard", "a key without whsec_", False, standard(CURRENT), keys=[CURRENT.removeprefix("whsec_")])
vector("ed25519", "the signature of Standard Webhooks before it", True,
       {**asymmetric(SEED), "webhook-signature": " ".join(
           each["webhook-signature"] for each in (standard(CURRENT), asymmetric(SEED)))})
# RFC 8032 §5.1.7: S is below the order of the group, or every signature would have a second form.
signature = base64.b64decode(asymmetric(SEED)["webhook-signature"][4:])
second = signature[:32] + (int.from_bytes(signature[32:], "little") + ORDER).to_bytes(32, "little")
vector("ed25519", "the second form of a signature", False,
       {**asymmetric(SEED), "webhook-signature": "v1a," + base64.b64encode(second).decode()})
for length in (0, 63, 65):
    cut = (signature + b"\0")[:length]
    vector("ed25519", f"a signature of {length} bytes", False,
           {**asymmetric(SEED), "webhook-signature": "v1a," + base64.b64encode(cut).decode()})
# Its one key signs for all partners, so the signed id says for whom.
other = asymmetric(SEED, id="msg_1_" + ENDPOINT_OTHER)
vector("ed25519", "the second of two endpoints", True, asymmetric(SEED, id="msg_1_" + ENDPOINT_NEXT),
       endpoints=[ENDPOINT, ENDPOINT_NEXT])
vector("ed25519", "the endpoint of another partner beside two of the receiver", False, other,
       endpoints=[ENDPOINT, ENDPOINT_NEXT])
vector("ed25519", "the id of the receiver written over that of another partner", False,
       {**other, "webhook-id": "msg_1_" + ENDPOINT})
vector("ed25519", "the id of the receiver added to that of another partner", False,
       {**other, "webhook-id": other["webhook-id"] + "_" + ENDPOINT})
for what, id in {"no endpoint": "msg_1", "the endpoint in front": f"{ENDPOINT}_msg_1", "the endpoint alone": ENDPOINT,
                 "no sign between": f"msg_1{ENDPOINT}", "another sign between": f"msg_1.{ENDPOINT}",
                 "the endpoint and more": f"msg_1_{ENDPOINT}0", "the endpoint in capitals": f"msg_1_{ENDPOINT.upper()}",
                 "a part of the endpoint": f"msg_1_{ENDPOINT[:-1]}"}.items():
    vector("ed25519", f"an id with {what}", False, asymmetric(SEED, id=id))
vector("ed25519", "a signature that is no Base64", False, {**asymmetric(SEED), "webhook-signature": "v1a,***"})

# Published: "Validating webhook deliveries" on docs.github.com, the libraries of Standard Webhooks, RFC 8032 and 8037.
vector("github", "the example of GitHub's documentation", True,
       {"x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"},
       "Hello, World!", ["It's a Secret to Everybody"])
key, message, at = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330
vector("standard", "the vector of Standard Webhooks", True,
       headers(["v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="], message, at), '{"test": 2432232314}', [key], at)
assert github("It's a Secret to Everybody", "Hello, World!") == vectors[-2]["headers"]
assert standard(key, body='{"test": 2432232314}', id=message, timestamp=at) == vectors[-1]["headers"]
assert ed25519(SEED_NEXT, b"\x72") == bytes.fromhex(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
)
assert ed25519(SEED_WRONG, b"\xaf\x82") == bytes.fromhex(
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
    "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
)
assert PUBLIC[SEED] == "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
assert len({(each["form"], each["name"]) for each in vectors}) == len(vectors)

print(json.dumps(vectors, ensure_ascii=False, indent=2))
