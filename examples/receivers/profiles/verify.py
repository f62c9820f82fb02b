"""Verifies signed webhooks. Python 3.9 or later, standard library only; Ed25519 needs the package cryptography.

A header that is missing is the empty text. A body is the bytes as they arrived; a time is in seconds since 1970.
"""

import base64
import hmac
import re

TOLERANCE = 5 * 60  # seconds


def is_github_signed(signature, body, secrets):
    """`X-Hub-Signature-256: sha256=…`: the HMAC-SHA-256 of the body, in hex."""
    return fits([signature], ["sha256=" + digest(secret.encode(), body).hex() for secret in secrets])


def is_stripe_signed(signature, body, secrets, now):
    """`Stripe-Signature: t=…,v1=…`: the time, and the HMAC-SHA-256 of time and body, in hex."""
    at = signature[2:].partition(",")[0]
    message = at.encode() + b"." + body
    expected = [f"t={at},v1={digest(secret.encode(), message).hex()}" for secret in secrets]
    return is_timely(at, now) and fits([signature], expected)


def is_standard_signed(message_id, at, signatures, body, secrets, now):
    """Standard Webhooks: `v1` in the list of signatures, the HMAC-SHA-256 of id, time and body, in Base64."""
    keys = [base64.b64decode(secret[6:]) for secret in secrets if secret.startswith("whsec_")]
    message = f"{message_id}.{at}.".encode() + body
    # With an empty key anyone could sign.
    expected = ["v1," + base64.b64encode(digest(key, message)).decode() for key in keys if key]
    return is_addressed(message_id, at, signatures, now) and fits(signatures.split(" ")[:16], expected)


def is_ed25519_signed(message_id, at, signatures, body, public_keys, endpoints, now):
    """The same with `v1a`: signatures of Ed25519. A public key is the `x` of /.well-known/webhook-keys.json.

    One key signs for all partners: the id must end with the id of one of your endpoints.
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    is_ours = any(message_id.endswith("_" + endpoint) for endpoint in endpoints)
    if not is_ours or not is_addressed(message_id, at, signatures, now):
        return False
    for key in public_keys:
        public = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(key + "="))
        for offered in signatures.split(" ")[:16]:
            try:
                public.verify(base64.b64decode(offered[4:], validate=True), f"{message_id}.{at}.".encode() + body)
                if offered.startswith("v1a,"):
                    return True
            except (InvalidSignature, ValueError):
                pass
    return False


def digest(key, message):
    return hmac.digest(key, message, "sha256")


def fits(offered, expected):
    """Whether one of several fits; all are compared, in constant time."""
    return any([hmac.compare_digest(one.encode(), other.encode()) for one in offered for other in expected])


def is_timely(at, now):
    return bool(re.fullmatch("0|[1-9][0-9]{0,11}", at)) and abs(int(at) - now) <= TOLERANCE


def is_addressed(message_id, at, signatures, now):
    """A server may join a header that comes twice with a comma; a list of signatures has blanks only."""
    return message_id != "" and ", " not in signatures and is_timely(at, now)
