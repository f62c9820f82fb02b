#!/bin/sh
# Pulls a partner's events. POSIX sh, curl and sqlite3; see README.md.
set -uf
umask 077
export LC_ALL=C

for name in PARTNER_API CLIENT_ID CLIENT_SECRET ORGANISATION_ID ENDPOINT_ID; do
  eval "value=\${$name-}"
  [ -n "$value" ] || { echo "$name is not set; see README.md." >&2; exit 1; }
  case $value in *[!A-Za-z0-9_:/.-]*) echo "$name has a character that no address, id or secret has." >&2; exit 1 ;; esac
done
case $PARTNER_API in
  https://* | http://127.0.0.1* | http://localhost*) ;;
  *) echo 'PARTNER_API must begin with https, because the secret is sent there.' >&2; exit 1 ;;
esac
timeout=40 longest_pause=60 # seconds; an answer comes after 25 at the latest
token=''

# Stands for your work: statements over `pulled`, the events of the page. When one fails, the page is repeated.
record='insert or ignore into events (id, body) select id, body from pulled order by place;'

database() {
  sqlite3 -batch -bail "${DATA_DIR:-.}/pulled.sqlite" << SQL
.timeout 60000
$1
SQL
}
field() { # name; of the answer
  sqlite3 -batch :memory: "select json_extract(cast(readfile('$answer') as text), '\$.$1')"
}
reason() { echo "$status $(field code)$(field error): $(field detail)$(field error_description)" >&2; }

# What is secret comes through standard input: arguments are shown in the list of processes. Redirects are not followed.
call() { # path, further arguments; the answer is in $answer, its status in $status
  path=$1
  shift
  status=$(curl -sS --max-time "$timeout" -o "$answer" -w '%{http_code}' "$@" "${PARTNER_API%/}$path")
}
log_in() {
  call /login -H 'Content-Type: application/json' --data-binary @- << BODY || return
{"grant_type":"client_credentials","client_id":"$CLIENT_ID","client_secret":"$CLIENT_SECRET","scope":"USER"}
BODY
  [ "$status" = 200 ] || refuse || return
  token=$(field access_token)
}
get() { # path. A token that expired is replaced once.
  [ -n "$token" ] || log_in || return
  call "$1" -H @- << HEADER || return
Authorization: Bearer $token
HEADER
  [ "$status" = 401 ] || return 0
  log_in && call "$1" -H @- << HEADER
Authorization: Bearer $token
HEADER
}
refuse() {
  reason
  case $status in 429 | 5??) return 1 ;; esac
  exit 1 # to repeat it would not help
}

take_page() {
  cursor=$(database "select cursor from cursors where endpoint_id = '$ENDPOINT_ID'") || return
  get "/organisations/$ORGANISATION_ID/webhooks/$ENDPOINT_ID/events?wait=25${cursor:+&after=$cursor}" || return # waits
  case $status in 200) after=$(field next) ;; *) after=$(field resumeAfter) ;; esac
  case $after in '' | *[!A-Za-z0-9_.-]*) refuse || return ;; esac
  [ "$status" = 200 ] || reason # 410: events were deleted unread; 409: some come again
  database "
    create temp table pulled as select key as place, json_extract(value, '\$.id') as id, json_extract(value, '\$.body') as body
      from json_each(cast(readfile('$answer') as text), '\$.items');
    begin immediate;
    update cursors set cursor = '$after' where endpoint_id = '$ENDPOINT_ID' and cursor = '$cursor';
    delete from pulled where changes() = 0;
    $record
    commit;"
}

answer=$(mktemp) || exit 1
trap 'rm -f "$answer"' EXIT
trap 'exit 143' INT TERM
database "
  create table if not exists cursors (endpoint_id text primary key, cursor text not null);
  create table if not exists events (place integer primary key, id text unique, body text);
  insert or ignore into cursors values ('$ENDPOINT_ID', '');" || exit 1
pause=1
while :; do
  if take_page; then
    pause=1
  else
    sleep "$pause"
    pause=$((pause * 2 < longest_pause ? pause * 2 : longest_pause))
  fi
done
