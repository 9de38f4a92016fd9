<?php

/**
 * Plugin Name: Acme Slider
 * Version: 1.0.0
 * Update URI: https://licenses.example.com/
 * Requires PHP: 7.4
 * Text Domain: acme-slider
 */

declare(strict_types=1);

if (!defined('ABSPATH')) {
    exit;
}

require_once __DIR__ . '/../pazar.php';

add_action('after_setup_theme', static function (): void {
    $license = Pazar\WordPress::boot(['file' => __FILE__] + (require __DIR__ . '/wordpress-license.php'));
    if ($license->isActive()) {
        add_action('wp_footer', static function (): void {
            printf('<div class="acme-slider">%s</div>', esc_html__('Next slide', 'acme-slider'));
        });
    }
});

add_action('pazar_checked', static function (Pazar\Result $result, string $name): void {
    if ($name === 'acme_slider' && $result->state === 'unknown') {
        error_log("Acme Slider: the purchase code could not be validated: {$result->reason}");
    }
}, 10, 2);
