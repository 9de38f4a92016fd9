<?php

declare(strict_types=1);

// All at once, so that classes of two copies never mix, even if a plugin is updated while a page loads.
require __DIR__ . '/outcome.php';
require __DIR__ . '/options.php';
require __DIR__ . '/http.php';
require __DIR__ . '/stores.php';
require __DIR__ . '/signed-answer.php';
require __DIR__ . '/record.php';
require __DIR__ . '/server.php';
require __DIR__ . '/client.php';
require __DIR__ . '/wordpress-texts.php';
require __DIR__ . '/wordpress-settings.php';
require __DIR__ . '/wordpress.php';
