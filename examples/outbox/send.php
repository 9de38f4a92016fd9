<?php
declare(strict_types=1);

/** The worker. Run it every minute with cron, or in a loop with a supervisor. */
require __DIR__ . '/PazarOutbox.php';

/** Allows one worker at a time: two would send records out of order. */
$lock = fopen(getenv('OUTBOX_LOCK') ?: sys_get_temp_dir() . '/pazar-outbox.lock', 'c');
if ($lock === false || !flock($lock, LOCK_EX | LOCK_NB)) {
    fwrite(STDERR, "another worker is running\n");
    exit(0);
}
$db = new PDO((string) getenv('OUTBOX_DSN'), getenv('OUTBOX_USER') ?: null, getenv('OUTBOX_PASSWORD') ?: null);
$url = rtrim((string) getenv('PAZAR_URL'), '/') . '/operator/feed';
try {
    $rejected = (new PazarOutbox($db, $url, (string) getenv('PAZAR_OPERATOR_TOKEN')))->send();
} catch (PazarOutboxStopped $stopped) {
    fwrite(STDERR, $stopped->getMessage() . "\n");
    exit(2);
}
if ($rejected > 0) {
    fwrite(STDERR, "{$rejected} records were rejected; see the column refused of pazar_outbox\n");
    exit(1);
}
