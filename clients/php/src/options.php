<?php

declare(strict_types=1);

namespace Pazar;

final class Options
{
    private const DAY = 86400;

    /** @var array<int, string> of the servers, in the order to ask, such as https://licences.example.com */
    public array $baseUrls;
    public string $key;
    /** Where the product runs; empty if answers are not bound to a site, and no limit of sites applies. */
    public string $site;
    /** @var array<int, string> ids to accept; required for a validation key */
    public array $items;
    /** @var array<int, string> pinned public keys: the member x of the server's key set */
    public array $keys;
    /** Seconds, for the whole request. */
    public float $timeout;
    /** Seconds that a "yes" counts without the server; the option is "grace_days". */
    public int $grace;
    /** Seconds from a "yes" to the next question, at most from a "no". */
    public int $ttl;
    /** Seconds from a failure to the next question, at most while the code is not valid. */
    public int $retry;
    /** en or tr: the language of the server's messages. */
    public string $lang;
    public ?Store $store;
    public Http $http;
    /** @var callable(): int */
    private $clock;
    /** @var string|callable(): string */
    private $secret;

    private function __construct()
    {
    }

    /**
     * @param array<string, mixed> $given
     * @throws \InvalidArgumentException
     */
    public static function parse(array $given): self
    {
        $defaults = [
            'base_url' => '', 'key' => '', 'items' => [], 'keys' => [], 'timeout' => 5, 'grace_days' => 14,
            'ttl' => self::DAY, 'retry' => 3600, 'lang' => 'en', 'store' => null, 'clock' => 'time',
            'http' => null, 'secret' => null, 'site' => '',
        ];
        $names = implode(', ', array_keys($defaults));
        $isKnown = array_diff_key($given, $defaults) === [];
        self::expect($isKnown || self::isNewerCopyLate(), "the only options are $names");
        $given += $defaults;
        // As the server does, so that a key that was pasted with a blank has the same kind here and there.
        $key = is_string($given['key']) ? Code::trim($given['key']) : '';
        self::expect($key !== '', '"key" is missing');
        $options = new self();
        $options->baseUrls = array_map([self::class, 'parseBaseUrl'], array_values((array) $given['base_url']));
        self::expect($options->baseUrls !== [], '"base_url" is missing');
        $options->key = $key;
        self::expect(is_string($given['site']), '"site" must be a text');
        // The server could not read any other, nor the record keep it.
        $options->site = preg_match('//u', $given['site']) === 1 ? Code::trim($given['site']) : '';
        $options->items = array_map([self::class, 'parseItem'], array_values((array) $given['items']));
        self::expect(!$options->isKeyShipped() || $options->items !== [], 'a validation key needs "items", the ids to accept');
        $options->keys = array_map([self::class, 'parseKey'], array_values((array) $given['keys']));
        foreach (['timeout', 'grace_days', 'ttl', 'retry'] as $name) {
            $isPositive = is_numeric($given[$name]) && $given[$name] > 0;
            self::expect($isPositive, "\"$name\" must be a number above 0");
        }
        $options->timeout = (float) $given['timeout'];
        $options->grace = (int) round($given['grace_days'] * self::DAY);
        $options->ttl = (int) $given['ttl'];
        $options->retry = (int) $given['retry'];
        self::expect(in_array($given['lang'], ['en', 'tr'], true), '"lang" must be en or tr');
        $options->lang = $given['lang'];
        $options->store = $given['store'];
        $canSend = $given['http'] !== null || function_exists('curl_init');
        self::expect($canSend, 'the extension curl is missing, and so is "http"');
        $options->http = $given['http'] ?? new Curl();
        $options->clock = $given['clock'];
        $options->secret = $given['secret'] ?? $options->key;
        return $options;
    }

    /** Unix time in seconds, as this machine has it. */
    public function now(): int
    {
        return ($this->clock)();
    }

    /** Whether the key may be written where the answers are kept: a validation key is in every copy of a product. */
    public function isKeyShipped(): bool
    {
        return strpos($this->key, 'pzr_vk_') === 0;
    }

