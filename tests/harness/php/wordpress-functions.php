<?php

/**
 * The functions of WordPress that the PHP client calls, over one site in memory. They behave like WordPress 6,
 * including its peculiarities: headers are an object, failures are a WP_Error, and get_option() caches.
 */

declare(strict_types=1);

require __DIR__ . '/wordpress-requests.php';

const HOUR_IN_SECONDS = 3600;

final class Site
{
    /** The license server behind https://licenses.example.com */
    public string $server = '';
    public string $user = '';
    public string $locale = 'en_US';
    public bool $isTranslated = false;
    /** The id of the screen, or empty on a visitor's page. */
    public string $screen = '';
    public array $hooks = [];
    /** The number of runs of an action, by name. */
    public array $done = [];
    /** Options and events of the other sites of a multisite network, by id. Empty without a network. */
    public array $others = [];
    public int $id = 1;
    /** The option `home` in the database, and the value after the constant WP_HOME. */
    public string $home = 'https://site.example.com';
    public string $url = 'https://site.example.com';
    public array $pages = [];
    public array $shortcodes = [];
    public array $events = [];
    public array $optionCache = [];
    public array $requests = [];
    public ?string $redirect = null;
}

/** Thrown by wp_die() and by a redirect: both end the request. */
final class Died extends Exception
{
}

final class Database
{
    public string $options = 'wp_options';
    /** @var array<string, array{value: string, autoload: string}> */
    public array $rows = [];
    /** The table cannot be written: the disk is full, or the user has no right to. */
    public bool $isReadOnly = false;

    public function prepare(string $sql, string ...$values): array
    {
        return [$sql, $values];
    }

    /** @return int|false rows that were written */
    public function query(array $prepared)
    {
        [$sql, [$name, $value]] = $prepared;
        $expected = 'INSERT IGNORE INTO wp_options (option_name, option_value, autoload)'
            . " VALUES (%s, %s, 'no')";
        if ($sql !== $expected || $this->isReadOnly) {
            return false;
        }
        if (isset($this->rows[$name])) {
            return 0;
        }
        $this->rows[$name] = ['value' => $value, 'autoload' => 'no'];
        return 1;
    }

    public function get_blog_prefix(int $blog): string
    {
        return $blog === 1 ? 'wp_' : "wp_{$blog}_";
    }

    public function get_var(string $sql): string
    {
        global $site;
        $homes = ['wp_options' => $site->id === 1 ? $site->home : 'https://www.two.example.com/', 'wp_2_options' => 'https://two.example.com'];
        return preg_match("/^SELECT option_value FROM (\\w+) WHERE option_name = 'home'$/", $sql, $found) === 1 ? $homes[$found[1]] : '';
    }

    /** @return int|false rows that were written */
    public function update(string $table, array $values, array $where)
    {
        $name = $where['option_name'];
        if ($this->isReadOnly) {
            return false;
        }
        if ($table !== $this->options || ($this->rows[$name]['value'] ?? null) !== $where['option_value']) {
            return 0;
        }
        $this->rows[$name]['value'] = $values['option_value'];
        return 1;
    }
}

$site = new Site();
$wpdb = new Database();

function get_option(string $name, $default = false)
{
    global $site, $wpdb;
    if ($name === 'home') {
        return $site->url;
    }
    if (!array_key_exists($name, $site->optionCache)) {
        $site->optionCache[$name] = $wpdb->rows[$name]['value'] ?? null;
    }
    return $site->optionCache[$name] ?? $default;
}

function update_option(string $name, $value, $autoload = null): bool
{
    global $site, $wpdb;
    if ($wpdb->isReadOnly) {
        return false;
    }
    $wpdb->rows[$name] = ['value' => $value, 'autoload' => $autoload === false ? 'no' : 'yes'];
    $site->optionCache[$name] = $value;
    return true;
}

function delete_option(string $name): bool
{
    global $site, $wpdb;
    unset($wpdb->rows[$name]);
    $site->optionCache[$name] = null;
    return true;
}

/** @return array<string, string> */
function get_file_data(string $file, array $names): array
{
    return array_map(static fn (string $name): string => $name === 'Plugin URI' ? 'https://acme.example.com/slider' : '', $names);
}

function get_template(): string
{
    return 'plain';
}

function get_template_directory(): string
{
    return '/themes/plain';
}

function get_site_transient(string $name)
{
    return get_option("_site_transient_$name");
}

function delete_site_transient(string $name): bool
{
    return delete_option("_site_transient_$name");
}

function wp_cache_delete(string $key, string $group): bool
{
    global $site;
    if ($key === 'notoptions') {
        $site->optionCache = array_filter($site->optionCache, static fn ($value): bool => $value !== null);
    } elseif (($site->optionCache[$key] ?? null) !== null) {
        unset($site->optionCache[$key]);
    }
    return true;
}

function add_action(string $hook, callable $callback, int $priority = 10, int $arguments = 1): bool
{
    global $site;
    if (!in_array([$callback, $arguments], $site->hooks[$hook] ?? [], true)) {
        $site->hooks[$hook][] = [$callback, $arguments];
    }
    return true;
}

function remove_action(string $hook, callable $callback, int $priority = 10): bool
{
    global $site;
    $site->hooks[$hook] = array_filter(
        $site->hooks[$hook] ?? [],
        static fn (array $added): bool => $added[0] !== $callback
    );
    return true;
}

