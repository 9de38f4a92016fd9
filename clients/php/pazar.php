<?php

/**
 * Pazar for PHP 7.4 to 8.4, in one file. It asks a Pazar server whether a purchase code is real and stores the
 * answer, so that a product keeps working while the server cannot be reached. README.md shows how to use it.
 */

declare(strict_types=1);

// Several plugins of a site may bring this file; the first one is used. A constant and not class_exists(), because PHP
// declares some classes of a file before its first line runs.
if (defined('PAZAR_PHP_CLIENT')) {
    return;
}
define('PAZAR_PHP_CLIENT', true);

final class PazarClient
{
    private PazarOptions $options;
    private ?PazarVerifier $verifier;

    /** @param array<string, mixed> $options see PazarOptions */
    public function __construct(array $options)
    {
        $this->options = PazarOptions::parse($options);
        $this->verifier = PazarVerifier::isPossible($this->options->keys)
            ? new PazarVerifier($this->options->keys, $this->options->tag())
            : null;
    }

    /** The outcome from the store. Never asks the server: for page loads. */
    public function cached(string $code): PazarOutcome
    {
        $code = PazarCode::trim($code);
        $fault = PazarCode::fault($code);
        return $fault === null
            ? $this->recallAndKeepTime($this->readRecord($code))
            : PazarOutcome::unknown($fault);
    }

    /** The same, but asks the server when that is due: once a day, once an hour while it fails. */
    public function check(string $code): PazarOutcome
    {
        $code = PazarCode::trim($code);
        $fault = PazarCode::fault($code);
        if ($fault !== null) {
            return PazarOutcome::unknown($fault);
        }
        $record = $this->readRecord($code);
        $claimed = $this->claimQuestion($record);
        return $claimed === null ? $this->recallAndKeepTime($record) : $this->askAndLearn($claimed, $code);
    }

    /** One live question. Reads and writes no store. Never throws. */
    public function validate(string $code): PazarOutcome
    {
        $code = PazarCode::trim($code);
        $fault = PazarCode::fault($code);
        return $fault === null ? $this->ask($code, []) : PazarOutcome::unknown($fault);
    }

    /** Empties the store, for example before another code is entered. */
    public function forget(): void
    {
        $this->store()->delete();
    }

    /**
     * @return array<string, mixed>
     * @throws PazarException
     */
    public function account(): array
    {
        return $this->read('/api/account/details', [], 'data');
    }

    /**
     * @return array<int, array<string, mixed>> every visible item, newest id first
     * @throws PazarException
     */
    public function items(): array
    {
        try {
            return $this->read('/api/items/all', [], 'items');
        } catch (PazarException $exception) {
            if ($exception->reason === 'no_items') {
                return [];
            }
            throw $exception;
        }
    }

    /**
     * @return array<string, mixed>|null null if there is no such item
     * @throws PazarException
     */
    public function item(int $id): ?array
    {
        try {
            return $this->read('/api/items/item', ['item_id' => $id], 'item');
        } catch (PazarException $exception) {
            if ($exception->reason === 'unknown_item') {
                return null;
            }
            throw $exception;
        }
    }

    /** Writes the next moment to ask before asking, so that only one of many page loads asks. Null for the others. */
    private function claimQuestion(PazarRecord $record): ?PazarRecord
    {
        $now = $this->options->now();
        if (!$record->isDue($now, max($this->options->ttl, $this->options->retry))) {
            return null;
        }
        return $this->writeRecord($record, ['next_ask' => $now + $this->options->retry] + $record->clockAt($now));
    }

    private function askAndLearn(PazarRecord $record, string $code): PazarOutcome
    {
        $live = $this->ask($code, $record->answer === null ? [] : $record->answer->keys);
        $now = $this->options->now();
        $changes = $this->learn($record, $live, $code, $now);
        $this->writeRecord($record, $changes);
        $learned = $record->with($changes);
        if (!$live->isUnknown() && $learned->refusedAt === 0) {
            return $live;
        }
        $outcome = $this->recall($learned, $now);
        $outcome->requestId = $live->requestId;
        return $outcome;
    }

    /** @param array<int, mixed> $endorsedKeys keys that an earlier answer needed */
    private function ask(string $code, array $endorsedKeys): PazarOutcome
    {
        $nonce = $this->verifier === null ? '' : bin2hex(random_bytes(16));
        $form = ['purchase_code' => $code, 'lang' => $this->options->lang];
        if ($nonce !== '') {
            $form['nonce'] = $nonce;
        }
        $body = http_build_query($form, '', '&', PHP_QUERY_RFC3986);
        try {
            $response = $this->send('/api/purchases/validation', $body);
        } catch (PazarTransportFailure $failure) {
            return PazarOutcome::unknown($failure->reason);
        }
        if (!in_array($response->status, [200, 404], true) || $response->json() === null) {
            return PazarOutcome::unknown($response->failure(), $response->retryAfter(), $response->requestId());
        }
        $answer = PazarAnswer::fromResponse($response, $nonce, $this->options->now(), $this->options->grace);
        $answer->keys = $endorsedKeys;
        $fault = $this->verifier === null ? null : $this->verifySigner($answer, $code);
        return $fault === null
            ? $this->judge($answer, $response)
            : PazarOutcome::unknown($fault, 0, $response->requestId());
    }

    /** If the signer is not known, looks for an endorsement that leads from a pinned key to it. */
    private function verifySigner(PazarAnswer $answer, string $code): ?string
    {
        $fault = $this->verifier->fault($answer, $code);
        if ($fault !== 'unknown_signer') {
            return $fault;
        }
        try {
            $url = $this->options->baseUrl . '/.well-known/pazar-keys.json';
            $response = $this->options->http->send($url, [], null, $this->options->timeout);
        } catch (PazarTransportFailure $failure) {
            return $fault;
        }
        $answer->keys = PazarVerifier::listKeys($response->json());
        return $this->verifier->fault($answer, $code);
    }