    /** Whether buyers may see the key, as in a link. */
    public function isKeyPublic(): bool
    {
        return $this->isKeyShipped() || strpos($this->key, 'pzr_tk_') === 0;
    }

    /** The tag that a signed answer to this kind of key has. */
    public function tag(): string
    {
        return strpos($this->key, 'pzr_tk_') === 0 ? 'pazar-test' : 'pazar-validation';
    }

    /** The key of the HMAC over the stored record; a record of a test key is never one of another key. */
    public function secret(): string
    {
        $secret = is_string($this->secret) ? $this->secret : ($this->secret)();
        return hash_hmac('sha256', $this->tag(), $secret);
    }

    /** @return array<string, mixed> for var_dump(): without the key and the secret */
    public function __debugInfo(): array
    {
        return ['baseUrls' => $this->baseUrls, 'items' => $this->items, 'keys' => $this->keys];
    }

    /** A newer copy that was required after the first use may have options that this one does not know. */
    private static function isNewerCopyLate(): bool
    {
        foreach (array_keys($GLOBALS['pazar_php_copies']) as $version) {
            if (version_compare((string) $version, VERSION) > 0) {
                return true;
            }
        }
        return false;
    }

    /** @param mixed $url */
    private static function parseBaseUrl($url): string
    {
        $isUrl = is_string($url) && preg_match('#^https?://[^/?\#@\s]+(/[^?\#\s]*)?$#Di', $url) === 1;
        self::expect($isUrl, '"base_url" must be an http or https address');
        return rtrim($url, '/');
    }

    /** @param mixed $id */
    private static function parseItem($id): string
    {
        $digits = is_int($id) || is_string($id) ? trim((string) $id) : '';
        self::expect(preg_match('/^\d+$/D', $digits) === 1, 'each of "items" must be the id of an item');
        // As the server writes it: "007" would match no purchase, and every buyer would get a "no".
        return (string) preg_replace('/^0+(?=\d)/', '', $digits);
    }

    /** @param mixed $key */
    private static function parseKey($key): string
    {
        $isKey = is_string($key) && strlen(Verifier::decodeBase64Url($key)) === 32;
        self::expect($isKey, 'each of "keys" must be 32 bytes in base64url');
        return $key;
    }

    private static function expect(bool $isGood, string $problem): void
    {
        if (!$isGood) {
            throw new \InvalidArgumentException("Pazar: $problem.");
        }
    }
}

/** A purchase code as the server takes it. */
final class Code
{
    /** White space and invisible characters of Unicode; the server drops the same at both ends. */
    private const BLANK = '[\x{9}-\x{D}\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}'
        . '\x{3000}\x{AD}\x{34F}\x{61C}\x{115F}\x{1160}\x{17B4}\x{17B5}\x{180B}-\x{180F}\x{200B}-\x{200F}'
        . '\x{202A}-\x{202E}\x{2060}-\x{206F}\x{3164}\x{FE00}-\x{FE0F}\x{FEFF}\x{FFA0}\x{FFF0}-\x{FFF8}'
        . '\x{1BCA0}-\x{1BCA3}\x{1D173}-\x{1D17A}\x{E0000}-\x{E0FFF}]';
    /** Bytes; the server takes 1,020 characters. */
    private const LENGTH_MAX = 4080;

    public static function trim(string $code): string
    {
        if (strlen($code) > self::LENGTH_MAX) {
            return $code;
        }
        $blank = self::BLANK;
        return preg_replace("/^{$blank}++|{$blank}++\$/Du", '', $code) ?? $code;
    }

    /** The server ignores a line feed within a code too, but signs no answer to it. */
    public static function clean(string $code): string
    {
        return str_replace("\n", '', self::trim($code));
    }

    /** The reason that the server would give, or null for a code that can be asked about. */
    public static function fault(string $trimmed): ?string
    {
        if ($trimmed === '') {
            return 'missing_parameter';
        }
        $isText = strlen($trimmed) <= self::LENGTH_MAX && preg_match('//u', $trimmed) === 1;
        return $isText ? null : 'invalid_parameter';
    }
}
