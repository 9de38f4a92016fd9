<?php

declare(strict_types=1);

namespace Pazar;

/** Valid, invalid or unknown. "Unknown" is not a "no": there is no answer. */
final class Outcome
{
    private const KEY_REFUSALS = ['missing_key', 'unknown_key', 'revoked_key', 'expired_key'];

    /** valid, invalid or unknown */
    public string $state;
    /** Why it is not valid; empty if it is. */
    public string $reason = '';
    /** With "receipt_expired" and "other_site": why the last question had no answer. Empty if nobody asked. */
    public string $lastFailure = '';
    /** @var array<string, mixed>|null the purchase with its item, if valid */
    public ?array $purchase = null;
    /** If valid: server (asked now), cache (asked within a day) or receipt (asked earlier, or imported now). */
    public string $source = '';
    /** Seconds until asking again makes sense. */
    public int $retryAfter = 0;
    /** For the operator of the server, when asking for help. */
    public string $requestId = '';
    /** The answer behind "valid". */
    public ?Answer $receipt = null;
    /** Of importReceipt(): the code that the receipt is for. Empty if the line is no receipt. */
    public string $code = '';

    private function __construct(string $state, string $reason, string $requestId)
    {
        $this->state = $state;
        $this->reason = $reason;
        $this->requestId = $requestId;
    }

    /** @param array<string, mixed> $purchase */
    public static function valid(array $purchase, string $source, Answer $receipt, string $requestId): self
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

    public static function withoutReceipt(string $reason, string $lastFailure): self
    {
        $outcome = self::unknown($reason);
        $outcome->lastFailure = $lastFailure;
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

    /** Whether the server refuses the key. Time does not heal this: let the update through that brings another key. */
    public function isKeyRefused(): bool
    {
        return array_intersect([$this->reason, $this->lastFailure], self::KEY_REFUSALS) !== [];
    }
}

/** The end of release(). */
final class Release
{
    /** released; absent (not a valid code, or not in use on this site); or unknown, which is no answer */
    public string $state;
    /** Why it is unknown. */
    public string $reason;
    /** Seconds until trying again makes sense. */
    public int $retryAfter;
    public string $requestId;

    public function __construct(string $state, string $reason = '', int $retryAfter = 0, string $requestId = '')
    {
        $this->state = $state;
        $this->reason = $reason;
        $this->retryAfter = $retryAfter;
        $this->requestId = $requestId;
    }

    public function isUnknown(): bool
    {
        return $this->state === 'unknown';
    }
}

/** account(), items() or item() did not succeed. */
final class ReadFailure extends \RuntimeException
{
    public string $reason;
    /** The HTTP status; 0 if there was no response. */
    public int $status;
    public string $requestId;

    public function __construct(string $reason, int $status, string $requestId, ?\Throwable $previous = null)
    {
        parent::__construct("Pazar: $reason", 0, $previous);
        $this->reason = $reason;
        $this->status = $status;
        $this->requestId = $requestId;
    }
}
