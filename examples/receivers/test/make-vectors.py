#!/usr/bin/env python3
"""Writes vectors.json: python3 test/make-vectors.py > vectors.json && biome format --write vectors.json

The signatures come from Python's hmac alone: nothing here is partnerkit's. Two of them are known from elsewhere
and checked at the end. Standard Webhooks signatures are dated `now`; who sends them later dates them anew by the
recipe beside them (`standard`), and proves first that at `now` the recipe makes the very headers written here.
"""

import base64
import hashlib
import hmac
import json
import re

NOW = 1_732_147_200
CURRENT = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
NEXT = "whsec_" + base64.b64encode(bytes(range(24))).decode()
WRONG = "whsec_" + base64.b64encode(bytes(range(100, 124))).decode()
PLAIN = "clé-très-secrète-" * 5  # of no form, longer than a block of SHA-1: it signs X-WEBHOOK-SIGNATURE alone
EMPTY = "whsec_"  # its Base64 stands for an empty key
KEY_HEADER, KEY = "X-API-Key", "pk_live_51H8x"

ids = iter(range(1, 1000))


def sha1(body, secret=CURRENT):
    return hmac.new(secret.encode(), body, hashlib.sha1).hexdigest()


def weak(body, secret=CURRENT):
    return [["X-WEBHOOK-SIGNATURE", sha1(body, secret)]]


def strong(body, secrets=(CURRENT,), offset=0, form="{}", version="v1", id="msg_1", sent_id=None, signed=None):
    """Headers of Standard Webhooks, and the recipe to date them anew. `form` spells the time, `signed` is another body."""
    timestamp = form.format(NOW + offset)
    message = f"{id}.{timestamp}.".encode() + (body if signed is None else signed)
    signatures = []
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        signatures.append(f"{version},{base64.b64encode(hmac.new(key, message, hashlib.sha256).digest()).decode()}")
    headers = [
        ["webhook-id", id if sent_id is None else sent_id],
        ["webhook-timestamp", timestamp],
        ["webhook-signature", " ".join(signatures)],
    ]
    recipe = {"id": id, "offset": offset, "form": form, "version": version, "secrets": list(secrets)}
    if signed is not None:
        recipe["signedBody"] = signed.decode()
    return headers, recipe


def event(id=None, object="RequestPayment", type="payed", timestamp=NOW, data=(), **more):
    envelope = {
        "timestamp": timestamp,
        "data": {"id": id or f"pay_{next(ids)}", **dict(data)},
        "objectName": object,
        "type": type,
        **more,
    }
    return json.dumps(envelope, ensure_ascii=False, separators=(",", ":")).encode()


def written(body):
    """A body as JSON can hold it: as text, in parts that repeat, or as Base64 where it is no text."""
    text = body.decode(errors="replace")
    if text.encode() != body:
        return {"bodyBase64": base64.b64encode(body).decode()}
    if len(text) < 2_000:
        return {"body": text}
    parts = []
    for run in re.finditer(r"(.)\1{99,}|(?:(?!(.)\2{99}).)+", text, re.DOTALL):
        parts.append([run[1] or run[0], len(run[0]) if run[1] else 1])
    return {"bodyParts": parts}


def request(answer, body, headers=None, standard=None, method="POST", handler=None, key=None):
    headers = weak(body) if headers is None else headers
    sent = {"answer": answer, "headers": [["Content-Type", "application/json"], *headers], **written(body)}
    if key is not None:
        sent["headers"].append([KEY_HEADER, key])
    if standard is not None:
        sent["standard"] = standard
    if method != "POST":
        sent["method"] = method
    if handler is not None:
        sent["handler"] = handler
    return sent


def key_of(body):
    envelope = json.loads(body)
    return [envelope["objectName"], envelope["data"]["id"], envelope["type"], envelope["timestamp"]]


vectors = []


def vector(name, *requests, processed=(), to="open"):
    vectors.append({"name": name, "to": to, "requests": list(requests), "processed": [key_of(b) for b in processed]})


