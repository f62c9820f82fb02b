<?php
/** A partner's webhook receiver. PHP 8.1 or later, no extension: under php-fpm as it is, or `php -S`; see README.md. */
declare(strict_types=1);

const API_KEY_HEADER = 'X-API-Key'; // as it is called in the endpoint's settings
const MOST_BYTES = 512 * 1024;
const TOLERANCE = 300; // seconds

/** Stands for your work. When it throws, the event is sent again. */
function record(array $event, string $key): void
{
    file_put_contents(dataDir() . '/events.jsonl', "$key\n", FILE_APPEND);
}

// By objectName and type. What has no handler is confirmed and dropped, types of the future included.
const HANDLERS = [
    'RequestPayment' => ['payed' => 'record', 'cancel' => 'record'],
    'RequestSecurityDeposit' => ['deposit_success' => 'record', 'cancel' => 'record'],
];

function dataDir(): string
{
    return getenv('DATA_DIR') ?: '.';
}

function answer(int $status, string $reason = ''): never
{
    http_response_code($status);
    header('Content-Type: text/plain');
    if ($status === 409) {
        header('Retry-After: 10');
    }
    exit($reason);
}

/** A header that comes twice is joined by a comma and a space, and so fits nothing. */
function headerOf(string $name): ?string
{
    return $_SERVER['HTTP_' . strtoupper(strtr($name, '-', '_'))] ?? null;
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

function isStrong(string $body, array $secrets): bool
{
    [$id, $at, $offered] = array_map(fn ($part) => headerOf("webhook-$part") ?? '', ['id', 'timestamp', 'signature']);
    $timely = preg_match('/^[1-9][0-9]{0,11}$/D', $at) && abs(time() - (int) $at) <= TOLERANCE;
    if ($id === '' || !$timely || str_contains($offered, ', ')) {
        return false;
    }
    $expected = [];
    foreach ($secrets as $secret) { // the key is what the Base64 of a secret stands for
        $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6)) : '';
        if ($key !== '') { // with an empty key anyone could sign
            $expected[] = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", $key, true));
        }
    }
    return fits(array_slice(explode(' ', $offered), 0, 16), $expected);
}

/** Every signature that a request carries must be good, and one must be there. */
function isGenuine(string $body, array $secrets): bool
{
    $weak = headerOf('X-WEBHOOK-SIGNATURE');
    $strong = headerOf('webhook-id') ?? headerOf('webhook-timestamp') ?? headerOf('webhook-signature');
    $digests = array_map(fn ($secret) => hash_hmac('sha1', $body, $secret), $secrets);
    return ($weak !== null || $strong !== null)
        && ($weak === null || fits([$weak], $digests))
        && ($strong === null || isStrong($body, $secrets));
}

/** Works unless it was done before. The lock of a process that dies is free again, and its file still empty. */
function once(string $key, callable $work): never
{
    $seen = dataDir() . '/seen'; // remove what is older than 35 days: find seen -type f -mtime +35 -delete
    is_dir($seen) || @mkdir($seen, 0o700, true);
    $file = fopen("$seen/" . hash('sha256', $key), 'c+');
    if (!flock($file, LOCK_EX | LOCK_NB)) {
        answer(409, 'it is being processed');
    }
    if (fread($file, 1) === '') {
        $work();
        fwrite($file, 'done');
        fsync($file);
    }
    answer(204);
}

set_error_handler(fn ($level, $message) => (error_reporting() & $level) && throw new ErrorException($message));

// While a secret is rotated, both are good.
$secrets = preg_split('/ +/', (string) getenv('WEBHOOK_SECRETS'), -1, PREG_SPLIT_NO_EMPTY);
if ($secrets === []) {
    error_log('WEBHOOK_SECRETS is not set: the webhook secret; two with a space between while it is rotated.');
    answer(500, 'the receiver is not configured');
}
if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    answer(405, 'webhooks are sent by POST');
}
$body = stream_get_contents(fopen('php://input', 'r'), MOST_BYTES + 1);
if (strlen($body) > MOST_BYTES) {
    answer(413, 'the body is larger than a webhook can be');
}
$apiKey = (string) getenv('WEBHOOK_API_KEY');
if ($apiKey !== '' && !hash_equals($apiKey, headerOf(API_KEY_HEADER) ?? '')) {
    answer(401, 'the API key is missing or wrong');
}
if (!isGenuine($body, $secrets)) {
    answer(401, 'the signature is missing or wrong');
}
// Unknown fields pass.
$event = json_decode($body, true);
[$objectName, $id] = [$event['objectName'] ?? null, $event['data']['id'] ?? null];
[$type, $timestamp] = [$event['type'] ?? null, $event['timestamp'] ?? null];
if (!is_string($objectName) || !is_string($id) || !is_string($type) || !is_int($timestamp)) {
    answer(400, 'the body is not a webhook envelope');
}
$handler = HANDLERS[$objectName][$type] ?? answer(204);
try {
    $key = json_encode([$objectName, $id, $type, $timestamp], JSON_THROW_ON_ERROR);
    once($key, fn () => $handler($event, $key));
} catch (Throwable $error) {
    error_log((string) $error);
    answer(503, 'it was not processed; send it again');
}
