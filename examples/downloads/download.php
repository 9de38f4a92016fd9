<?php

declare(strict_types=1);

/*
 * Sends a file to buyers whom Pazar has redirected here. `download_url` of item 1229 is the URL of this script:
 * https://shop.example.com/download.php?file=theme.zip sends the file 1229/theme.zip in SHOP_FILES.
 */

/** The id of the item, or null unless Pazar signed the URL and it has not expired. */
function signed_item(string $secret, string $url, int $now): ?string
{
    $form = '/^(.*[?&]pazar_item=(\d+)&expires=(\d{1,12}))&signature=([A-Za-z0-9_-]{43})$/D';
    if (preg_match($form, $url, $parts) !== 1) {
        return null;
    }
    [, $signed, $item, $expires, $signature] = $parts;
    $expected = rtrim(strtr(base64_encode(hash_hmac('sha256', $signed, $secret, true)), '+/', '-_'), '=');
    return $secret !== '' && (int) $expires > $now && hash_equals($expected, $signature) ? $item : null;
}

// The origin of `download_url`, not the Host header, which the visitor chooses.
$url = getenv('SHOP_ORIGIN') . ($_SERVER['REQUEST_URI'] ?? '');
$item = signed_item((string) getenv('PAZAR_DOWNLOAD_SECRET'), $url, time());
if ($item === null) {
    http_response_code(403);
    exit;
}
// A folder for each item: nobody gets the file of another item by its name.
$path = getenv('SHOP_FILES') . "/$item/" . basename((string) ($_GET['file'] ?? ''));
if (!is_file($path)) {
    http_response_code(404);
    exit;
}
header('Content-Type: application/zip');
header('Content-Length: ' . filesize($path));
header('Cache-Control: no-store');
readfile($path);
