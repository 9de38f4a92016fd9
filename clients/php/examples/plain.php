<?php

declare(strict_types=1);

require __DIR__ . '/../pazar.php';

$pazar = new Pazar\Client([
    'base_url' => 'https://licences.example.com',
    'key' => 'pzr_vk_YOUR_VALIDATION_KEY',
    'items' => [1229],
    'keys' => ['CURRENT_KEY', 'NEXT_KEY'],
    'store' => new Pazar\FileStore(sys_get_temp_dir() . '/acme-slider.licence'),
]);

// On a page: what is known, without a request.
$outcome = $pazar->cached('BUYERS-PURCHASE-CODE');
echo 'This page loads with the state ', $outcome->state, ".\n";

// In a cron job: asks when a question is due.
$outcome = $pazar->check('BUYERS-PURCHASE-CODE');
if ($outcome->isValid()) {
    echo 'Licensed: ', $outcome->purchase['item']['name'], "\n";
} elseif ($outcome->isInvalid()) {
    echo 'Not licensed: ', $outcome->reason, "\n";
} else {
    echo 'Not known yet: ', $outcome->reason, "\n";
}
