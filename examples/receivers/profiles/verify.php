<?php
/**
 * Verifies signed webhooks. PHP 8.1 or later; Ed25519 needs the extension sodium, which comes with PHP.
 *
 * A header that is missing is the empty text. A body is the bytes as they arrived (`php://input`); a time is in seconds
 * since 1970.
 */
declare(strict_types=1);

const TOLERANCE = 300; // seconds

/** `X-Hub-Signature-256: sha256=…`: the HMAC-SHA-256 of the body, in hex. */
function isGithubSigned(string $signature, string $body, array $secrets): bool
{
    return fits([$signature], array_map(fn ($secret) => 'sha256=' . hash_hmac('sha256', $body, $secret), $secrets));
}

/** `Stripe-Signature: t=…,v1=…`: the time, and the HMAC-SHA-256 of time and body, in hex. */
function isStripeSigned(string $signature, string $body, array $secrets, int $now): bool
{
    $at = explode(',', substr($signature, 2))[0];
    $expected = array_map(fn ($secret) => "t=$at,v1=" . hash_hmac('sha256', "$at.$body", $secret), $secrets);
    return isTimely($at, $now) && fits([$signature], $expected);
}

/** Standard Webhooks: `v1` in the list of signatures, the HMAC-SHA-256 of id, time and body, in Base64. */
function isStandardSigned(string $id, string $at, string $signatures, string $body, array $secrets, int $now): bool
{
    $expected = [];
    foreach ($secrets as $secret) {
        $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6)) : '';
        if ($key !== '') { // with an empty key anyone could sign
            $expected[] = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", $key, true));
        }
    }
    return isAddressed($id, $at, $signatures, $now) && fits(listOf($signatures), $expected);
}

/**
 * The same with `v1a`: signatures of Ed25519. A public key is the `x` of /.well-known/webhook-keys.json.
 * One key signs for all partners: the id must end with the id of one of your endpoints.
 */
function isEd25519Signed(
    string $id, string $at, string $signatures, string $body, array $publicKeys, array $endpoints, int $now
): bool {
    $isOurs = array_filter($endpoints, fn ($endpoint) => str_ends_with($id, "_$endpoint")) !== [];
    if (!$isOurs || !isAddressed($id, $at, $signatures, $now)) {
        return false;
    }
    foreach (listOf($signatures) as $offered) {
        $isWhole = str_starts_with($offered, 'v1a,') && strlen($offered) === 92; // 88 of Base64
        $signature = $isWhole ? (string) base64_decode(substr($offered, 4), true) : '';
        foreach ($publicKeys as $key) {
            $public = sodium_base642bin($key, SODIUM_BASE64_VARIANT_URLSAFE_NO_PADDING);
            if (strlen($signature) === 64 && sodium_crypto_sign_verify_detached($signature, "$id.$at.$body", $public)) {
                return true;
            }
        }
    }
    return false;
}

/** Whether one of several fits; all are compared, in constant time. */
function fits(array $offered, array $expected): bool
{
    $fits = false;
    foreach ($offered as $one) {
        foreach ($expected as $other) {
            $fits = hash_equals($other, $one) || $fits;
        }
    }
    return $fits;
}

function listOf(string $signatures): array
{
    return array_slice(explode(' ', $signatures), 0, 16);
}

function isTimely(string $at, int $now): bool
{
    return preg_match('/^(0|[1-9][0-9]{0,11})$/D', $at) === 1 && abs((int) $at - $now) <= TOLERANCE;
}

/** A server may join a header that comes twice with a comma; a list of signatures has blanks only. */
function isAddressed(string $id, string $at, string $signatures, int $now): bool
{
    return $id !== '' && !str_contains($signatures, ', ') && isTimely($at, $now);
}
