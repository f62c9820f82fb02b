<?php
// See drive.py.
declare(strict_types=1);
require $argv[1];

while (($line = fgets(STDIN)) !== false) {
    [$form, $now, $keys, $body, $headers] = explode(',', trim($line), 5);
    $keys = array_map('hex2bin', explode('.', $keys));
    $given = [...array_map('hex2bin', explode(',', $headers)), hex2bin($body), $keys];
    echo (int) match ($form) {
        'github' => isGithubSigned(...$given),
        'stripe' => isStripeSigned(...$given, now: (int) $now),
        'standard' => isStandardSigned(...$given, now: (int) $now),
        'ed25519' => isEd25519Signed(...$given, now: (int) $now),
    }, "\n";
}
