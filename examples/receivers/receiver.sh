#!/bin/sh
# A partner's webhook receiver: a CGI script (RFC 3875) for any web server. POSIX sh, openssl and sqlite3; see README.md.
set -uf
umask 077
export LC_ALL=C

most_bytes=524288
tolerance=300 lease=60 keep=3024000 # seconds; a lease is longer than any handler takes
data=${DATA_DIR:-.}
again='it was not processed; send it again'

# Stands for your work, with the key of the event; its body is in the file $body. When it fails, the event is sent again.
record() { printf '%s\n' "$1" >> "$data/events.jsonl"; }

# By objectName and type. What has no handler is confirmed and dropped, types of the future included.
handler_of() {
  case $1 in
    '["RequestPayment","payed"]' | '["RequestPayment","cancel"]') echo record ;;
    '["RequestSecurityDeposit","deposit_success"]' | '["RequestSecurityDeposit","cancel"]') echo record ;;
  esac
}

answer() { # status, reason
  printf 'Status: %s\r\nContent-Type: text/plain\r\n' "$1"
  [ "${1%% *}" != 409 ] || printf 'Retry-After: 10\r\n'
  printf '\r\n%s' "${2-}"
  exit 0
}

# HMAC (RFC 2104) of the input, out of plain hashes: `openssl dgst -hmac` would show the secret to whoever lists the processes.
hmac() { # algorithm, secret, what makes a key of it
  algorithm=$1 secret=$2 key_of=$3
  set -- $("$key_of" "$secret" | bytes)
  [ $# -gt 0 ] || return 1 # with an empty key anyone could sign
  [ $# -le 64 ] || set -- $("$key_of" "$secret" | openssl dgst "-$algorithm" -binary | bytes)
  { pad 54 "$@"; cat; } | openssl dgst "-$algorithm" -binary | { pad 92 "$@"; cat; } | openssl dgst "-$algorithm" -binary
}
bytes() { od -An -v -tu1; }
whole_text() { printf '%s' "$1"; }
base64_part() { printf '%s' "${1#whsec_}" | openssl base64 -d -A; }
pad() { # a number, then bytes: a block of the bytes and zeros, each xor the number
  with=$1 block='' left=64
  shift
  while [ "$left" -gt 0 ]; do
    octet=$((${1:-0} ^ with)) left=$((left - 1))
    block="$block\\0$((octet / 64))$((octet / 8 % 8))$((octet % 8))"
    [ $# -eq 0 ] || shift
  done
  printf '%b' "$block"
}

# What is compared are hashes behind something random: the time that it takes tells nothing of what was hashed. Should openssl
# fail, nothing is the same as anything.
same() { # offered, expected
  hash=$(salted "$1") && [ "$hash" = "$(salted "$2")" ]
}
salted() { printf '%s' "$salt$1" | openssl dgst -sha256 -r; }

is_weak() {
  fits=1
  for secret in $WEBHOOK_SECRETS; do
    expected=$(hmac sha1 "$secret" whole_text < "$body" | od -An -v -tx1 | tr -d ' \n')
    [ -z "$expected" ] || ! same "$HTTP_X_WEBHOOK_SIGNATURE" "$expected" || fits=0
  done
  return $fits
}

is_strong() {
  fits=1 id=${HTTP_WEBHOOK_ID-} at=${HTTP_WEBHOOK_TIMESTAMP-}
  case $at in '' | 0* | *[!0-9]* | ?????????????*) return 1 ;; esac
  case ${HTTP_WEBHOOK_SIGNATURE-} in *', '*) return 1 ;; esac # a header that comes twice is joined
  age=$(($(date +%s) - at))
  [ -n "$id" ] && [ "${age#-}" -le "$tolerance" ] || return 1
  for secret in $WEBHOOK_SECRETS; do
    [ "$secret" != "${secret#whsec_}" ] || continue
    expected=$({ printf '%s' "$id.$at."; cat "$body"; } | hmac sha256 "$secret" base64_part | openssl base64 -A)
    for offered in $(printf '%s' "${HTTP_WEBHOOK_SIGNATURE-}" | cut -d ' ' -f 1-16); do
      [ -z "$expected" ] || ! same "$offered" "v1,$expected" || fits=0
    done
  done
  return $fits
}

# Every signature that a request carries must be good, and one must be there.
is_genuine() {
  weak=${HTTP_X_WEBHOOK_SIGNATURE+there}
  strong=${HTTP_WEBHOOK_ID+there}${HTTP_WEBHOOK_TIMESTAMP+there}${HTTP_WEBHOOK_SIGNATURE+there}
  [ -n "$weak$strong" ] && { [ -z "$weak" ] || is_weak; } && { [ -z "$strong" ] || is_strong; }
}

# Two lines: objectName and type, and the key. Nothing when the body is no envelope. Unknown fields pass.
parse() {
  iconv -f UTF-8 -t UTF-8 "$body" > /dev/null 2>&1 || return 0
  sqlite3 -batch -bail :memory: << SQL
    select case when json_valid(e) then case
      when json_type(e, '\$.timestamp') = 'integer' and json_type(e, '\$.data.id') = 'text'
        and json_type(e, '\$.objectName') = 'text' and json_type(e, '\$.type') = 'text'
      then json_array(json_extract(e, '\$.objectName'), json_extract(e, '\$.type')) || char(10) || json_array(json_extract(e,
        '\$.objectName'), json_extract(e, '\$.data.id'), json_extract(e, '\$.type'), json_extract(e, '\$.timestamp')) end end
    from (select cast(readfile('$body') as text) as e);
SQL
}

# Claims the key, works, and only then marks it as done. When this process dies in between, the lease lapses.
once() { # handler, key
  now=$(date +%s) quoted=$(printf '%s' "$2" | sed "s/'/''/g")
  claim=$(seen "delete from seen where until <= $now;
    insert or ignore into seen values ('$quoted', '$salt', $now + $lease);
    select case lease when '$salt' then 'mine' else coalesce(lease, 'done') end from seen where key = '$quoted';")
  case $claim in
    mine) ;;
    done) answer '204 No Content' ;;
    '') answer '503 Service Unavailable' "$again" ;;
    *) answer '409 Conflict' 'it is being processed' ;;
  esac
  if "$1" "$2"; then
    seen "update seen set lease = null, until = $now + $keep where key = '$quoted' and lease = '$salt';"
    answer '204 No Content'
  fi
  seen "delete from seen where key = '$quoted' and lease = '$salt';"
  answer '503 Service Unavailable' "$again"
}
seen() {
  sqlite3 -batch -bail "$data/seen.sqlite" << SQL
.timeout 5000
create table if not exists seen (key text primary key, lease text, until integer not null);
$1
SQL
}