    private function judge(PazarAnswer $answer, PazarResponse $response): PazarOutcome
    {
        if ($answer->status === 404) {
            return in_array($answer->reason, ['unknown_code', 'revoked_code'], true)
                ? PazarOutcome::invalid($answer->reason, $response->requestId())
                : PazarOutcome::unknown($response->failure(), 0, $response->requestId());
        }
        return $this->judgePurchase($answer, 'server', $response->requestId());
    }

    private function judgePurchase(PazarAnswer $answer, string $source, string $requestId): PazarOutcome
    {
        $purchase = $answer->purchase();
        if ($purchase === null) {
            return PazarOutcome::unknown('not_json', 0, $requestId);
        }
        $items = $this->options->items;
        return $items === [] || in_array((string) $purchase['item']['id'], $items, true)
            ? PazarOutcome::valid($purchase, $source, $answer, $requestId)
            : PazarOutcome::invalid('other_item', $requestId);
    }

    /** Writes that a receipt has expired or that the clock was set back, so that neither makes a receipt last longer. */
    private function recallAndKeepTime(PazarRecord $record): PazarOutcome
    {
        $now = $this->options->now();
        $outcome = $this->recall($record, $now);
        $hasJustExpired = $outcome->reason === 'receipt_expired' && $record->latest < $record->serverTime($now);
        if ($hasJustExpired || $record->isSetBack($now)) {
            $this->writeRecord($record, $record->clockAt($now));
        }
        return $outcome;
    }

    private function recall(PazarRecord $record, int $now): PazarOutcome
    {
        $outcome = $this->recallVerdict($record, $record->serverTime($now));
        $outcome->retryAfter = max(0, $record->nextAsk - $now);
        return $outcome;
    }

    private function recallVerdict(PazarRecord $record, int $serverTime): PazarOutcome
    {
        if ($record->verdict === 'invalid') {
            return PazarOutcome::invalid($record->reason);
        }
        $answer = $record->answer;
        if ($record->verdict !== 'valid' || $answer === null) {
            return PazarOutcome::unknown($record->reason);
        }
        if ($serverTime > min($answer->expires, $answer->created + $this->options->grace)) {
            return PazarOutcome::unknown('receipt_expired');
        }
        $isFresh = $serverTime - $answer->created < $this->options->ttl;
        return $this->judgePurchase($answer, $isFresh ? 'cache' : 'receipt', '');
    }

    /** @return array<string, mixed> what changes in the record after a live question */
    private function learn(PazarRecord $record, PazarOutcome $live, string $code, int $now): array
    {
        if ($live->isValid()) {
            return [
                'verdict' => 'valid',
                'reason' => '',
                'answer' => $live->receipt,
                'offset' => $live->receipt->created - $now,
                'latest' => $live->receipt->created,
                'next_ask' => $now + $this->options->ttl,
                'refused_at' => 0,
            ];
        }
        return $live->isInvalid()
            ? $this->learnRefusal($record, $live, $now)
            : $this->learnFailure($record, $live, $code, $now);
    }

    /**
     * A signed "no" counts at once. An unsigned one must come twice before it ends a "yes".
     *
     * @return array<string, mixed>
     */
    private function learnRefusal(PazarRecord $record, PazarOutcome $live, int $now): array
    {
        $refusedAt = $record->refusedAt > 0 ? min($record->refusedAt, $now) : $now;
        $isConfirmed = $this->verifier !== null || $now - $refusedAt >= $this->options->retry;
        if (!$isConfirmed && $this->recall($record, $now)->isValid()) {
            return ['refused_at' => $refusedAt, 'next_ask' => $now + $this->options->retry];
        }
        return [
            'verdict' => 'invalid',
            'reason' => $live->reason,
            'answer' => null,
            'next_ask' => $now + $this->options->ttl,
            'refused_at' => 0,
        ];
    }

    /**
     * Keeps what is known. A receipt that is to replace the server is verified once more.
     *
     * @return array<string, mixed>
     */
    private function learnFailure(PazarRecord $record, PazarOutcome $live, string $code, int $now): array
    {
        $wait = max($this->options->retry, min($live->retryAfter, $this->options->ttl));
        $changes = ['next_ask' => $now + $wait];
        if ($record->verdict === 'invalid') {
            return $changes;
        }
        if ($record->answer === null) {
            return $changes + ['reason' => $live->reason];
        }
        $fault = $this->verifier === null ? null : $this->verifier->fault($record->answer, $code);
        return $fault === null ? $changes : $changes + ['verdict' => '', 'reason' => $fault, 'answer' => null];
    }

    private function readRecord(string $code): PazarRecord
    {
        return PazarRecord::parse($this->store()->read(), $code, $this->options->secret());
    }

    /**
     * Null if the store holds another record by now, or cannot be written.
     *
     * @param array<string, mixed> $changes
     */
    private function writeRecord(PazarRecord $record, array $changes): ?PazarRecord
    {
        $changed = $record->with($changes);
        $old = $record->text;
        $changed->text = $changed->render($this->options->secret());
        return $this->store()->replace($old, $changed->text) ? $changed : null;
    }

    private function store(): PazarStore
    {
        if ($this->options->store === null) {
            throw new LogicException('Pazar: cached(), check() and forget() need the option "store".');
        }
        return $this->options->store;
    }

