<?php

declare(strict_types=1);

/** True if a signature matches and the message is at most five minutes old. */
function is_genuine(string $secret, string $id, string $timestamp, string $signatures, string $body): bool
{
    $key = base64_decode(substr($secret, strlen('whsec_')));
    if ($key === '' || preg_match('/^\d+$/D', $timestamp) !== 1 || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

$body = (string) file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$signatures = $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '';
if (!is_genuine((string) getenv('WEBHOOK_SECRET'), $id, $timestamp, $signatures, $body)) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
// Pazar may deliver a message twice: store its id and ignore duplicates.
error_log("$id {$event['type']}");
http_response_code(204);
