# See drive.py. Usage: sh drive.sh verify.sh, in a folder for files of its own.
. "$1"

text_of() { printf '%b' "$(printf '%s' "$1" | sed 's/../\\x&/g')"; }

texts_of() { # parts in hex with a full stop between
  texts='' left=$1
  while [ -n "$left" ]; do
    part=${left%%.*}
    texts="$texts $(text_of "$part")"
    [ "$part" != "$left" ] && left=${left#*.} || left=
  done
  printf '%s' "$texts"
}

while IFS=, read -r form now keys endpoints body one two three; do
  text_of "$body" > body
  secrets=$(texts_of "$keys") endpoints=$(texts_of "$endpoints")
  one=$(text_of "$one") two=$(text_of "$two") three=$(text_of "$three")
  case $form in
    github) is_github_signed "$one" body "$secrets" ;;
    stripe) is_stripe_signed "$one" body "$secrets" "$now" ;;
    standard) is_standard_signed "$one" "$two" "$three" body "$secrets" "$now" ;;
    ed25519) is_ed25519_signed "$one" "$two" "$three" body "$secrets" "$endpoints" "$now" ;;
  esac && echo 1 || echo 0
done