    /**
     * @param array<string, mixed> $query
     * @return array<mixed>
     */
    private function read(string $path, array $query, string $member): array
    {
        $query['lang'] = $this->options->lang;
        try {
            $response = $this->send($path . '?' . http_build_query($query, '', '&'), null);
        } catch (PazarTransportFailure $failure) {
            throw new PazarException($failure->reason, 0, '', $failure);
        }
        $body = $response->json();
        if ($response->status !== 200 || !is_array($body[$member] ?? null)) {
            throw new PazarException($response->failure(), $response->status, $response->requestId());
        }
        return $body[$member];
    }

    private function send(string $path, ?string $form): PazarResponse
    {
        $headers = ['X-Api-Key' => $this->options->key, 'Accept' => 'application/json'];
        return $this->options->http->send($this->options->baseUrl . $path, $headers, $form, $this->options->timeout);
    }
}

/** Valid, invalid or unknown. "Unknown" is not a "no": there is no answer. */
final class PazarOutcome
{
    /** valid, invalid or unknown */
    public string $state;
    /** Why it is not valid; empty if it is. */
    public string $reason = '';
    /** @var array<string, mixed>|null the purchase with its item, if valid */
    public ?array $purchase = null;
    /** If valid: server (asked now), cache (asked within a day) or receipt (the server could not be asked). */
    public string $source = '';
    /** Seconds until asking again makes sense. */
    public int $retryAfter = 0;
    /** For the operator of the server, when asking for help. */
    public string $requestId = '';
    /** The answer behind "valid". */
    public ?PazarAnswer $receipt = null;

    private function __construct(string $state, string $reason, string $requestId)
    {
        $this->state = $state;
        $this->reason = $reason;
        $this->requestId = $requestId;
    }

    /** @param array<string, mixed> $purchase */
    public static function valid(array $purchase, string $source, PazarAnswer $receipt, string $requestId): self
    {
        $outcome = new self('valid', '', $requestId);
        $outcome->purchase = $purchase;
        $outcome->source = $source;
        $outcome->receipt = $receipt;
        return $outcome;
    }

    public static function invalid(string $reason, string $requestId = ''): self
    {
        return new self('invalid', $reason, $requestId);
    }

    public static function unknown(string $reason, int $retryAfter = 0, string $requestId = ''): self
    {
        $outcome = new self('unknown', $reason, $requestId);
        $outcome->retryAfter = $retryAfter;
        return $outcome;
    }

    public function isValid(): bool
    {
        return $this->state === 'valid';
    }

    public function isInvalid(): bool
    {
        return $this->state === 'invalid';
    }

    public function isUnknown(): bool
    {
        return $this->state === 'unknown';
    }
}

/** account(), items() or item() did not succeed. */
final class PazarException extends RuntimeException
{
    public string $reason;
    /** The HTTP status; 0 if there was no response. */
    public int $status;
    public string $requestId;

    public function __construct(string $reason, int $status, string $requestId, ?Throwable $previous = null)
    {
        parent::__construct("Pazar: $reason", 0, $previous);
        $this->reason = $reason;
        $this->status = $status;
        $this->requestId = $requestId;
    }
}

final class PazarOptions
{
    private const DAY = 86400;

    /** Of the server, such as https://licences.example.com */
    public string $baseUrl;
    public string $key;
    /** @var array<int, string> ids to accept; required for a validation key */
    public array $items;
    /** @var array<int, string> pinned public keys: the member x of the server's key set */
    public array $keys;
    /** Seconds, for the whole request. */
    public float $timeout;
    /** Seconds that a product works without the server; the option is "grace_days". */
    public int $grace;
    /** Seconds from one answer to the next question. */
    public int $ttl;
    /** Seconds from one failure to the next question. */
    public int $retry;
    /** en or tr: the language of the server's messages. */
    public string $lang;
    public ?PazarStore $store;
    public PazarHttp $http;
    /** @var callable(): int */
    private $clock;
    /** @var string|callable(): string */
    private $secret;

    private function __construct()
    {
    }

    /**
     * @param array<string, mixed> $given
     * @throws InvalidArgumentException
     */
    public static function parse(array $given): self
    {
        $defaults = [
            'base_url' => '', 'key' => '', 'items' => [], 'keys' => [], 'timeout' => 5, 'grace_days' => 14,
            'ttl' => self::DAY, 'retry' => 3600, 'lang' => 'en', 'store' => null, 'clock' => 'time',
            'http' => null, 'secret' => null,
        ];
        $names = implode(', ', array_keys($defaults));
        self::expect(array_diff_key($given, $defaults) === [], "the only options are $names");
        $given += $defaults;
        // As the server does, so that a key that was pasted with a blank has the same kind here and there.
        $key = is_string($given['key']) ? PazarCode::trim($given['key']) : '';
        self::expect($key !== '', '"key" is missing');
        $options = new self();
        $options->baseUrl = self::parseBaseUrl($given['base_url']);
        $options->key = $key;
        $options->items = array_map('strval', array_values((array) $given['items']));
        $isValidationKey = strpos($options->key, 'pzr_vk_') === 0;
        self::expect(!$isValidationKey || $options->items !== [], 'a validation key needs "items", the ids to accept');
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
        $options->http = $given['http'] ?? new PazarCurl();
        $options->clock = $given['clock'];
        $options->secret = $given['secret'] ?? $options->key;
        return $options;
    }

    /** Unix time in seconds, as this machine has it. */
    public function now(): int
    {
        return ($this->clock)();
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
        return ['baseUrl' => $this->baseUrl, 'items' => $this->items, 'keys' => $this->keys];
    }

    /** @param mixed $url */
    private static function parseBaseUrl($url): string
    {
        $isUrl = is_string($url) && preg_match('#^https?://[^/?\#@\s]+(/[^?\#\s]*)?$#Di', $url) === 1;
        self::expect($isUrl, '"base_url" must be an http or https address');
        return rtrim($url, '/');
    }

