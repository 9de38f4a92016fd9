<?php

declare(strict_types=1);

namespace Pazar;

final class Options {
    public array $baseUrls;
    public string $key, $site;
    /** Accepted item ids as strings. An empty list accepts every item. */
    public array $items;
    /** Pinned public keys: the field `x` in the server's key set. */
    public array $keys;
    public float $timeout;
    public int $grace;
    public Store $store;
    public Http $http;
    private $clock;

    public function __construct(array $values) {
        $defaults = ['base_url' => [], 'key' => '', 'items' => [], 'keys' => [], 'store' => null, 'site' => '', 'timeout' => 5,
            'grace_days' => 14, 'http' => null, 'clock' => 'time'];
        // If another plugin loaded a newer copy too late, its options may be unknown here and are ignored.
        $isNewer = static fn ($version): bool => version_compare((string) $version, VERSION, '>');
        $isNewest = array_filter(array_keys($GLOBALS['pazar_php_copies']), $isNewer) === [];
        [$unknown, $names] = [array_keys(array_diff_key($values, $defaults)), implode(', ', array_keys($defaults))];
        self::expect(!$isNewest || $unknown === [], 'unknown option "' . implode('", "', $unknown) . "\"; use $names");
        $values += $defaults;
        $this->baseUrls = array_map([self::class, 'parseBaseUrl'], array_values((array) $values['base_url']));
        self::expect($this->baseUrls !== [], '"base_url" is missing');
        $this->key = is_string($values['key']) ? Code::trim($values['key']) : '';
        self::expect($this->key !== '', '"key" is missing');
        self::expect(is_string($values['site']), '"site" must be a string');
        $this->site = preg_match('//u', $values['site']) === 1 ? Code::trim($values['site']) : '';
        $this->items = array_map([self::class, 'parseItem'], array_values((array) $values['items']));
        self::expect(!$this->isValidationKey() || $this->items !== [], '"items" is missing; a validation key requires it');
        $this->keys = array_values((array) $values['keys']);
        $isKey = static fn ($key): bool => is_string($key) && strlen(Verifier::decode($key)) === 32;
        self::expect(array_filter($this->keys, $isKey) === $this->keys, '"keys" must be a list of public keys, 32 bytes each in base64url');
        foreach (['timeout', 'grace_days'] as $name) {
            self::expect(is_numeric($values[$name]) && $values[$name] > 0, "\"$name\" must be a number above 0");
        }
        $this->timeout = (float) $values['timeout'];
        $this->grace = (int) round($values['grace_days'] * 86400);
        self::expect($values['store'] instanceof Store, '"store" is missing; set a Pazar\\Store');
        $this->store = $values['store'];
        self::expect($values['http'] !== null || function_exists('curl_init'), 'the extension curl is missing; set "http"');
        $this->http = $values['http'] ?? new Curl();
        $this->clock = $values['clock'];
    }

    public function now(): int { return ($this->clock)(); }
    /** Validation keys are not secret: they may be stored with a response. */
    public function isValidationKey(): bool { return strpos($this->key, 'pzr_vk_') === 0; }
    public function isTestKey(): bool { return strpos($this->key, 'pzr_tk_') === 0; }

    /** The error code if no code can be validated on this site or runtime; otherwise null. */
    public function errorCode(): ?string {
        if ($this->isTestKey() && $this->site !== '' && !Site::isTest($this->site)) {
            return 'test_key';
        }
        return $this->keys !== [] && !Ed25519::isAvailable() ? 'cannot_verify' : null;
    }

    /** Keeps the API key out of var_dump(). */
    public function __debugInfo(): array { return ['baseUrls' => $this->baseUrls, 'items' => $this->items, 'keys' => $this->keys]; }

    private static function parseBaseUrl($url): string {
        $isUrl = is_string($url) && preg_match('#^https?://[^/?\#@\s]+(/[^?\#\s]*)?$#Di', $url) === 1;
        self::expect($isUrl, '"base_url" must be an http or https URL');
        return rtrim($url, '/');
    }

    private static function parseItem($id): string {
        $digits = is_int($id) || is_string($id) ? trim((string) $id) : '';
        self::expect(preg_match('/^\d+$/D', $digits) === 1, '"items" must be a list of item ids');
        // "007" would not match item 7.
        return (string) preg_replace('/^0+(?=\d)/', '', $digits);
    }

    private static function expect(bool $isMet, string $problem): void {
        if (!$isMet) {
            throw new \InvalidArgumentException("Pazar: $problem");
        }
    }
}
