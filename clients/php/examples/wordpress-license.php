<?php

// License options for the plugin and its uninstall.php.

declare(strict_types=1);

return [
    'name' => 'acme_slider',
    'title' => 'Acme Slider',
    'base_url' => 'https://licenses.example.com',
    'key' => 'pzr_vk_YOUR_VALIDATION_KEY',
    'items' => [1229],
    'keys' => ['CURRENT_KEY', 'NEXT_KEY'],
];
