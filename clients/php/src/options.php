<?php

declare(strict_types=1);

namespace Pazar;

/** @internal the options of Client */
final class Options {
    public array $baseUrls;
    public string $key;
    /** Empty if the product sends none. */
    public string $site;
    /** Ids to accept, as strings; empty: every item. */
    public array $items;
    /** Pinned public keys: the field x of the server's key set. */
    public array $keys;
    /** Both in seconds. */
    public float $timeout;
    public int $grace;
    public Store $store;
    public Http $http;
    private $clock;

    public function __construct(array $given) {
        $defaults = [
            'base_url' => [], 'key' => '', 'items' => [], 'keys' => [], 'store' => null, 'site' => '', 'timeout' => 5,
            'grace_days' => 14, 'http' => null, 'clock' => 'time',
        ];
        // A newer copy that was required after the first use may have more options.
        $isNewer = static fn ($version): bool => version_compare((string) $version, VERSION, '>');
        $isNewest = array_filter(array_keys($GLOBALS['pazar_php_copies']), $isNewer) === [];
        $names = implode(', ', array_keys($defaults));
        self::expect(!$isNewest || array_diff_key($given, $defaults) === [], "the only options are $names");
        $given += $defaults;
        $this->baseUrls = array_map([self::class, 'parseBaseUrl'], array_values((array) $given['base_url']));
        self::expect($this->baseUrls !== [], '"base_url" is missing');
        // The server trims a key, too: its kind must be the same here and there.
        $this->key = is_string($given['key']) ? Code::trim($given['key']) : '';
        self::expect($this->key !== '', '"key" is missing');
        self::expect(is_string($given['site']), '"site" must be a string');
        // The server ignores a site that is not UTF-8.
        $this->site = preg_match('//u', $given['site']) === 1 ? Code::trim($given['site']) : '';
        $this->items = array_map([self::class, 'parseItem'], array_values((array) $given['items']));
        self::expect(!$this->isKeyShipped() || $this->items !== [], 'a validation key needs "items", the ids to accept');
        $this->keys = array_values((array) $given['keys']);
        $isKey = static fn ($key): bool => is_string($key) && strlen(Verifier::decode($key)) === 32;
        self::expect(array_filter($this->keys, $isKey) === $this->keys, 'each of "keys" must be 32 bytes in base64url');
        foreach (['timeout', 'grace_days'] as $name) {
            self::expect(is_numeric($given[$name]) && $given[$name] > 0, "\"$name\" must be a number above 0");
        }
        $this->timeout = (float) $given['timeout'];
        $this->grace = (int) round($given['grace_days'] * 86400);
        self::expect($given['store'] instanceof Store, '"store" is missing');
        $this->store = $given['store'];
        self::expect($given['http'] !== null || function_exists('curl_init'), 'the extension curl is missing, and so is "http"');
        $this->http = $given['http'] ?? new Curl();
        $this->clock = $given['clock'];
    }

    /** Unix time on this machine. */
    public function now(): int {
        return ($this->clock)();
    }

    /** Whether the key may be stored beside a response: a validation key is in every copy of a product. */
    public function isKeyShipped(): bool {
        return strpos($this->key, 'pzr_vk_') === 0;
    }

    public function isTestKey(): bool {
        return strpos($this->key, 'pzr_tk_') === 0;
    }

    /** Why no code can be validated here; null if one can. */
    public function fault(): ?string {
        if ($this->isTestKey() && $this->site !== '' && !Site::isTest($this->site)) {
            return 'test_key';
        }
        return $this->keys !== [] && !Ed25519::isAvailable() ? 'cannot_verify' : null;
    }

    /** For var_dump(): without the key. */
    public function __debugInfo(): array {
        return ['baseUrls' => $this->baseUrls, 'items' => $this->items, 'keys' => $this->keys];
    }

    private static function parseBaseUrl($url): string {
        $isUrl = is_string($url) && preg_match('#^https?://[^/?\#@\s]+(/[^?\#\s]*)?$#Di', $url) === 1;
        self::expect($isUrl, '"base_url" must be an http or https URL');
        return rtrim($url, '/');
    }

    private static function parseItem($id): string {
        $digits = is_int($id) || is_string($id) ? trim((string) $id) : '';
        self::expect(preg_match('/^\d+$/D', $digits) === 1, 'each of "items" must be the id of an item');
        // "007" would match no purchase.
        return (string) preg_replace('/^0+(?=\d)/', '', $digits);
    }

    private static function expect(bool $isGood, string $problem): void {
        if (!$isGood) {
            throw new \InvalidArgumentException("Pazar: $problem.");
        }
    }
}
