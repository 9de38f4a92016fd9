<?php

/**
 * The functions of WordPress that the PHP client calls, over one site in memory. They answer as WordPress 6
 * does, also where that is awkward: headers are an object, failures are a WP_Error, and get_option() caches.
 */

declare(strict_types=1);

final class Site
{
    /** The licence server that answers for https://licences.example.com */
    public string $server = '';
    public string $user = '';
    public string $locale = 'en_US';
    public array $hooks = [];
    public array $pages = [];
    public array $events = [];
    public array $optionCache = [];
    public array $requests = [];
    public ?string $redirect = null;
}

/** Thrown by wp_die(), which ends the request. */
final class Died extends Exception
{
}

final class WP_Error
{
    private string $message;

    public function __construct(string $code, string $message)
    {
        $this->message = $message;
    }

    public function get_error_message(): string
    {
        return $this->message;
    }
}

/** As Requests_Utility_CaseInsensitiveDictionary: names in lower case, a repeated one as a list. */
final class HeaderDictionary implements IteratorAggregate
{
    private array $values = [];

    public function add(string $name, string $value): void
    {
        $name = strtolower($name);
        $this->values[$name] = isset($this->values[$name])
            ? array_merge((array) $this->values[$name], [$value])
            : $value;
    }

    public function getIterator(): Iterator
    {
        return new ArrayIterator($this->values);
    }
}

final class Database
{
    public string $options = 'wp_options';
    /** @var array<string, array{value: string, autoload: string}> */
    public array $rows = [];

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
        if ($sql !== $expected) {
            return false;
        }
        if (isset($this->rows[$name])) {
            return 0;
        }
        $this->rows[$name] = ['value' => $value, 'autoload' => 'no'];
        return 1;
    }

    /** @return int|false rows that were written */
    public function update(string $table, array $values, array $where)
    {
        $name = $where['option_name'];
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
    if (!array_key_exists($name, $site->optionCache)) {
        $site->optionCache[$name] = $wpdb->rows[$name]['value'] ?? null;
    }
    return $site->optionCache[$name] ?? $default;
}

function update_option(string $name, $value, $autoload = null): bool
{
    global $site, $wpdb;
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

function wp_salt(string $scheme): string
{
    return "salt of $scheme";
}

function add_action(string $hook, callable $callback, int $priority = 10, int $arguments = 1): bool
{
    global $site;
    $site->hooks[$hook][] = [$callback, $arguments];
    return true;
}

function do_action(string $hook, ...$arguments): void
{
    global $site;
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

function add_options_page(string $title, string $menu, string $capability, string $slug, callable $show): string
{
    global $site;
    $site->pages[$slug] = $show;
    return "settings_page_$slug";
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
    if (($_POST['_wpnonce'] ?? '') !== wp_create_nonce($action)) {
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
    return true;
}

function admin_url(string $path): string
{
    return "https://site.example.com/wp-admin/$path";
}

function get_user_locale(): string
{
    global $site;
    return $site->locale;
}

function esc_html(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
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

function wp_schedule_event(int $at, string $recurrence, string $hook): bool
{
    global $site;
    $site->events[] = ['at' => $at, 'hook' => $hook, 'arguments' => [], 'recurrence' => $recurrence];
    return true;
}

/** Refuses the same event within ten minutes. */
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
    $site->events = array_filter($site->events, static fn (array $event): bool => $event['hook'] !== $hook);
    return $before - count($site->events);
}

function wp_remote_get(string $url, array $arguments)
{
    return remoteRequest('GET', $url, $arguments);
}

function wp_remote_post(string $url, array $arguments)
{
    return remoteRequest('POST', $url, $arguments);
}

function remoteRequest(string $method, string $url, array $arguments)
{
    global $site;
    $site->requests[] = ['method' => $method, 'url' => $url, 'redirection' => $arguments['redirection'] ?? 5];
    $headers = new HeaderDictionary();
    $lines = [];
    foreach ($arguments['headers'] as $name => $value) {
        $lines[] = "$name: $value";
    }
    $curl = curl_init(str_replace('https://licences.example.com', $site->server, $url));
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_POSTFIELDS => $arguments['body'] ?? '',
        CURLOPT_HTTPHEADER => $lines,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT_MS => (int) ($arguments['timeout'] * 1000),
        CURLOPT_ENCODING => '',
        CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use ($headers): int {
            [$name, $value] = explode(':', $line, 2) + ['', null];
            if ($value !== null) {
                $headers->add($name, trim($value));
            }
            return strlen($line);
        },
    ]);
    $body = curl_exec($curl);
    if ($body === false) {
        return new WP_Error('http_request_failed', 'cURL error ' . curl_errno($curl) . ': ' . curl_error($curl));
    }
    $code = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    return ['headers' => $headers, 'body' => $body, 'response' => ['code' => $code, 'message' => '']];
}

function is_wp_error($thing): bool
{
    return $thing instanceof WP_Error;
}

function wp_remote_retrieve_headers(array $response)
{
    return $response['headers'];
}

/** @return int|string */
function wp_remote_retrieve_response_code(array $response)
{
    return $response['response']['code'];
}

function wp_remote_retrieve_body(array $response): string
{
    return $response['body'];
}
