"""Reads questions from standard input, a line each, and prints 1 for a genuine request and 0 for another.

A line is `form,time,keys,endpoints,body,header,…`: the bytes of a key, an id of an endpoint, a body or a header in hex,
keys and ids with a full stop between.
"""

import sys

from verify import is_ed25519_signed, is_github_signed, is_standard_signed, is_stripe_signed

for line in sys.stdin:
    form, now, keys, endpoints, body, *headers = line.strip().split(",")
    keys, endpoints = ([bytes.fromhex(each).decode() for each in texts.split(".")] for texts in (keys, endpoints))
    body, headers = bytes.fromhex(body), [bytes.fromhex(header).decode() for header in headers]
    if form == "github":
        print(int(is_github_signed(*headers, body, keys)))
    else:
        of = {"stripe": is_stripe_signed, "standard": is_standard_signed, "ed25519": is_ed25519_signed}
        receiver = [keys, endpoints] if form == "ed25519" else [keys]
        print(int(of[form](*headers, body, *receiver, int(now))))
