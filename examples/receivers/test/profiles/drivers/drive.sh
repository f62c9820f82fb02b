# See drive.py. Usage: sh drive.sh verify.sh, in a folder for files of its own.
. "$1"

text_of() { printf '%b' "$(printf '%s' "$1" | sed 's/../\\x&/g')"; }

while IFS=, read -r form now keys body one two three; do
  text_of "$body" > body
  secrets=
  while [ -n "$keys" ]; do
    key=${keys%%.*}
    secrets="$secrets $(text_of "$key")"
    [ "$key" != "$keys" ] && keys=${keys#*.} || keys=
  done
  one=$(text_of "$one") two=$(text_of "$two") three=$(text_of "$three")
  case $form in
    github) is_github_signed "$one" body "$secrets" ;;
    stripe) is_stripe_signed "$one" body "$secrets" "$now" ;;
    standard) is_standard_signed "$one" "$two" "$three" body "$secrets" "$now" ;;
    ed25519) is_ed25519_signed "$one" "$two" "$three" body "$secrets" "$now" ;;
  esac && echo 1 || echo 0
done