def taken(name, body, headers=None, standard=None, **more):
    vector(name, request(204, body, headers, standard, **more), processed=[body])


def refused(name, body, headers=None, standard=None, answer=401, **more):
    vector(name, request(answer, body, headers, standard, **more))


def refused_standard(name, with_weak=False, **options):
    body = event()
    headers, recipe = strong(body, **options)
    refused(name, body, headers + (weak(body) if with_weak else []), recipe)


def taken_standard(name, with_weak=False, **options):
    body = event()
    headers, recipe = strong(body, **options)
    taken(name, body, headers + (weak(body) if with_weak else []), recipe)


# X-WEBHOOK-SIGNATURE

taken("a good signature", event())
taken("a body with accents and emoji", event("gîte_été", data={"name": "Gîte des Érables — “Łukasz”, 日本語 🏡"}))
specified = (
    '{"timestamp":1732147200,"data":{"id":"sd_01","name":"Gîte des Érables — été","status":"in_progress",'
    '"depositAmount":850.5,"recipient":{"email":"zoe@example.org"}},'
    '"objectName":"RequestSecurityDeposit","type":"deposit_success"}'
).encode()
taken("a security deposit", specified)
taken("white space around and inside the JSON", b'\n { "timestamp" : 1732147200,\r\n\t"data":{ "id":"spaced" }, '
      b'"objectName":"RequestPayment" ,"type":"payed" } \n')
body = event()
taken("the second of several secrets", body, weak(body, NEXT))
body = event()
taken("a secret of another form, with accents and longer than a block", body, weak(body, PLAIN))
body = event()
refused("the signature of a secret that is not known", body, weak(body, WRONG))
refused("no signature at all", event(), [])
refused("an empty signature", event(), [["X-WEBHOOK-SIGNATURE", ""]])
body = event()
refused("the right signature twice", body, weak(body) * 2)
body = event()
refused("a wrong signature before the right one", body, weak(body, WRONG) + weak(body))
body = event()
refused("the right signature in capitals", body, [["X-WEBHOOK-SIGNATURE", sha1(body).upper()]])
body = event()
refused("a signature cut short", body, [["X-WEBHOOK-SIGNATURE", sha1(body)[:-1]]])
body = event()
refused("a signature with something after it", body, [["X-WEBHOOK-SIGNATURE", sha1(body) + "0"]])
body = event()
refused("a signature with its algorithm before it", body, [["X-WEBHOOK-SIGNATURE", "sha1=" + sha1(body)]])
body = event()
refused("a body of which one byte was changed", body.replace(b"payed", b"payee"), weak(body))
body = event()
refused("a body that is one byte longer", body + b"\n", weak(body))
refused("the signature of an empty body on another", event(), weak(b""))

# Standard Webhooks

taken_standard("a good Standard Webhooks signature alone")
taken_standard("both signatures, both good", with_weak=True)
taken_standard("Standard Webhooks with the second of several secrets", secrets=[NEXT])
taken_standard("a list of signatures of which the second is good", secrets=[WRONG, CURRENT])
taken_standard("a delivery of 4 minutes 30 seconds ago", offset=-270)
taken_standard("a delivery of 4 minutes 30 seconds ahead", offset=270)
refused_standard("a Standard Webhooks signature of a secret that is not known", secrets=[WRONG])
refused_standard("a Standard Webhooks signature with an empty key", secrets=[EMPTY])
refused_standard("a good weak signature beside a bad strong one", with_weak=True, secrets=[WRONG])
body = event()
headers, recipe = strong(body)
refused("a good strong signature beside a bad weak one", body, headers + weak(body, WRONG), recipe)
refused_standard("a delivery of 5 minutes 30 seconds ago", offset=-330)
refused_standard("a delivery of 5 minutes 30 seconds ahead", offset=330)
refused_standard("a good weak signature beside a strong one that is too old", with_weak=True, offset=-330)
refused_standard("a strong signature of another body", with_weak=True, signed=b"{}")
refused_standard("a strong signature under another id", sent_id="msg_2")
refused_standard("a strong signature of another version", version="v2")
refused_standard("a time that is not plain digits: a sign", form="+{}")
refused_standard("a time that is not plain digits: a zero before", form="0{}")
refused_standard("a time that is no number", form="soon")
for absent in ("webhook-id", "webhook-timestamp", "webhook-signature"):
    body = event()
    headers, recipe = strong(body)
    refused(f"a good weak signature, and {absent} is missing", body,
            [header for header in headers if header[0] != absent] + weak(body), recipe)
