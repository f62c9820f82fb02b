#!/bin/sh
# Makes socat a small CGI server, to try receiver.sh with: your web server does this better. POSIX sh and socat; see README.md.
set -uf
if [ -z "${SOCAT_PID-}" ]; then
  : "${WEBHOOK_SECRETS:?the webhook secret; two with a space between while it is rotated}"
  exec socat -d -d -T 15 "TCP-LISTEN:${PORT:?the port to listen on},bind=127.0.0.1,reuseaddr,fork,max-children=50" EXEC:"sh $0"
fi

# From here on this is one connection: standard input and output are the socket.
export LC_ALL=C
carriage_return=$(printf '\r')
read -r REQUEST_METHOD _
export REQUEST_METHOD
while read -r line && line=${line%"$carriage_return"} && [ -n "$line" ]; do
  name=$(printf '%s' "${line%%:*}" | tr a-z- A-Z_)
  value=${line#*:}
  value=${value#"${value%%[! ]*}"}
  case $name in
    CONTENT_LENGTH) export CONTENT_LENGTH="$value" ;;
    '' | *[!A-Z0-9_]*) ;;
    *) eval "export HTTP_$name=\"\${HTTP_$name+\$HTTP_$name, }\$value\"" ;; # one that comes twice is joined
  esac
done
sh receiver.sh | {
  read -r status
  printf 'HTTP/1.1 %s\nConnection: close\r\n' "${status#Status: }"
  cat
}
