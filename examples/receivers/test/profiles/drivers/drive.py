"""Reads questions from standard input, a line each, and prints 1 for a genuine request and 0 for another.

A line is `form,time,keys,body,header,…`: the bytes of a key, a body or a header in hex, keys with a full stop between.
"""

import sys

from verify import is_ed25519_signed, is_github_signed, is_standard_signed, is_stripe_signed

for line in sys.stdin:
    form, now, keys, body, *headers = line.strip().split(",")
    keys = [bytes.fromhex(key).decode() for key in keys.split(".")]
    body, headers = bytes.fromhex(body), [bytes.fromhex(header).decode() for header in headers]
    if form == "github":
        print(int(is_github_signed(*headers, body, keys)))
    else:
        of = {"stripe": is_stripe_signed, "standard": is_standard_signed, "ed25519": is_ed25519_signed}
        print(int(of[form](*headers, body, keys, int(now))))
