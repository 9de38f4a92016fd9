<?php

declare(strict_types=1);

namespace Pazar;

/** What is known about a code: valid, invalid or unknown. */
final class Result {
    private const DAY = 86400;
    /** For an active site, from its first site_limit. */
    private const SITE_LIMIT_GRACE = 3 * self::DAY;

    /** valid, invalid, or unknown (there is no verdict) */
    public string $state = 'unknown';
    /** The error code; empty if valid. */
    public string $reason = '';
    /** @var array<string, mixed>|null the purchase with its item, if valid */
    public ?array $purchase = null;
    /** Seconds until check() sends the next request. */
    public int $retryAfter = 0;
    /** server (just now), cache (stored within a day), receipt (stored earlier, or imported); empty if unknown */
    public string $source = '';
    /** False if the product pins no keys: then anybody on the network can forge the response. */
    public bool $isVerified;
    /** The code that this is about; of importReceipt(): that of the receipt, empty if there is none. */
    public string $code;
    private bool $isActive = false;
    private bool $mayUpdate = false;
    private bool $isSupported = false;
    private ?\DateTimeImmutable $supportedUntil = null;

    /** @internal */
    public function __construct(Options $options, string $code, string $reason) {
        [$this->isVerified, $this->code, $this->reason] = [$options->keys !== [], $code, $reason];
    }

    /** @internal what a record says now. Its responses are verified. */
    public static function of(string $code, Record $record, Options $options): self {
        $result = new self($options, $code, $record->failure);
        [$now, $valid, $invalid] = [$options->now(), $record->valid, $record->invalid];
        $time = $record->time($now);
        $wait = $record->next - $now;
        // Further away than any pause: it was written by a wrong clock.
        $result->retryAfter = $wait > self::DAY ? 0 : max(0, $wait);
        if ($invalid !== null && ($record->isConfirmed || $valid === null)) {
            [$result->state, $result->source] = ['invalid', 'cache'];
            $result->reason = $invalid->verdict($options->items)[1];
            $result->isActive = $valid !== null && $time < $invalid->created + self::SITE_LIMIT_GRACE;
            return $result;
        }
        if ($valid === null) {
            $result->reason = $record->failure ?: 'not_checked';
            return $result;
        }
        [$result->isActive, $result->mayUpdate, $purchase] = [true, true, $valid->purchase()];
        $until = $purchase['supported_until'] ?? null;
        $result->supportedUntil = is_string($until) ? date_create_immutable($until) ?: null : null;
        if ($time < min($valid->expires, $valid->created + $options->grace)) {
            [$result->state, $result->reason, $result->purchase] = ['valid', '', $purchase];
            $result->source = $time - $valid->created < self::DAY ? 'cache' : 'receipt';
            $result->isSupported = $result->supportedUntil !== null && $result->supportedUntil->getTimestamp() > $time;
        } elseif ($record->failure === '') {
            [$result->reason, $result->retryAfter] = ['receipt_expired', 0];
        }
        return $result;
    }

    /** Run the product: true after "valid" until "invalid", during any outage, and for three days after the first site_limit. */
    public function isActive(): bool {
        return $this->isActive;
    }

    /** For support: ends with the offline grace period. */
    public function isValid(): bool {
        return $this->state === 'valid';
    }

    /** Valid, and the support period has not ended. */
    public function isSupported(): bool {
        return $this->isSupported;
    }

    /** From the last response; null if there is none, or no support. */
    public function supportedUntil(): ?\DateTimeImmutable {
        return $this->supportedUntil;
    }

    /** For updates: true if the code was valid once and is not invalid now. The server checks each download. */
    public function mayUpdate(): bool {
        return $this->mayUpdate;
    }
}