    /** @param mixed $key */
    private static function parseKey($key): string
    {
        $isKey = is_string($key) && strlen(PazarVerifier::decodeBase64Url($key)) === 32;
        self::expect($isKey, 'each of "keys" must be 32 bytes in base64url');
        return $key;
    }

    private static function expect(bool $isGood, string $problem): void
    {
        if (!$isGood) {
            throw new InvalidArgumentException("Pazar: $problem.");
        }
    }
}

/** A purchase code as the server takes it. */
final class PazarCode
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

/** An answer about a purchase code. With its signature it is a receipt, which can be verified at any time. */
final class PazarAnswer
{
    private const SIGNED = '("@status" "unencoded-digest" "pazar-reason" "pazar-question")';

    public int $status;
    public string $body;
    public string $reason;
    /** The header fields Signature-Input and Signature; empty if the answer is not signed. */
    public string $input;
    public string $signature;
    public string $nonce;
    /** Unix time on the server's clock. */
    public int $created;
    public int $expires;
    /** @var array<int, mixed> keys of the server with their endorsements, if a pinned key did not sign */
    public array $keys = [];

    public static function fromResponse(PazarResponse $response, string $nonce, int $now, int $grace): self
    {
        return self::fromArray([
            'status' => $response->status,
            'body' => $response->body,
            'reason' => $response->header('pazar-reason'),
            'input' => $response->header('signature-input'),
            'signature' => $response->header('signature'),
            'nonce' => $nonce,
            'created' => $now,
            'expires' => $now + $grace,
            'keys' => [],
        ]);
    }

    /** @param array<string, mixed> $members */
    public static function fromArray(array $members): self
    {
        $answer = new self();
        foreach ($members as $name => $value) {
            if (property_exists(self::class, $name)) {
                $answer->$name = $value;
            }
        }
        $signed = $answer->nonce === '' ? null : $answer->parameters();
        if ($signed !== null) {
            $answer->created = $signed['created'];
            $answer->expires = $signed['expires'];
        }
        return $answer;
    }

    /** @return array<string, mixed> */
    public function toArray(): array
    {
        return get_object_vars($this);
    }

    /** @return array<string, mixed>|null null if the answer has no purchase with an item */
    public function purchase(): ?array
    {
        $purchase = json_decode($this->body, true)['data']['purchase'] ?? null;
        return is_numeric($purchase['item']['id'] ?? null) ? $purchase : null;
    }

    /** @return array<string, mixed>|null what the signature says of itself; null if it is not one of Pazar */
    public function parameters(): ?array
    {
        $pattern = '/^pazar=(' . preg_quote(self::SIGNED, '/') . ';created=(\d{1,12});expires=(\d{1,12})'
            . ';nonce="([\w-]{16,128})";keyid="([\w-]{43})";alg="ed25519";tag="([a-z-]{1,40})")$/D';
        if (preg_match($pattern, $this->input, $found) !== 1) {
            return null;
        }
        return [
            'text' => $found[1],
            'created' => (int) $found[2],
            'expires' => (int) $found[3],
            'nonce' => $found[4],
            'keyid' => $found[5],
            'tag' => $found[6],
        ];
    }

    /** The bytes that are signed. Digest and question are computed here, so they cannot be another answer's. */
    public function signatureBase(string $code, string $parameters): string
    {
        return "\"@status\": {$this->status}\n"
            . '"unencoded-digest": ' . self::digest($this->body) . "\n"
            . "\"pazar-reason\": {$this->reason}\n"
            . '"pazar-question": ' . self::digest($code) . "\n"
            . "\"@signature-params\": $parameters";
    }

    private static function digest(string $text): string
    {
        return 'sha-256=:' . base64_encode(hash('sha256', $text, true)) . ':';
    }
}

/** Judges signed answers by pinned keys, and by keys that a chain of endorsements leads to. */
final class PazarVerifier
{
    /** Each endorsement may cost 150 ms, so a hostile key set must not be long. */
    private const KEYS_MAX = 16;
    private const ENDORSEMENTS_MAX = 4;

    /** @var array<string, string> public keys (32 bytes) by their thumbprint */
    private array $pinned = [];
    private string $tag;

    /** @param array<int, string> $keys base64url */
    public function __construct(array $keys, string $tag)
    {
        foreach ($keys as $key) {
            $this->pinned[self::thumbprint($key)] = self::decodeBase64Url($key);
        }
        $this->tag = $tag;
    }

    /**
     * WordPress brings the function where the extension sodium is missing.
     *
     * @param array<int, string> $keys
     */
    public static function isPossible(array $keys): bool
    {
        return $keys !== [] && function_exists('sodium_crypto_sign_verify_detached');
    }

    /** Why the answer does not count as an answer about this code, or null if it does. */
    public function fault(PazarAnswer $answer, string $code): ?string
    {
        if ($answer->input === '' || $answer->signature === '') {
            return 'unsigned';
        }
        $parameters = $answer->parameters();
        if ($parameters === null || preg_match('#^pazar=:([\w+/=]{88}):$#D', $answer->signature, $found) !== 1) {
            return 'forged';
        }
        $keyId = $parameters['keyid'];
        $key = $this->pinned[$keyId] ?? $this->trustedKeys($answer->keys)[$keyId] ?? null;
        if ($key === null) {
            return 'unknown_signer';
        }
        $base = $answer->signatureBase($code, $parameters['text']);
        $isSigned = self::isSignature(self::decodeBase64($found[1]), $base, $key);
        if (!$isSigned || $parameters['tag'] !== $this->tag) {
            return 'forged';
        }
        return $parameters['nonce'] === $answer->nonce ? null : 'replayed';
    }

