#!/usr/bin/env python3
"""A partner's webhook receiver. Python 3.9 or later, standard library only; see README.md."""

import base64
import hmac
import json
import os
import re
import secrets
import sqlite3
import sys
import time
import traceback
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def need(name, what):
    return os.environ.get(name, "").strip() or sys.exit(f"{name} is not set: {what}.")


# X-WEBHOOK-SIGNATURE is keyed with the text of a secret, Standard Webhooks with what its Base64 stands for.
SECRETS = os.fsencode(need("WEBHOOK_SECRETS", "the webhook secret, or two with a space between")).split()
STANDARD_KEYS = [base64.b64decode(secret[6:]) for secret in SECRETS if secret.startswith(b"whsec_")]
STANDARD_KEYS = list(filter(None, STANDARD_KEYS))  # with an empty key anyone could sign
PORT = int(need("PORT", "the port to listen on"))
API_KEY = os.environ.get("WEBHOOK_API_KEY", "").encode()
API_KEY_HEADER = "X-API-Key"  # as it is called in the endpoint's settings
DATA_DIR = os.environ.get("DATA_DIR", ".")
MOST_BYTES = 512 * 1024
TOLERANCE, LEASE, KEEP = 5 * 60, 60, 35 * 86_400  # seconds; a lease is longer than any handler takes


def record(event, key):
    """Stands for your work. When it raises, the event is sent again."""
    with open(os.path.join(DATA_DIR, "events.jsonl"), "a") as file:
        file.write(key + "\n")


# By objectName and type. What has no handler is confirmed and dropped, types of the future included.
HANDLERS = {
    ("RequestPayment", "payed"): record,
    ("RequestPayment", "cancel"): record,
    ("RequestSecurityDeposit", "deposit_success"): record,
    ("RequestSecurityDeposit", "cancel"): record,
}


def single(headers, name):
    """The only value of a header: one that comes twice is as bad as none."""
    values = headers.get_all(name, [])
    return values[0].encode("latin-1") if len(values) == 1 else b""


def fits(offered, expected):
    return any([hmac.compare_digest(one, other) for one in offered for other in expected])


def is_weak(headers, body):
    digests = [hmac.digest(secret, body, "sha1") for secret in SECRETS]
    return fits([single(headers, "X-WEBHOOK-SIGNATURE")], [digest.hex().encode() for digest in digests])


def is_strong(headers, body):
    message_id, at, offered = (single(headers, f"webhook-{part}") for part in ("id", "timestamp", "signature"))
    if not message_id or not re.fullmatch(rb"[1-9][0-9]{0,11}", at) or abs(int(at) - time.time()) > TOLERANCE:
        return False
    digests = [hmac.digest(key, b"%b.%b.%b" % (message_id, at, body), "sha256") for key in STANDARD_KEYS]
    return fits(offered.split(b" ")[:16], [b"v1," + base64.b64encode(digest) for digest in digests])


def is_genuine(headers, body):
    """Every signature that a request carries must be good, and one must be there."""
    checks = [is_weak] if "X-WEBHOOK-SIGNATURE" in headers else []
    if any(f"webhook-{part}" in headers for part in ("id", "timestamp", "signature")):
        checks.append(is_strong)
    return bool(checks) and all(check(headers, body) for check in checks)


def parse(body):
    """The envelope, or None. Unknown fields pass."""
    try:
        event = json.loads(body.decode(), parse_constant=int)  # NaN is no JSON, and int refuses it
        types = [type(each) for each in (event["timestamp"], event["data"]["id"], event["objectName"], event["type"])]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return event if types == [int, str, str, str] else None


def database():
    return closing(sqlite3.connect(os.path.join(DATA_DIR, "seen.sqlite"), timeout=5, isolation_level=None))


def once(key, work):
    """Claims the key, works, and only then marks it as done. When this process dies in between, the lease lapses."""
    with database() as seen:
        now, lease = time.time(), secrets.token_hex(16)
        seen.execute("delete from seen where until <= ?", [now])
        if seen.execute("insert or ignore into seen values (?, ?, ?)", [key, lease, now + LEASE]).rowcount == 0:
            done = seen.execute("select 1 from seen where key = ? and lease is null", [key]).fetchone()
            return (204, "") if done else (409, "it is being processed")
        try:
            work()
        except Exception:
            seen.execute("delete from seen where key = ? and lease = ?", [key, lease])
            raise
        seen.execute("update seen set lease = null, until = ? where key = ? and lease = ?", [now + KEEP, key, lease])
        return 204, ""


def receive(headers, body):
    if API_KEY and not fits([single(headers, API_KEY_HEADER)], [API_KEY]):
        return 401, "the API key is missing or wrong"
    if not is_genuine(headers, body):
        return 401, "the signature is missing or wrong"
    event = parse(body)
    if event is None:
        return 400, "the body is not a webhook envelope"
    handler = HANDLERS.get((event["objectName"], event["type"]))
    key = json.dumps([event["objectName"], event["data"]["id"], event["type"], event["timestamp"]])
    try:
        return once(key, lambda: handler(event, key)) if handler else (204, "")
    except Exception:
        traceback.print_exc()
        return 503, "it was not processed; send it again"


class Receiver(BaseHTTPRequestHandler):
    timeout = 15  # seconds without a byte

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch("[0-9]{1,15}", length):
            return self.answer(411, "a Content-Length is needed")
        body = self.rfile.read(min(int(length), MOST_BYTES))
        rest = int(length) - MOST_BYTES
        if rest <= 0:
            return self.answer(*receive(self.headers, body))
        while rest > 0 and self.rfile.read(min(rest, 65_536)):  # or the caller would not see the answer
            rest -= 65_536
        self.answer(413, "the body is larger than a webhook can be")

    def do_GET(self):
        self.answer(405, "webhooks are sent by POST")

    def answer(self, status, reason):
        self.send_response(status)
        if status == 409:
            self.send_header("Retry-After", "10")
        self.end_headers()
        self.wfile.write(reason.encode())


with database() as seen:
    seen.execute("create table if not exists seen (key text primary key, lease text, until real not null)")
server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
print(f"listening on http://127.0.0.1:{PORT}", flush=True)
server.serve_forever()