for index, twice in enumerate(("webhook-id", "webhook-timestamp", "webhook-signature")):
    body = event()
    headers, recipe = strong(body)
    refused(f"{twice} twice", body, headers + [headers[index]], recipe)

# The API key

body = event()
vector("the right API key", request(204, body, key=KEY), to="guarded", processed=[body])
vector("no API key", request(401, event()), to="guarded")
vector("a wrong API key", request(401, event(), key="pk_live_51H8y"), to="guarded")
vector("an empty API key", request(401, event(), key=""), to="guarded")
body = event()
vector("the right API key twice", request(401, body, weak(body) + [[KEY_HEADER, KEY]], key=KEY), to="guarded")
body = event()
vector("the right API key and a wrong signature", request(401, body, weak(body, WRONG), key=KEY), to="guarded")

# Duplicates

body = event()
vector("a duplicate", request(204, body), request(204, body), request(204, body), processed=[body])
body = event("dup_field")
again = event("dup_field", data={"of": "the future"}, also={"new": True})
vector("a duplicate with new fields", request(204, body), request(204, again), processed=[body])
body = event("dup_spaced")
vector("a duplicate written otherwise", request(204, body), request(204, json.dumps(json.loads(body), indent=1).encode()),
       processed=[body])
body = event()
headers, recipe = strong(body, secrets=[NEXT])
vector("a duplicate signed otherwise", request(204, body), request(204, body, headers, recipe), processed=[body])
several = [event("one_object"), event("one_object", type="cancel"), event("one_object", timestamp=NOW + 1),
           event("one_object", object="RequestSecurityDeposit", type="cancel"), event("one_object ")]
vector("events that differ in one part of the key are no duplicates", *[request(204, each) for each in several],
       processed=several)
quoted = [event(id) for id in ("it's", 'say "so"', "a\\b", "../../etc/passwd", "$(id);`id`", "%s%n", "a,b", "[1]", "two\nlines")]
vector("ids that mean something elsewhere", *[request(204, each) for each in quoted * 2], processed=quoted)
body = event()
vector("a refused request claims nothing", request(401, body, weak(body, WRONG)), request(204, body), processed=[body])

# Handlers

body = event()
vector("a handler that fails once: 503, and processed when it is sent again", request(503, body, handler="fails"),
       request(204, body), request(204, body), processed=[body])
body = event()
vector("a handler that fails twice", request(503, body, handler="fails"), request(503, body, handler="fails"),
       request(204, body), processed=[body])
body = event()
vector("a handler that would fail is not asked about a duplicate", request(204, body),
       request(204, body, handler="fails"), processed=[body])
vector("a type of the future", request(204, event(type="teleported")))
vector("an object of the future", request(204, event(object="RequestTeleport")))
vector("a type that is known and has no handler", request(204, event(type="update")))
vector("names that every object has in JavaScript", request(204, event(object="constructor", type="name")),
       request(204, event(object="__proto__", type="toString")), request(204, event(type="constructor")))

# Bodies

taken("fields of the future", event(data={"nested": {"a": [1, None, {"b": False}]}}, version=2, links=[]))
taken("fields of the future that differ in capitals alone",
      event("lower", data={"ID": "upper", "Id": 7}, TYPE="cancel", Timestamp="x", ObjectName=None))
