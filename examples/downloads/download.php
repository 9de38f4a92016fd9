<?php

declare(strict_types=1);

/*
 * Sends a file to buyers whom Pazar has redirected here. `download_url` of the item is the URL of this script:
 * https://shop.example.com/download.php?file=theme.zip
 */

/** True if Pazar signed the URL and it has not expired. */
function is_signed(string $secret, string $url, int $now): bool
{
    if (preg_match('/^(.*[?&]expires=(\d{1,12}))&signature=([A-Za-z0-9_-]{43})$/D', $url, $parts) !== 1) {
        return false;
    }
    [, $signed, $expires, $signature] = $parts;
    $expected = rtrim(strtr(base64_encode(hash_hmac('sha256', $signed, $secret, true)), '+/', '-_'), '=');
    return $secret !== '' && (int) $expires > $now && hash_equals($expected, $signature);
}

// The origin of `download_url`, not the Host header, which the visitor chooses.
$url = getenv('SHOP_ORIGIN') . ($_SERVER['REQUEST_URI'] ?? '');
if (!is_signed((string) getenv('PAZAR_DOWNLOAD_SECRET'), $url, time())) {
    http_response_code(403);
    exit;
}
$path = getenv('SHOP_FILES') . '/' . basename((string) ($_GET['file'] ?? ''));
if (!is_file($path)) {
    http_response_code(404);
    exit;
}
header('Content-Type: application/zip');
header('Content-Length: ' . filesize($path));
header('Cache-Control: no-store');
readfile($path);