    /**
     * The members of a key set that endorsements need.
     *
     * @param array<mixed>|null $set
     * @return array<int, mixed>
     */
    public static function listKeys(?array $set): array
    {
        $listed = [];
        foreach (self::listObjects($set['keys'] ?? null, self::KEYS_MAX) as $key) {
            $x = $key['x'] ?? null;
            if (is_string($x) && strlen(self::decodeBase64Url($x)) === 32) {
                $listed[] = ['x' => $x, 'endorsed' => self::listEndorsements($key['endorsed'] ?? null)];
            }
        }
        return $listed;
    }

    /**
     * @param mixed $endorsed
     * @return array<int, array{by: string, sig: string}>
     */
    private static function listEndorsements($endorsed): array
    {
        $listed = [];
        foreach (self::listObjects($endorsed, self::ENDORSEMENTS_MAX) as $endorsement) {
            if (is_string($endorsement['by'] ?? null) && is_string($endorsement['sig'] ?? null)) {
                $listed[] = ['by' => $endorsement['by'], 'sig' => $endorsement['sig']];
            }
        }
        return $listed;
    }

    /**
     * @param mixed $list
     * @return array<int, array<mixed>>
     */
    private static function listObjects($list, int $countMax): array
    {
        return is_array($list) ? array_filter(array_slice($list, 0, $countMax), 'is_array') : [];
    }

    /** RFC 7638 */
    public static function thumbprint(string $x): string
    {
        $hash = hash('sha256', "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"$x\"}", true);
        return rtrim(strtr(base64_encode($hash), '+/', '-_'), '=');
    }

    /** Empty if it is not base64url. */
    public static function decodeBase64Url(string $text): string
    {
        $padding = str_repeat('=', (4 - strlen($text) % 4) % 4);
        return strpbrk($text, '+/=') === false ? self::decodeBase64(strtr($text, '-_', '+/') . $padding) : '';
    }

    /** Empty if the same bytes are usually written in another way: one signature has one spelling. */
    private static function decodeBase64(string $text): string
    {
        $bytes = (string) base64_decode($text, true);
        return base64_encode($bytes) === $text ? $bytes : '';
    }

    /**
     * @param array<int, mixed> $endorsedKeys
     * @return array<string, string>
     */
    private function trustedKeys(array $endorsedKeys): array
    {
        $trusted = $this->pinned;
        do {
            $count = count($trusted);
            foreach ($endorsedKeys as $key) {
                $name = self::thumbprint($key['x']);
                if (!isset($trusted[$name]) && self::isEndorsed($name, $key['endorsed'], $trusted)) {
                    $trusted[$name] = self::decodeBase64Url($key['x']);
                }
            }
        } while (count($trusted) > $count);
        return $trusted;
    }

    /**
     * @param array<int, array{by: string, sig: string}> $endorsements
     * @param array<string, string> $trusted
     */
    private static function isEndorsed(string $name, array $endorsements, array $trusted): bool
    {
        foreach ($endorsements as $endorsement) {
            $key = $trusted[$endorsement['by']] ?? null;
            $signature = self::decodeBase64Url($endorsement['sig']);
            if ($key !== null && self::isSignature($signature, "pazar-key:$name", $key)) {
                return true;
            }
        }
        return false;
    }

    private static function isSignature(string $signature, string $text, string $key): bool
    {
        return strlen($signature) === 64 && sodium_crypto_sign_verify_detached($signature, $text, $key);
    }
}

/** The stored record of one code, under an HMAC, so that a page load needs no Ed25519. */
final class PazarRecord
{
    /** valid, invalid, or empty if there is no answer yet. */
    public string $verdict = '';
    public string $reason = 'not_asked';
    public ?PazarAnswer $answer = null;
    /** The server's clock minus this machine's, in seconds. */
    public int $offset = 0;
    /** The latest moment that was seen, on the server's clock. */
    public int $latest = 0;
    /** When to ask again, on this machine's clock. */
    public int $nextAsk = 0;
    /** When an unsigned "no" came that waits for a second one. */
    public int $refusedAt = 0;
    /** The text of the store when this was read. */
    public ?string $text;
    private string $code;

    private function __construct(?string $text, string $code)
    {
        $this->text = $text;
        $this->code = hash('sha256', $code);
    }

    /** A record of another code counts as none, and so does one that was changed. */
    public static function parse(?string $text, string $code, string $secret): self
    {
        $record = new self($text, $code);
        if ($text === null) {
            return $record;
        }
        [$mac, $json] = explode(' ', $text, 2) + ['', ''];
        if (!hash_equals(hash_hmac('sha256', $json, $secret), $mac)) {
            $record->reason = 'forged';
            return $record;
        }
        $members = json_decode($json, true);
        return $members['code'] === $record->code ? $record->with($members) : $record;
    }

    public function render(string $secret): string
    {
        $json = json_encode([
            'code' => $this->code,
            'verdict' => $this->verdict,
            'reason' => $this->reason,
            'answer' => $this->answer === null ? null : $this->answer->toArray(),
            'offset' => $this->offset,
            'latest' => $this->latest,
            'next_ask' => $this->nextAsk,
            'refused_at' => $this->refusedAt,
        ]);
        return hash_hmac('sha256', $json, $secret) . ' ' . $json;
    }

    /** @param array<string, mixed> $changes */
    public function with(array $changes): self
    {
        $answer = array_key_exists('answer', $changes) ? $changes['answer'] : $this->answer;
        $record = clone $this;
        $record->verdict = $changes['verdict'] ?? $this->verdict;
        $record->reason = $changes['reason'] ?? $this->reason;
        $record->answer = is_array($answer) ? PazarAnswer::fromArray($answer) : $answer;
        $record->offset = $changes['offset'] ?? $this->offset;
        $record->latest = $changes['latest'] ?? $this->latest;
        $record->nextAsk = $changes['next_ask'] ?? $this->nextAsk;
        $record->refusedAt = $changes['refused_at'] ?? $this->refusedAt;
        return $record;
    }