taken("numbers that no language reads alike", event(data={"amount": 1e300, "tiny": 5e-324, "exact": 2**63 + 1}))
refused("not JSON", b"timestamp=1732147200&type=payed", answer=400)
refused("JSON that breaks off", event()[:-1], answer=400)
refused("JSON with something after it", event() + b"{}", answer=400)
refused("NaN, which is not JSON", event().replace(b'"timestamp"', b'"n":NaN,"timestamp"'), answer=400)
refused("bytes that are not UTF-8", event(data={"name": "x"}).replace(b'"x"', b'"\xe9"'), answer=400)
refused("UTF-16", event().decode().encode("utf-16"), answer=400)
refused("an empty body, signed", b"", answer=400)
refused("an empty body, not signed", b"", [])
for name, text in {"null": "null", "a list": "[]", "a text": '"payed"', "a number": "1732147200", "an empty object": "{}"}.items():
    refused(f"JSON that is {name}", text.encode(), answer=400)
for name, old, new in [
    ("no timestamp", b'"timestamp":1732147200,', b""),
    ("a timestamp that is a text", b":1732147200,", b':"1732147200",'),
    ("a timestamp that is true", b":1732147200,", b":true,"),
    ("a timestamp with a fraction", b":1732147200,", b":1732147200.5,"),
    ("a timestamp that is null", b":1732147200,", b":null,"),
    ("no data", b'"data":', b'"dato":'),
    ("data that is null", b'{"id":"shape"}', b"null"),
    ("data that is a list", b'{"id":"shape"}', b'["id"]'),
    ("data that is a text", b'{"id":"shape"}', b'"id"'),
    ("data without an id", b'{"id":"shape"}', b"{}"),
    ("an id that is a number", b'"shape"', b"7"),
    ("no objectName", b'"objectName"', b'"objectname"'),
    ("an objectName that is a list", b'"RequestPayment"', b'["RequestPayment"]'),
    ("no type", b'"type"', b'"Type"'),
    ("a type that is null", b'"payed"', b"null"),
]:
    refused(f"an envelope with {name}", event("shape").replace(old, new), answer=400)
refused("a list of 100,000 levels", b"[" * 100_000 + b"]" * 100_000, answer=400)

head, tail = event("largest", data={"pad": "|"}).split(b"|")
largest = head + b"x" * (512 * 1024 - len(head) - len(tail)) + tail
taken("512 KiB", largest)
refused("512 KiB and one byte", largest.replace(b"largest", b"largest1"), answer=413)
refused("another method", b"", method="GET", answer=405)

# Another partner: what the platform signed for it is good there alone, because each endpoint has a secret of its own.

body = event()
refused("what the platform sent to another partner, with X-WEBHOOK-SIGNATURE", body, weak(body, WRONG))
refused_standard("what the platform sent to another partner, with Standard Webhooks", secrets=[WRONG])
body = event()
headers, recipe = strong(body, secrets=[WRONG])
refused("what the platform sent to another partner, with both", body, headers + weak(body, WRONG), recipe)

assert sha1(specified) == "151bb5c81cf50f4ef95871983f8d8a9f225d0251"
assert sha1(b"", "secret") == "25af6174a0fcecc4d346680a72b7ce644b9a88e8"
assert len(largest) == 512 * 1024
assert len({each["name"] for each in vectors}) == len(vectors)

print(json.dumps({
    "about": "Made by test/make-vectors.py with Python's hmac, independent of partnerkit. `answer` is the status of each "
             "request, `processed` the keys that the handlers work on because of the vector. A request whose handler "
             "`fails` meets a handler that cannot work. Dates and signatures of Standard Webhooks are those of `now`.",
    "now": NOW,
    "secrets": [CURRENT, NEXT, PLAIN, EMPTY],
    "apiKey": {"header": KEY_HEADER, "value": KEY},
    "vectors": vectors,
}, ensure_ascii=False, indent=2))
