<?php

// The plugin's uninstall.php, which WordPress runs when the plugin is deleted.

declare(strict_types=1);

if (!defined('WP_UNINSTALL_PLUGIN')) {
    exit;
}

require_once __DIR__ . '/../pazar.php';

Pazar\WordPress::uninstall(require __DIR__ . '/wordpress-license.php');
