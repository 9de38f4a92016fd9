<?php

/**
 * Plugin Name: Acme Slider
 * Requires PHP: 7.4
 * Text Domain: acme-slider
 */

declare(strict_types=1);

if (!defined('ABSPATH')) {
    exit;
}

require_once __DIR__ . '/../pazar.php';

add_action('after_setup_theme', static function (): void {
    $licence = Pazar\WordPress::boot(['file' => __FILE__] + (require __DIR__ . '/wordpress-licence.php'));
    if ($licence->isActive()) {
        add_action('wp_footer', static function (): void {
            printf('<div class="acme-slider">%s</div>', esc_html__('Next slide', 'acme-slider'));
        });
    }
    // After 14 days without an answer the site goes on, and updates wait; not if the key was refused, which an update replaces.
    if (!$licence->mayUpdate()) {
        add_filter('site_transient_update_plugins', static function ($updates) {
            if (is_object($updates)) {
                unset($updates->response[plugin_basename(__FILE__)]);
            }
            return $updates;
        });
    }
});

add_action('pazar_checked', static function (Pazar\Outcome $outcome, string $name): void {
    if ($name === 'acme_slider' && $outcome->isUnknown()) {
        error_log("Acme Slider: the licence could not be checked: {$outcome->reason}");
    }
}, 10, 2);
