#!/usr/bin/env python3
"""Pulls a partner's events. Python 3.9 or later, standard library only; see README.md."""

import json
import os
import sqlite3
import sys
import time
import traceback
from contextlib import closing
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import urlsplit


def need(name, what):
    return os.environ.get(name, "").strip() or sys.exit(f"{name} is not set: {what}.")


API = urlsplit(need("PARTNER_API", "the address of the partner API, such as https://api.example/api/v1/partner"))
CLIENT_ID = need("CLIENT_ID", "the id of the API key")
CLIENT_SECRET = need("CLIENT_SECRET", "its secret")
ORGANISATION_ID = need("ORGANISATION_ID", "the id of the account")
ENDPOINT_ID = need("ENDPOINT_ID", "the id of the pull endpoint")
DATABASE = os.path.join(os.environ.get("DATA_DIR", "."), "pulled.sqlite")
EVENTS = f"/organisations/{ORGANISATION_ID}/webhooks/{ENDPOINT_ID}/events?wait=25"
TIMEOUT, LONGEST_PAUSE = 40, 60  # seconds; an answer comes after 25 at the latest
if API.scheme != "https" and API.hostname not in ("127.0.0.1", "localhost"):
    sys.exit("PARTNER_API must begin with https, because the secret is sent there.")
token = None


def call(method, path, headers, body=None):
    """Sends a request. Redirects are not followed: the secret and the token stay with the platform."""
    connection = (HTTPSConnection if API.scheme == "https" else HTTPConnection)(API.netloc, timeout=TIMEOUT)
    with closing(connection):
        connection.request(method, API.path.rstrip("/") + path, body, headers)
        response = connection.getresponse()
        return response.status, json.load(response)


def log_in():
    names = ("grant_type", "client_id", "client_secret", "scope")
    body = json.dumps(dict(zip(names, ("client_credentials", CLIENT_ID, CLIENT_SECRET, "USER"))))
    status, answer = call("POST", "/login", {"Content-Type": "application/json"}, body)
    return answer["access_token"] if status == 200 else refuse(status, answer)


def get(path):
    """Reads with the access token. A token that expired is replaced once."""
    global token
    for may_renew in (token is not None, False):
        token = token or log_in()
        status, answer = call("GET", path, {"Authorization": f"Bearer {token}"})
        if status == 401:
            token = None
        if status != 401 or not may_renew:
            return status, answer


def reason(status, answer):
    return f"{status} {answer.get('code', answer.get('error'))}: {answer.get('detail', answer.get('error_description'))}"


def refuse(status, answer):
    if status == 429 or status >= 500:
        raise RuntimeError(reason(status, answer))
    sys.exit(reason(status, answer))  # to repeat it would not help


def record(database, event):
    """Stands for your work. It writes to the database of the cursor. When it raises, the page is repeated."""
    database.execute("insert or ignore into events (id, body) values (?, ?)", [event["id"], event["body"]])


ADVANCE = "update cursors set cursor = ? where endpoint_id = ? and cursor = ?"


def take_page(database):
    [cursor] = database.execute("select cursor from cursors where endpoint_id = ?", [ENDPOINT_ID]).fetchone()
    status, answer = get(EVENTS + (f"&after={cursor}" if cursor else ""))  # waits for an event
    after = answer.get("next" if status == 200 else "resumeAfter") or refuse(status, answer)
    if status != 200:  # 410: events were deleted before they were read; 409: some come again
        print(reason(status, answer), file=sys.stderr)
    with database:  # one transaction
        if database.execute(ADVANCE, [after, ENDPOINT_ID, cursor]).rowcount == 1:
            for event in answer.get("items", []):
                record(database, event)


with closing(sqlite3.connect(DATABASE, timeout=60)) as database:
    with database:
        database.execute("create table if not exists cursors (endpoint_id text primary key, cursor text not null)")
        database.execute("create table if not exists events (place integer primary key, id text unique, body text)")
        database.execute("insert or ignore into cursors values (?, '')", [ENDPOINT_ID])
    pause = 1
    while True:
        try:
            take_page(database)
            pause = 1
        except Exception:
            traceback.print_exc()
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