    /** A clock that was set back does not turn time back. */
    public function serverTime(int $now): int
    {
        return max($this->latest, $now + $this->offset);
    }

    public function isSetBack(int $now): bool
    {
        return $now + $this->offset < $this->latest;
    }

    /** @return array<string, int> changes: if the clock was set back, time counts on from the latest moment */
    public function clockAt(int $now): array
    {
        $latest = $this->serverTime($now);
        return ['latest' => $latest, 'offset' => $latest - $now];
    }

    /** A moment further away than any wait was written by a clock that was wrong. */
    public function isDue(int $now, int $waitMax): bool
    {
        return $now >= $this->nextAsk || $this->nextAsk - $now > $waitMax;
    }
}

/** Keeps one record. */
interface PazarStore
{
    /** Null if there is none. */
    public function read(): ?string;

    /**
     * Writes $new if the store still holds $old (null: nothing), in one step. False if another process was
     * faster or the store cannot be written. Must not throw.
     */
    public function replace(?string $old, string $new): bool;

    public function delete(): void;
}

/** A file that only its owner can read, and a lock file beside it. Keep it out of the web server's folder. */
final class PazarFileStore implements PazarStore
{
    private string $path;

    public function __construct(string $path)
    {
        $this->path = $path;
    }

    public function read(): ?string
    {
        $text = @file_get_contents($this->path);
        return $text === false ? null : $text;
    }

    public function replace(?string $old, string $new): bool
    {
        $lock = @fopen($this->path . '.lock', 'c');
        if ($lock === false || !flock($lock, LOCK_EX)) {
            return false;
        }
        try {
            return $this->read() === $old && $this->write($new);
        } finally {
            fclose($lock);
        }
    }

    public function delete(): void
    {
        @unlink($this->path);
    }

    /** Writes beside and renames, so that no reader sees half a record. */
    private function write(string $text): bool
    {
        $beside = $this->path . '.' . bin2hex(random_bytes(6));
        $file = @fopen($beside, 'x');
        if ($file === false) {
            return false;
        }
        chmod($beside, 0600);
        $isWritten = fwrite($file, $text) === strlen($text) && fclose($file) && @rename($beside, $this->path);
        if (!$isWritten) {
            @unlink($beside);
        }
        return $isWritten;
    }
}

/** An option of WordPress that is not autoloaded. */
final class PazarWordPressStore implements PazarStore
{
    private string $option;

    public function __construct(string $option)
    {
        $this->option = $option;
    }

    public function read(): ?string
    {
        $text = get_option($this->option, null);
        return is_string($text) ? $text : null;
    }

    /** By SQL, because update_option() would overwrite what another page load wrote. */
    public function replace(?string $old, string $new): bool
    {
        global $wpdb;
        if ($old === null) {
            $sql = "INSERT IGNORE INTO {$wpdb->options} (option_name, option_value, autoload) VALUES (%s, %s, 'no')";
            $changed = $wpdb->query($wpdb->prepare($sql, $this->option, $new));
        } else {
            $where = ['option_name' => $this->option, 'option_value' => $old];
            $changed = $wpdb->update($wpdb->options, ['option_value' => $new], $where);
        }
        wp_cache_delete($this->option, 'options');
        wp_cache_delete('notoptions', 'options');
        return $changed === 1;
    }

    public function delete(): void
    {
        delete_option($this->option);
    }
}

/** Laravel's cache: app('cache')->store(). Emptying the cache forgets the answer; a file does not. */
final class PazarLaravelStore implements PazarStore
{
    private const LOCK_SECONDS = 10;

    /** @var \Illuminate\Contracts\Cache\Repository */
    private $cache;
    private string $name;

    /** @param \Illuminate\Contracts\Cache\Repository $cache of a driver with locks; all of Laravel's have them */
    public function __construct($cache, string $name = 'pazar')
    {
        $this->cache = $cache;
        $this->name = $name;
    }

    public function read(): ?string
    {
        $text = $this->cache->get($this->name);
        return is_string($text) ? $text : null;
    }

    public function replace(?string $old, string $new): bool
    {
        $lock = $this->cache->lock($this->name . ':lock', self::LOCK_SECONDS);
        if (!$lock->get()) {
            return false;
        }
        try {
            return $this->read() === $old && $this->cache->forever($this->name, $new);
        } finally {
            $lock->release();
        }
    }

    public function delete(): void
    {
        $this->cache->forget($this->name);
    }
}

/** How requests are sent. */
interface PazarHttp
{
    /**
     * GET without a form, POST with one. Follows no redirect, verifies TLS, decodes the content.
     *
     * @param array<string, string> $headers
     * @param string|null $form application/x-www-form-urlencoded
     * @throws PazarTransportFailure
     */
    public function send(string $url, array $headers, ?string $form, float $timeout): PazarResponse;
}

/** There is no response. */
final class PazarTransportFailure extends RuntimeException
{
    /** unreachable or timeout */
    public string $reason;

    public function __construct(string $reason, string $message)
    {
        parent::__construct($message);
        $this->reason = $reason;
    }
}

final class PazarResponse
{
    public int $status;
    public string $body;
    /** @var array<string, string> by lower-case name */
    private array $headers;

    /** @param array<string, string> $headers */
    public function __construct(int $status, array $headers, string $body)
    {
        $this->status = $status;
        $this->headers = array_change_key_case($headers);
        $this->body = $body;
    }

    /** Empty if there is none, or if it is not plain text. */
    public function header(string $name): string
    {
        $value = $this->headers[$name] ?? '';
        return preg_match('/^[ -~]*$/D', $value) === 1 ? $value : '';
    }