if [ -z "${WEBHOOK_SECRETS-}" ]; then
  echo 'WEBHOOK_SECRETS is not set: the webhook secret; two with a space between while it is rotated.' >&2
  answer '500 Internal Server Error' 'the receiver is not configured'
fi
[ "$REQUEST_METHOD" = POST ] || answer '405 Method Not Allowed' 'webhooks are sent by POST'
length=${CONTENT_LENGTH:-0}
case $length in
  *[!0-9]*) answer '400 Bad Request' 'the Content-Length is no number' ;;
  ???????*) too_large=yes ;;
esac
if [ -n "${too_large-}" ] || [ "$length" -gt "$most_bytes" ]; then
  head -c "$length" > /dev/null # or the caller would not see the answer
  answer '413 Content Too Large' 'the body is larger than a webhook can be'
fi
salt=$(openssl rand -hex 16) && body=$(mktemp) || answer '503 Service Unavailable' "$again"
trap 'rm -f "$body"' EXIT
head -c "$length" > "$body"
# X-API-Key, or as the header is called in the endpoint's settings, in the spelling of CGI.
[ -z "${WEBHOOK_API_KEY-}" ] || same "${HTTP_X_API_KEY-}" "$WEBHOOK_API_KEY" ||
  answer '401 Unauthorized' 'the API key is missing or wrong'
is_genuine || answer '401 Unauthorized' 'the signature is missing or wrong'
parsed=$(parse) || answer '503 Service Unavailable' "$again"
[ -n "$parsed" ] || answer '400 Bad Request' 'the body is not a webhook envelope'
handler=$(handler_of "${parsed%%
*}")
[ -n "$handler" ] || answer '204 No Content'
once "$handler" "${parsed#*
}"
