<?php

declare(strict_types=1);

namespace Pazar;

/** @internal what is stored about a code on a site. Nothing in it counts before its signature was verified. */
final class Record {
    public ?SignedResponse $valid = null;
    /** What ended "valid"; of several with site_limit the first one, which begins the grace. */
    public ?SignedResponse $invalid = null;
    /** False for an unsigned "invalid" that must be repeated before it ends "valid". */
    public bool $isConfirmed = true;
    /** Why the last request had no verdict; empty if it had one. */
    public string $failure = '';
    /** Requests that make the next pause longer. */
    public int $failures = 0;
    /** When the next request is due, on this machine's clock. */
    public int $next = 0;
    /** The server's clock minus this machine's, in seconds. */
    public int $offset = 0;
    /** The latest time that was seen, on the server's clock. */
    public int $latest = 0;

    /** The fields are from anybody. */
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

    /** Time on the server's clock. A clock that was set back does not turn it back. */
    public function time(int $now): int {
        return max($this->latest, $now + $this->offset);
    }
}

/** @internal the text of a store: a record for each code and site, and what belongs to all of them */
final class Records {
    /** The text as it was read. */
    public ?string $text;
    /** Of the offline activation that has begun; empty if there is none. */
    public string $nonce = '';
    /** Every key that was followed from a pinned one. */
    public array $keys = [];
    /** Of the process that sends a request, and when it ends, on this machine's clock. */
    public string $claim = '';
    public int $claimEnds = 0;
    /** By name, newest first. */
    private array $records = [];

    public function __construct(?string $text) {
        $isSealed = preg_match('/^[0-9a-f]{64} \{/', (string) $text) === 1;
        $fields = json_decode($isSealed ? substr((string) $text, 65) : (string) $text, true);
        try {
            foreach (array_intersect_key($isSealed ? self::convert($fields) : (array) $fields, get_object_vars($this)) as $name => $value) {
                $this->$name = $value;
            }
        } catch (\TypeError $error) {
            // A text that somebody made up.
        }
        [$this->text, $this->keys] = [$text, Verifier::listKeys($this->keys)];
    }

    /** Whether another process sends a request. A claim that ends later than any was written by a wrong clock. */
    public function isClaimed(int $now, float $timeout): bool {
        return $this->claim !== '' && $this->claimEnds > $now && $this->claimEnds - $now <= ceil($timeout);
    }

    /** Empty if there is none. */
    public function find(string $code, string $site): Record {
        $old = $this->records[self::nameOld(hash('sha256', $code), $site)] ?? null;
        if (is_array($old['valid'] ?? null)) {
            $old['valid']['code'] = $code;
        }
        return Record::parse($this->records[self::name($code, $site)] ?? $old);
    }

    /** Beyond eight, the oldest record without a valid response is dropped, else the oldest. */
    public function put(string $code, string $site, Record $record): void {
        $this->remove($code, $site);
        $others = array_filter($this->records, fn ($one): bool => !isset($one['valid']));
        if (count($this->records) >= 8) {
            unset($this->records[array_key_last($others ?: $this->records)]);
        }
        $this->records = [self::name($code, $site) => $record] + $this->records;
    }

    public function remove(string $code, string $site): void {
        unset($this->records[self::name($code, $site)], $this->records[self::nameOld(hash('sha256', $code), $site)]);
    }

    public function render(): string {
        return (string) json_encode(array_diff_key(get_object_vars($this), ['text' => null]));
    }

    /** A code that was typed in another way has the same name, and so has a host with another scheme. */
    public static function name(string $code, string $site): string {
        return hash('sha256', Code::fold($code) . "\n" . Site::host($site));
    }

    private static function nameOld(string $hash, string $site): string {
        return "$hash\n" . Site::host($site);
    }

    /** Versions 0.12.3 and 0.13.0 wrote an HMAC and one record, with the one before. Their signed responses count. */
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
