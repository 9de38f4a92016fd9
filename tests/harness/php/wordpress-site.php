<?php

/** Runs steps on a site with one licensed plugin, and answers with what each of them did. */

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
    'base_url' => 'https://licences.example.com',
    'clock' => static function () use (&$now): int {
        return $now;
    },
];
$checked = [];
$bootLicence = static function (array $step) use ($options, &$checked): Pazar\WordPress {
    global $site;
    $site->hooks = [];
    if (isset($step['sent'])) {
        add_filter('pazar_site', static fn () => $step['sent']);
    }
    $licence = Pazar\WordPress::boot($options);
    add_action('pazar_checked', static function (Pazar\Outcome $outcome, string $name) use (&$checked): void {
        $checked[] = "$name: {$outcome->state} {$outcome->reason}{$outcome->source}";
    }, 10, 2);
    return $licence;
};
$licence = null;

function runStep(array $step, Pazar\WordPress $licence, int &$now, array $options): void
{
    global $site;
    $site->server = $step['server'] ?? $site->server;
    $site->user = $step['user'] ?? $site->user;
    $site->locale = $step['locale'] ?? $site->locale;
    $site->isAdminPage = $step['isAdminPage'] ?? false;
    $site->others = $step['others'] ?? $site->others;
    $now += $step['seconds'] ?? 0;
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
    if (isset($step['link'])) {
        parse_str(parse_url(html_entity_decode($step['link']), PHP_URL_QUERY), $_REQUEST);
    }
    foreach ($step['actions'] ?? [] as $action) {
        do_action(...(array) $action);
    }
    if (isset($step['page'])) {
        ($site->pages[$step['page']])();
    }
    if (isset($step['uninstall'])) {
        Pazar\WordPress::uninstall($step['uninstall'], $step['isReleased'] ?? false ? $options : []);
    }
}

$results = [];
foreach ($steps as $step) {
    [$site->redirect, $site->requests, $checked] = [null, [], []];
    $result = [];
    ob_start();
    $site->url = $step['url'] ?? $site->url;
    if ($licence === null || isset($step['url']) || isset($step['sent'])) {
        $licence = $bootLicence($step);
    }
    try {
        runStep($step, $licence, $now, $options);
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
        'isValid' => $licence->isValid(),
        'isActive' => $licence->isActive(),
        'mayUpdate' => $licence->mayUpdate(),
        'events' => array_values(array_map(static fn (array $event): array => [
            'minutes' => (int) round(($event['at'] - $started) / 60),
            'recurrence' => $event['recurrence'],
        ], $site->events)),
        'links' => apply_filters('plugin_action_links_acme.php', ['deactivate' => 'Deactivate']),
        'meta' => (object) $site->userMeta,
        'others' => $site->others,
        'rows' => (object) array_map(static fn (array $row) => $row['value'], $wpdb->rows),
        'autoload' => (object) array_map(static fn (array $row): string => $row['autoload'], $wpdb->rows),
    ];
}
echo json_encode($results);
