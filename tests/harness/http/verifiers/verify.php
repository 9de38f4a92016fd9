<?php
// Reads cases as JSON from standard input and prints which of them are valid. See ../verifiers.ts.

function digest(string $text): string
{
    return 'sha-256=:' . base64_encode(hash('sha256', $text, true)) . ':';
}

function isGood(array $case): bool
{
    $form = '/\Apazar=(\("@status" "unencoded-digest" "pazar-reason" "pazar-question"\);created=\d+;expires=(\d+)'
        . ';nonce="([\w-]+)";keyid="([\w-]+)";alg="ed25519";tag="([\w-]+)")\z/';
    if (!preg_match($form, $case['signature_input'], $found)) {
        return false;
    }
    if (!preg_match('#\Apazar=:([A-Za-z0-9+/]{86}==):\z#', $case['signature'], $signature)) {
        return false;
    }
    [, $parameters, $expires, $nonce, $keyId, $tag] = $found;
    if (!isset($case['keys'][$keyId]) || $nonce !== $case['nonce'] || $tag !== $case['tag']) {
        return false;
    }
    if ((int) $expires < $case['now']) {
        return false;
    }
    $base = implode("\n", [
        '"@status": ' . $case['status'],
        '"unencoded-digest": ' . digest($case['body']),
        '"pazar-reason": ' . $case['reason'],
        '"pazar-question": ' . digest($case['question']),
        '"@signature-params": ' . $parameters,
    ]);
    $key = base64_decode(strtr($case['keys'][$keyId], '-_', '+/'));
    return sodium_crypto_sign_verify_detached(base64_decode($signature[1]), $base, $key);
}

echo json_encode(array_map('isGood', json_decode(stream_get_contents(STDIN), true)));
