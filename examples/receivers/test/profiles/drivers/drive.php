<?php
// See drive.py.
declare(strict_types=1);
require $argv[1];

while (($line = fgets(STDIN)) !== false) {
    [$form, $now, $keys, $endpoints, $body, $headers] = explode(',', trim($line), 6);
    [$keys, $endpoints] = array_map(fn ($texts) => array_map('hex2bin', explode('.', $texts)), [$keys, $endpoints]);
    $given = [...array_map('hex2bin', explode(',', $headers)), hex2bin($body), $keys];
    echo (int) match ($form) {
        'github' => isGithubSigned(...$given),
        'stripe' => isStripeSigned(...$given, now: (int) $now),
        'standard' => isStandardSigned(...$given, now: (int) $now),
        'ed25519' => isEd25519Signed(...$given, endpoints: $endpoints, now: (int) $now),
    }, "\n";
}