function did_action(string $hook): int
{
    global $site;
    return $site->done[$hook] ?? 0;
}

function do_action(string $hook, ...$arguments): void
{
    global $site;
    $site->done[$hook] = did_action($hook) + 1;
    foreach ($site->hooks[$hook] ?? [] as [$callback, $count]) {
        $callback(...array_slice($arguments, 0, $count));
    }
}

function add_filter(string $hook, callable $callback, int $priority = 10, int $arguments = 1): bool
{
    return add_action($hook, $callback, $priority, $arguments);
}

function apply_filters(string $hook, $value, ...$arguments)
{
    global $site;
    foreach ($site->hooks[$hook] ?? [] as [$callback, $count]) {
        $value = $callback(...array_slice([$value, ...$arguments], 0, $count));
    }
    return $value;
}

function register_deactivation_hook(string $file, callable $callback): void
{
    add_action("deactivate_$file", $callback);
}

function plugin_basename(string $file): string
{
    return basename($file);
}

function is_multisite(): bool
{
    global $site;
    return $site->others !== [];
}

function get_sites(array $query): array
{
    global $site;
    return array_merge([$site->id], array_keys($site->others));
}

/** Saves the state of one site and loads that of another. */
function switch_to_blog(int $id): bool
{
    global $site, $wpdb;
    if ($id === $site->id) {
        return true;
    }
    $site->others[$site->id] = [$wpdb->rows, $site->events];
    [$wpdb->rows, $site->events] = $site->others[$id];
    unset($site->others[$id]);
    [$site->id, $site->optionCache] = [$id, []];
    return true;
}

function restore_current_blog(): bool
{
    return switch_to_blog(1);
}

function add_options_page(string $title, string $menu, string $capability, string $slug, callable $show): string
{
    global $site;
    $site->pages[$slug] = $show;
    return "settings_page_$slug";
}

function _doing_it_wrong(string $function, string $message, string $version): void
{
    if ($function === 'Pazar') {
        fwrite(STDERR, $message);
    }
}

function add_shortcode(string $name, callable $render): void
{
    global $site;
    $site->shortcodes[$name] = $render;
}

function __(string $text, string $domain): string
{
    return is_textdomain_loaded($domain) ? "translated: $text" : $text;
}

function esc_html__(string $text, string $domain): string
{
    return esc_html(__($text, $domain));
}

function is_textdomain_loaded(string $domain): bool
{
    global $site;
    return $site->isTranslated;
}

function determine_locale(): string
{
    global $site;
    return $site->locale;
}

function get_current_screen(): ?object
{
    global $site;
    return $site->screen === '' ? null : (object) ['id' => $site->screen];
}

function get_current_blog_id(): int
{
    global $site;
    return $site->id;
}

function get_main_site_id(): int
{
    return 1;
}

function get_blog_option(int $blog, string $name, $default)
{
    switch_to_blog($blog);
    $value = get_option($name, $default);
    restore_current_blog();
    return $value;
}

function home_url(): string
{
    global $site;
    return $site->url;
}

function current_user_can(string $capability): bool
{
    global $site;
    return $site->user === 'admin' && $capability === 'manage_options';
}

function wp_create_nonce(string $action): string
{
    return substr(hash('sha256', $action), 0, 10);
}

function wp_nonce_field(string $action): string
{
    $field = sprintf('<input type="hidden" name="_wpnonce" value="%s">', wp_create_nonce($action));
    echo $field;
    return $field;
}

function check_admin_referer(string $action): int
{
    if (($_REQUEST['_wpnonce'] ?? '') !== wp_create_nonce($action)) {
        wp_die('The link you followed has expired.', '', ['response' => 403]);
    }
    return 1;
}

function wp_die(string $message, string $title = '', array $arguments = []): void
{
    throw new Died($message, $arguments['response'] ?? 500);
}

function wp_safe_redirect(string $url): bool
{
    global $site;
    $site->redirect = $url;
    throw new Died('redirected', 302);
}

function admin_url(string $path = ''): string
{
    global $site;
    return "$site->url/wp-admin/$path";
}

function esc_html(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}

function make_clickable(string $html): string
{
    return preg_replace('#https://[^\s<]+#', '<a href="$0">$0</a>', $html);
}

function esc_attr(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}

function esc_url(string $url): string
{
    return str_replace(['&', "'", '"', '<', '>'], ['&#038;', '&#039;', '', '', ''], $url);
}

function wp_unslash(string $text): string
{
    return stripslashes($text);
}

/** @return int|false */
function wp_next_scheduled(string $hook, array $arguments = [])
{
    global $site;
    foreach ($site->events as $event) {
        if ($event['hook'] === $hook && $event['arguments'] === $arguments) {
            return $event['at'];
        }
    }
    return false;
}

/** Rejects the same event within ten minutes. */
function wp_schedule_single_event(int $at, string $hook, array $arguments = []): bool
{
    global $site;
    $next = wp_next_scheduled($hook, $arguments);
    if ($next !== false && abs($next - $at) < 600) {
        return false;
    }
    $site->events[] = ['at' => $at, 'hook' => $hook, 'arguments' => $arguments, 'recurrence' => false];
    return true;
}

function wp_unschedule_hook(string $hook): int
{
    global $site;
    $before = count($site->events);
    $isOther = static fn (array $event): bool => $event['hook'] !== $hook;
    $site->events = array_values(array_filter($site->events, $isOther));
    return $before - count($site->events);
}
