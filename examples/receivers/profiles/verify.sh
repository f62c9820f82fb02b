# Verifies signed webhooks: functions for a shell script. POSIX sh and openssl 3.
#
# A header that is missing is the empty text. A body is a file with the bytes as they arrived; a time is in seconds since
# 1970. Several secrets or public keys are separated by blanks. Each function returns 0 if one of them fits.
set -f
tolerance=300 # seconds

# X-Hub-Signature-256: sha256=…: the HMAC-SHA-256 of the body, in hex.
is_github_signed() { # signature, body, secrets
  fits=1
  for secret in $3; do
    expected=$(hmac sha256 "$secret" whole_text < "$2" | hex)
    [ -z "$expected" ] || ! same "$1" "sha256=$expected" || fits=0
  done
  return $fits
}

# Stripe-Signature: t=…,v1=…: the time, and the HMAC-SHA-256 of time and body, in hex.
is_stripe_signed() { # signature, body, secrets, now
  fits=1 at=${1#t=}
  at=${at%%,*}
  is_timely "$at" "$4" || return 1
  for secret in $3; do
    expected=$({ printf '%s.' "$at"; cat "$2"; } | hmac sha256 "$secret" whole_text | hex)
    [ -z "$expected" ] || ! same "$1" "t=$at,v1=$expected" || fits=0
  done
  return $fits
}

# Standard Webhooks: v1 in the list of signatures, the HMAC-SHA-256 of id, time and body, in Base64.
is_standard_signed() { # id, time, signatures, body, secrets, now
  is_addressed "$1" "$2" "$3" "$6" || return 1
  fits=1
  for secret in $5; do
    [ "$secret" != "${secret#whsec_}" ] || continue
    expected=$({ printf '%s.%s.' "$1" "$2"; cat "$4"; } | hmac sha256 "$secret" base64_part | openssl base64 -A)
    for offered in $(list "$3"); do
      [ -z "$expected" ] || ! same "$offered" "v1,$expected" || fits=0
    done
  done
  return $fits
}

# The same with v1a: signatures of Ed25519. A public key is the `x` of /.well-known/webhook-keys.json.
# One key signs for all partners: the id must end with the id of one of your endpoints.
is_ed25519_signed() { # id, time, signatures, body, public keys, endpoints, now
  ours=
  for endpoint in $6; do
    case $1 in *"_$endpoint") ours=1 ;; esac
  done
  [ -n "$ours" ] && is_addressed "$1" "$2" "$3" "$7" && folder=$(mktemp -d) || return 1
  fits=1
  { printf '%s.%s.' "$1" "$2"; cat "$4"; } > "$folder/message"
  for key in $5; do
    # The first 12 bytes are those of RFC 8410, in Base64 as the key.
    printf -- '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA%s=\n-----END PUBLIC KEY-----\n' \
      "$(printf '%s' "$key" | tr _- /+)" > "$folder/key"
    for offered in $(list "$3"); do
      # openssl ignores what is behind the 88 of Base64.
      [ "$offered" != "${offered#v1a,}" ] && [ ${#offered} = 92 ] || continue
      printf '%s' "${offered#v1a,}" | openssl base64 -d -A > "$folder/signature" 2> /dev/null
      openssl pkeyutl -verify -pubin -inkey "$folder/key" -rawin -in "$folder/message" -sigfile "$folder/signature" \
        > /dev/null 2>&1 && fits=0
    done
  done
  rm -r "$folder"
  return $fits
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
hex() { od -An -v -tx1 | tr -d ' \n'; }
list() { printf '%s' "$1" | cut -d ' ' -f 1-16; }

# What is compared are hashes behind something random: the time that it takes tells nothing of what was hashed. Should openssl
# fail, nothing is the same as anything.
same() { # offered, expected
  hash=$(salted "$1") && [ "$hash" = "$(salted "$2")" ]
}
salted() { printf '%s' "$salt$1" | openssl dgst -sha256 -r; }
salt=$(openssl rand -hex 16) || exit 1

is_timely() { # time, now
  case $1 in '' | 0?* | *[!0-9]* | ?????????????*) return 1 ;; esac
  age=$(($2 - $1))
  [ "${age#-}" -le "$tolerance" ]
}

# A server may join a header that comes twice with a comma; a list of signatures has blanks only.
is_addressed() { # id, time, signatures, now
  case $3 in *', '*) return 1 ;; esac
  [ -n "$1" ] && is_timely "$2" "$4"
}
