<?php

/** Runs steps on a site with one licensed plugin, and prints the result of each. */

declare(strict_types=1);

require __DIR__ . '/wordpress-functions.php';
require __DIR__ . '/../../../clients/php/pazar.php';

set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    throw new ErrorException($message, 0, $level, $file, $line);
});

['options' => $options, 'steps' => $steps] = json_decode(stream_get_contents(STDIN), true);
$now = time();
do_action('after_setup_theme');
$options += [
    'name' => 'acme_slider',
    'title' => 'Acme "Slider" <Pro>',
    'file' => 'acme.php',
    'base_url' => 'https://licenses.example.com',
    'clock' => static function () use (&$now): int {
        return $now;
    },
];
$checked = [];
$bootLicense = static function (array $step) use ($options, &$checked): Pazar\WordPress {
    global $site;
    $site->hooks = [];
    if (isset($step['sent'])) {
        add_filter('pazar_site', static fn () => $step['sent']);
    }
    $license = Pazar\WordPress::boot($options);
    add_action('pazar_checked', static function (Pazar\Result $result, string $name) use (&$checked): void {
        $checked[] = "$name: {$result->state} " . ($result->reason ?: $result->source);
    }, 10, 2);
    return $license;
};
$license = null;

function runStep(array $step, Pazar\WordPress $license, int &$now, array $options): void
{
    global $site;
    $site->server = $step['server'] ?? $site->server;
    $site->user = $step['user'] ?? $site->user;
    $site->locale = $step['locale'] ?? $site->locale;
    $site->isTranslated = $step['isTranslated'] ?? false;
    $site->screen = $step['screen'] ?? '';
    $site->others = $step['others'] ?? $site->others;
    $now += $step['seconds'] ?? 0;
    $GLOBALS['wpdb']->isReadOnly = $step['readOnly'] ?? false;
    if (isset($step['notice'])) {
        add_filter('pazar_notice', static fn (): string => $step['notice']);
    }
    if (isset($step['code'])) {
        $nonce = $step['nonce'] ?? wp_create_nonce('acme_slider_save');
        $_POST = ['purchase_code' => is_string($step['code']) ? addslashes($step['code']) : $step['code']];
        $_REQUEST = $_POST + ['_wpnonce' => $nonce];
    }
    foreach ($step['form'] ?? [] as $verb => $fields) {
        $_POST = $fields + ['_wpnonce' => wp_create_nonce("acme_slider_$verb")];
        $_REQUEST = $_POST;
    }
    $_GET = $step['query'] ?? [];
    foreach ($step['rows'] ?? [] as $name => $value) {
        update_option($name, $value, false);
    }
    if (isset($step['stored'])) {
        update_option('acme_slider_code', $step['stored'], false);
    }
    foreach ($step['actions'] ?? [] as $action) {
        do_action(...(array) $action);
    }
    if (isset($step['page'])) {
        ($site->pages[$step['page']])();
    }
    if (isset($step['uninstall'])) {
        Pazar\WordPress::uninstall($options);
    }
}

$results = [];
foreach ($steps as $step) {
    [$site->redirect, $site->requests, $checked, $site->hooks['shutdown']] = [null, [], [], []];
    $result = [];
    ob_start();
    $site->url = $step['url'] ?? $site->url;
    $site->home = $step['home'] ?? $site->home;
    if ($license === null || isset($step['url']) || isset($step['home']) || isset($step['sent'])) {
        $license = $bootLicense($step);
    }
    try {
        runStep($step, $license, $now, $options);
    } catch (Died $died) {
        $result['status'] = $site->redirect === null ? $died->getCode() : null;
    }
    $started = time();
    $results[] = array_filter($result + [
        'html' => ob_get_clean(),
        'redirect' => $site->redirect,
        'requests' => $site->requests,
        'checked' => $checked,
    ]) + [
        'isValid' => $license->result()->isValid(),
        'isActive' => $license->isActive(),
        'mayUpdate' => $license->mayUpdate(),
        'events' => array_values(array_map(static fn (array $event): int => (int) round(($event['at'] - $started) / 60), $site->events)),
        'links' => apply_filters('plugin_action_links_acme.php', ['deactivate' => 'Deactivate']),
        'others' => $site->others,
        'rows' => (object) array_map(static fn (array $row) => $row['value'], $wpdb->rows),
        'autoload' => (object) array_map(static fn (array $row): string => $row['autoload'], $wpdb->rows),
    ];
}
echo json_encode($results);
