<?php

declare(strict_types=1);

namespace Pazar;

/** @internal The stored state of one code on one site. Untrusted: its responses must be verified whenever they are read. */
final class Record {
    public ?SignedResponse $valid = null;
    /** The last invalid response. Of consecutive site_limit responses the first, because the three days start with it. */
    public ?SignedResponse $invalid = null;
    /** False while an unsigned "invalid" has not been repeated an hour later. */
    public bool $isConfirmed = true;
    public string $failure = '';
    /** Counts `invalid` and, while not active, `unknown` responses, for the backoff. */
    public int $failures = 0;
    public int $next = 0;
    /** Server clock minus local clock, in seconds. */
    public int $offset = 0;
    /** The latest known time on the server's clock. */
    public int $latest = 0;
    /** Time of the first failed request after a move, on the server's clock. */
    public int $moved = 0;
    /** The verified valid response of the site before it moved here. Not stored. */
    public ?SignedResponse $previous = null;

    public static function parse($fields): self {
        $record = new self();
        foreach (is_array($fields) ? array_intersect_key($fields, get_object_vars($record)) : [] as $name => $value) {
            try {
                $record->$name = is_array($value) ? SignedResponse::parse($value) : $value;
            } catch (\TypeError $error) {
                continue;
            }
        }
        return $record;
    }

    /** Current time on the server's clock. It never decreases, even if the local clock is set back. */
    public function time(int $now): int { return max($this->latest, $now + $this->offset); }
}

/** @internal The content of a store: one record per code and site, and the state that all records share. */
final class Records {
    public ?string $text;
    public string $nonce = '';
    public array $keys = [];
    /** At most 128, the newest last; see Verifier. Empty where sodium verifies. */
    public array $macs = [];
    /** Random id of the process that sends a request; empty if none does. */
    public string $claim = '';
    public int $claimEnds = 0;
    /** Changed to find out whether the store can be written. */
    public string $probe = '';
    private array $records = [];

    public function __construct(?string $text) {
        $hasHmac = preg_match('/^[0-9a-f]{64} \{/', (string) $text) === 1;
        $fields = json_decode($hasHmac ? substr((string) $text, 65) : (string) $text, true);
        try {
            $fields = $hasHmac ? self::convert($fields) : (array) $fields;
            foreach (array_intersect_key($fields, get_object_vars($this)) as $name => $value) {
                $this->$name = $value;
            }
        } catch (\TypeError $error) {
            // The text is untrusted: fields of the wrong type are ignored.
        }
        [$this->text, $this->keys] = [$text, Verifier::listKeys($this->keys)];
        $this->macs = Ed25519::isSlow() ? array_filter($this->macs, 'is_string') : [];
    }

    /** Returns an empty record if none is stored. */
    public function find(string $code, string $site): Record {
        $old = $this->records[self::nameOld(hash('sha256', $code), $site)] ?? null;
        if (is_array($old['valid'] ?? null)) {
            $old['valid']['code'] = $code;
        }
        return Record::parse($this->records[self::name($code, $site)] ?? $old);
    }

    /** @return Record[] newest first */
    public function list(): array { return array_map([Record::class, 'parse'], $this->records); }

    /** Stores at most eight records. The oldest without a valid response is dropped first. */
    public function put(string $code, string $site, Record $record): void {
        $this->remove($code, $site);
        $neverValid = array_filter($this->records, fn ($other): bool => !isset($other['valid']));
        if (count($this->records) >= 8) {
            unset($this->records[array_key_last($neverValid ?: $this->records)]);
        }
        $this->records = [self::name($code, $site) => array_diff_key((array) $record, ['previous' => null])] + $this->records;
    }

    public function remove(string $code, string $site): void {
        unset($this->records[self::name($code, $site)], $this->records[self::nameOld(hash('sha256', $code), $site)]);
    }

    public function render(): string { return (string) json_encode(array_diff_key(get_object_vars($this), ['text' => null])); }
    /** Spellings of the same code have the same name, and so do URLs of the same host. */
    public static function name(string $code, string $site): string { return hash('sha256', Code::fold($code) . "\n" . Site::host($site)); }
    private static function nameOld(string $hash, string $site): string { return "$hash\n" . Site::host($site); }

    /** Versions 0.12.3 and 0.13.0 stored an HMAC and at most two records, whose signed responses are still accepted. */
    private static function convert($old): array {
        $records = [];
        foreach ([$old, $old['kept'] ?? null] as $one) {
            if (is_array($one['answer'] ?? null)) {
                $times = ['offset' => $one['offset'] ?? 0, 'latest' => $one['latest'] ?? 0, 'next' => $one['next_ask'] ?? 0];
                $records[self::nameOld($one['code'] ?? '', $one['answer']['site'] ?? '')] = ['valid' => $one['answer']] + $times;
            }
        }
        return ['nonce' => $old['nonce'] ?? '', 'keys' => $old['keys'] ?? null, 'records' => $records];
    }
}
