<?php
// Purchase validation as a plain script, on the same SQLite file.
declare(strict_types=1);

function respond(int $status, string $body): never
{
    http_response_code($status);
    header('Content-Type: application/json; charset=utf-8');
    header('Cache-Control: no-store');
    header('Content-Length: ' . strlen($body));
    echo $body;
    exit;
}

$parameters = json_decode((string) file_get_contents('php://input'), true) ?: $_POST;
$key = trim((string) ($parameters['api_key'] ?? ''));
$code = trim((string) ($parameters['purchase_code'] ?? ''));
if ($code === '' || strlen($code) > 255) {
    respond(400, '{"status":"error","msg":"Invalid purchase code"}');
}

$db = new PDO('sqlite:' . getenv('DATABASE'), options: [
    PDO::ATTR_PERSISTENT => true,
    PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
]);

$find = $db->prepare('SELECT account_id, expires_at, revoked_at FROM api_keys WHERE lookup = ?');
$find->bindValue(1, hash_hmac('sha256', $key, (string) hex2bin((string) getenv('LOOK_UP_KEY')), true), PDO::PARAM_LOB);
$find->execute();
$owner = $find->fetch(PDO::FETCH_ASSOC);
if ($owner === false || $owner['revoked_at'] !== null
    || ($owner['expires_at'] !== null && $owner['expires_at'] <= gmdate('Y-m-d\TH:i:s\Z'))) {
    respond(401, '{"status":"error","msg":"Invalid purchase code"}');
}

$find = $db->prepare(
    'SELECT p.before_item, i.body, p.after_item, p.revoked FROM purchases p CROSS JOIN items i ON i.id = p.item_id
     WHERE p.folded = ? AND i.account_id = ?'
);
$find->execute([strtolower($code), $owner['account_id']]);
$purchase = $find->fetch(PDO::FETCH_ASSOC);
if ($purchase === false || (int) $purchase['revoked'] === 1) {
    respond(404, '{"status":"error","msg":"Invalid purchase code"}');
}
respond(200, '{"status":"success","data":{"purchase":' . $purchase['before_item'] . $purchase['body'] . $purchase['after_item'] . '}}');