    /** @return array<mixed>|null null if the body is not a JSON object */
    public function json(): ?array
    {
        $value = strpos(ltrim($this->body), '{') === 0 ? json_decode($this->body, true) : null;
        return is_array($value) ? $value : null;
    }

    /** Why this is no answer: the server's reason, or what can be told without it. */
    public function failure(): string
    {
        $reason = $this->header('pazar-reason');
        $isFailure = !in_array($reason, ['ok', 'unknown_code', 'revoked_code'], true);
        if ($isFailure && preg_match('/^[a-z_]{1,40}$/D', $reason) === 1) {
            return $reason;
        }
        if ($this->status === 429) {
            return 'rate_limited';
        }
        return $this->status >= 500 ? 'unavailable' : 'not_json';
    }

    public function retryAfter(): int
    {
        $seconds = $this->header('retry-after');
        return preg_match('/^\d{1,8}$/D', $seconds) === 1 ? (int) $seconds : 0;
    }

    public function requestId(): string
    {
        return $this->header('request-id');
    }
}

final class PazarCurl implements PazarHttp
{
    public function send(string $url, array $headers, ?string $form, float $timeout): PazarResponse
    {
        $received = [];
        $curl = curl_init($url);
        curl_setopt_array($curl, [
            CURLOPT_HTTPHEADER => self::listHeaders($headers),
            CURLOPT_USERAGENT => 'pazar-php',
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_SSL_VERIFYPEER => true,
            CURLOPT_SSL_VERIFYHOST => 2,
            CURLOPT_ENCODING => '',
            CURLOPT_NOSIGNAL => true,
            CURLOPT_TIMEOUT_MS => (int) ceil($timeout * 1000),
            CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use (&$received): int {
                if (strpos($line, 'HTTP/') === 0) {
                    $received = [];
                }
                [$name, $value] = explode(':', $line, 2) + ['', ''];
                $received[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ]);
        if ($form !== null) {
            curl_setopt($curl, CURLOPT_POSTFIELDS, $form);
        }
        $body = curl_exec($curl);
        if ($body === false) {
            $reason = curl_errno($curl) === CURLE_OPERATION_TIMEDOUT ? 'timeout' : 'unreachable';
            throw new PazarTransportFailure($reason, curl_error($curl));
        }
        return new PazarResponse((int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $received, $body);
    }

    /**
     * @param array<string, string> $headers
     * @return array<int, string>
     */
    private static function listHeaders(array $headers): array
    {
        $lines = [];
        foreach ($headers as $name => $value) {
            $lines[] = "$name: $value";
        }
        return $lines;
    }
}

/** WordPress's own HTTP functions, which use the site's proxy and certificates. */
final class PazarWordPressHttp implements PazarHttp
{
    public function send(string $url, array $headers, ?string $form, float $timeout): PazarResponse
    {
        $arguments = ['headers' => $headers, 'timeout' => $timeout, 'redirection' => 0, 'sslverify' => true];
        $response = $form === null
            ? wp_remote_get($url, $arguments)
            : wp_remote_post($url, $arguments + ['body' => $form]);
        if (is_wp_error($response)) {
            $message = $response->get_error_message();
            $reason = stripos($message, 'timed out') === false ? 'unreachable' : 'timeout';
            throw new PazarTransportFailure($reason, $message);
        }
        $received = [];
        foreach (wp_remote_retrieve_headers($response) as $name => $value) {
            $received[$name] = is_array($value) ? implode(', ', $value) : $value;
        }
        $status = (int) wp_remote_retrieve_response_code($response);
        return new PazarResponse($status, $received, wp_remote_retrieve_body($response));
    }
}

/** A licence in a plugin or theme of WordPress: settings page, daily check, notice. */
final class PazarWordPress
{
    private const CAPABILITY = 'manage_options';
    private const TEXTS = [
        'en' => [
            'code' => 'Purchase code',
            'save' => 'Save and check',
            'none' => 'Enter the purchase code of %s to activate it.',
            'valid' => 'Active: %1$s, licence %2$s.',
            'unknown_code' => 'This purchase code is not known. Please check it.',
            'revoked_code' => 'This purchase was refunded.',
            'other_item' => 'This purchase code belongs to another product.',
            'unknown' => 'The purchase code could not be checked yet (%s). It is tried again by itself.',
            'receipt_expired' => 'The licence server has not been reached for too long. It is tried again by itself.',
        ],
        'tr' => [
            'code' => 'Satın alma kodu',
            'save' => 'Kaydet ve doğrula',
            'none' => '%s ürününü etkinleştirmek için satın alma kodunu girin.',
            'valid' => 'Etkin: %1$s, lisans %2$s.',
            'unknown_code' => 'Bu satın alma kodu bilinmiyor. Lütfen kodu kontrol edin.',
            'revoked_code' => 'Bu satın alma iade edildi.',
            'other_item' => 'Bu satın alma kodu başka bir ürüne ait.',
            'unknown' => 'Satın alma kodu henüz doğrulanamadı (%s). Kendiliğinden yeniden denenecek.',
            'receipt_expired' => 'Lisans sunucusuna uzun süredir ulaşılamıyor. Kendiliğinden yeniden denenecek.',
        ],
    ];

    private PazarClient $client;
    private string $name;
    private string $title;

    /** @param array<string, mixed> $options */
    private function __construct(string $name, string $title, array $options)
    {
        $this->name = $name;
        $this->title = $title;
        $this->client = new PazarClient($options + [
            'store' => new PazarWordPressStore($name . '_record'),
            'http' => new PazarWordPressHttp(),
            'secret' => static fn (): string => wp_salt('auth'),
        ]);
    }

    /**
     * Call it while the plugin or theme is loaded. The result answers from "plugins_loaded" on.
     *
     * @param array<string, mixed> $options those of PazarClient, and: name (of the options, the page and the event;
     *     lower case letters, digits, underscores), title (of the product), file (of the plugin: deactivating it
     *     ends the daily check)
     */
    public static function boot(array $options): self
    {
        $name = $options['name'] ?? '';
        $title = $options['title'] ?? '';
        if (preg_match('/^[a-z][a-z0-9_]{2,40}$/D', $name) !== 1 || $title === '') {
            throw new InvalidArgumentException('Pazar: "name" (letters, digits, underscores) and "title" are needed.');
        }
        $file = $options['file'] ?? null;
        unset($options['name'], $options['title'], $options['file']);
        $licence = new self($name, $title, $options);
        $licence->register($file);
        return $licence;
    }

    /** For page loads: reads two options and sends no request. */
    public function outcome(): PazarOutcome
    {
        return $this->client->cached($this->code());
    }

    public function isValid(): bool
    {
        return $this->outcome()->isValid();
    }

    /** The daily event, and the one that follows a failure. */
    public function runCheck(): void
    {
        if ($this->code() === '') {
            return;
        }
        $outcome = $this->client->check($this->code());
        if ($outcome->isUnknown() || $outcome->source === 'receipt') {
            wp_schedule_single_event(time() + $outcome->retryAfter, $this->event(), ['retry']);
        }
        do_action('pazar_checked', $outcome, $this->name);
    }

    public function scheduleCheck(): void
    {
        if (!wp_next_scheduled($this->event())) {
            wp_schedule_event(time(), 'daily', $this->event());
        }
    }

    public function unscheduleCheck(): void
    {
        wp_unschedule_hook($this->event());
    }

    public function addPage(): void
    {
        add_options_page($this->title, $this->title, self::CAPABILITY, $this->name, [$this, 'showPage']);
    }

    public function showPage(): void
    {
        if (!current_user_can(self::CAPABILITY)) {
            return;
        }
        printf('<div class="wrap"><h1>%s</h1><p>%s</p>', esc_html($this->title), esc_html($this->statusText()));
        printf('<form method="post" action="%s">', esc_url(admin_url('admin-post.php')));
        printf('<input type="hidden" name="action" value="%s">', esc_attr($this->saveAction()));
        wp_nonce_field($this->saveAction());
        printf(
            '<p><label>%s <input class="regular-text" name="purchase_code" value="%s" autocomplete="off"></label></p>',
            esc_html($this->text('code')),
            esc_attr($this->code())
        );
        printf('<p><button class="button button-primary">%s</button></p></form></div>', esc_html($this->text('save')));
    }

    /** Takes the form of the settings page. */
    public function save(): void
    {
        if (!current_user_can(self::CAPABILITY)) {
            wp_die('', '', ['response' => 403]);
        }
        check_admin_referer($this->saveAction());
        update_option($this->codeOption(), self::parseCode($_POST['purchase_code'] ?? null), false);
        if (!$this->isValid()) {
            // There is no receipt to lose, so ask now, even if the last question was a moment ago.
            $this->client->forget();
        }
        $this->runCheck();
        wp_safe_redirect(admin_url('options-general.php?page=' . $this->name));
    }

    /** Shown to those who can do something about it. */
    public function showNotice(): void
    {
        if (!current_user_can(self::CAPABILITY)) {
            return;
        }
        $outcome = $this->outcome();
        if ($outcome->isValid()) {
            return;
        }
        $text = apply_filters('pazar_notice', $this->statusText(), $outcome, $this->name);
        if ($text !== '') {
            $kind = $outcome->isInvalid() ? 'notice-error' : 'notice-warning';
            $page = esc_url(admin_url('options-general.php?page=' . $this->name));
            $line = '<div class="notice %s"><p><a href="%s">%s</a>: %s</p></div>';
            printf($line, esc_attr($kind), $page, esc_html($this->title), esc_html($text));
        }
    }

    /**
     * Not sanitize_text_field(): that drops what a code may contain, such as "%20". Output is escaped.
     *
     * @param mixed $posted
     */
    private static function parseCode($posted): string
    {
        $code = is_string($posted) ? PazarCode::trim(wp_unslash($posted)) : '';
        return PazarCode::fault($code) === null ? $code : '';
    }

    private function register(?string $file): void
    {
        add_action('init', [$this, 'scheduleCheck']);
        add_action($this->event(), [$this, 'runCheck'], 10, 0);
        add_action('admin_menu', [$this, 'addPage']);
        add_action('admin_notices', [$this, 'showNotice']);
        add_action('admin_post_' . $this->saveAction(), [$this, 'save']);
        if ($file !== null) {
            register_deactivation_hook($file, [$this, 'unscheduleCheck']);
        }
    }

    private function code(): string
    {
        return (string) get_option($this->codeOption(), '');
    }

    private function codeOption(): string
    {
        return $this->name . '_code';
    }

    private function event(): string
    {
        return $this->name . '_check';
    }

    private function saveAction(): string
    {
        return $this->name . '_save';
    }

    private function statusText(): string
    {
        if ($this->code() === '') {
            return sprintf($this->text('none'), $this->title);
        }
        $outcome = $this->outcome();
        if ($outcome->isValid()) {
            $licence = (string) ($outcome->purchase['license_type'] ?? '');
            return sprintf($this->text('valid'), (string) ($outcome->purchase['item']['name'] ?? ''), $licence);
        }
        return $outcome->isInvalid() || $outcome->reason === 'receipt_expired'
            ? $this->text($outcome->reason)
            : sprintf($this->text('unknown'), $outcome->reason);
    }

    private function text(string $name): string
    {
        $texts = self::TEXTS[strpos(get_user_locale(), 'tr') === 0 ? 'tr' : 'en'];
        return apply_filters('pazar_texts', $texts, $this->name)[$name];
    }
}
