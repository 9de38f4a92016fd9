<?php

/**
 * Plugin Name: Acme Slider
 */

declare(strict_types=1);

require_once __DIR__ . '/../pazar.php';

$acmeLicence = PazarWordPress::boot([
    'name' => 'acme_slider',
    'title' => 'Acme Slider',
    'file' => __FILE__,
    'base_url' => 'https://licences.example.com',
    'key' => 'pzr_vk_YOUR_VALIDATION_KEY',
    'items' => [1229],
    'keys' => ['CURRENT_KEY', 'NEXT_KEY'],
]);

add_action('init', static function () use ($acmeLicence): void {
    if ($acmeLicence->isValid()) {
        add_action('wp_footer', static function (): void {
            echo '<div class="acme-slider"></div>';
        });
    }
});

add_action('pazar_checked', static function (PazarOutcome $outcome, string $name): void {
    if ($name === 'acme_slider' && $outcome->isUnknown()) {
        error_log("Acme Slider: the licence could not be checked: {$outcome->reason}");
    }
}, 10, 2);
