<?php

declare(strict_types=1);

require __DIR__ . '/../pazar.php';

$pazar = new Pazar\Client([
    'base_url' => 'https://licenses.example.com',
    'key' => 'pzr_vk_YOUR_VALIDATION_KEY',
    'items' => [1229],
    'keys' => ['CURRENT_KEY', 'NEXT_KEY'],
    'store' => new Pazar\FileStore(sys_get_temp_dir() . '/acme-slider.license'),
]);

// On page loads: never sends a request.
echo $pazar->cached('BUYERS-PURCHASE-CODE')->isActive() ? "The product runs.\n" : "Please activate the product.\n";

// In a cron job: sends a request if one is due.
$result = $pazar->check('BUYERS-PURCHASE-CODE');
echo $result->isActive() ? "The product runs.\n" : "Please activate the product: {$result->reason}\n";
