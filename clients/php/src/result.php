<?php

declare(strict_types=1);

namespace Pazar;

final class Result {
    private const DAY = 86400;
    /** Seconds that an active site stays active after its first site_limit, or after it moved. */
    private const GRACE = 3 * self::DAY;

    /** valid, invalid or unknown (temporary error) */
    public string $state = 'unknown';
    /** Empty if valid, except for store_not_writable: the next page load will not know the result. */
    public string $reason = '';
    /** @var array<string, mixed>|null the purchase with its item, if valid */
    public ?array $purchase = null;
    /** @var array<string, mixed>|null the item of the last valid response with its version, while mayUpdate() */
    public ?array $item = null;
    public int $retryAfter = 0;
    /** server (this call), cache (stored within a day), receipt (older, or imported); empty if unknown */
    public string $source = '';
    /** In WordPress, the site before its host changed, while this site was never valid; otherwise empty. */
    public string $previousSite = '';
    /** False without pinned keys: anyone on the network path can forge responses then. */
    public bool $isVerified;
    /** The validated code. importReceipt() sets it to the code of the receipt, or to an empty string. */
    public string $code;
    private bool $isActive = false, $mayUpdate = false, $isSupported = false;
    private ?\DateTimeImmutable $supportedUntil = null;

    public function __construct(bool $isVerified, string $code, string $reason) { [$this->isVerified, $this->code, $this->reason] = [$isVerified, $code, $reason]; }

    /** @internal Evaluates a record whose responses have been verified. */
    public static function fromRecord(string $code, Record $record, Options $options): self {
        $result = new self($options->keys !== [], $code, $record->failure);
        [$now, $valid, $invalid] = [$options->now(), $record->valid, $record->invalid];
        $time = $record->time($now);
        $wait = $record->next - $now;
        $result->previousSite = $record->previous->site ?? '';
        // A longer wait was written under a wrong clock.
        $result->retryAfter = $wait > self::DAY ? 0 : max(0, $wait);
        if ($invalid !== null && ($record->isConfirmed || $valid === null)) {
            [$result->state, $result->source] = ['invalid', 'cache'];
            $result->reason = $invalid->verdict($options->items)[1];
            $mayStay = $result->reason === 'site_limit' && ($valid ?? $record->previous) !== null;
            $result->isActive = $mayStay && $time < $invalid->created + self::GRACE;
            return $result;
        }
        if ($valid === null) {
            $result->reason = $record->failure ?: 'not_checked';
            $result->isActive = $record->previous !== null && $time < ($record->moved ?: $time) + self::GRACE;
            return $result;
        }
        if ($result->isVerified && $time >= $valid->ends()) {
            [$result->state, $result->reason, $result->source] = ['invalid', 'expired_code', 'receipt'];
            $result->retryAfter = $record->failure === '' ? 0 : $result->retryAfter;
            return $result;
        }
        [$result->isActive, $result->mayUpdate, $purchase] = [true, true, $valid->purchase()];
        $result->item = $purchase['item'];
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

    /** Run the product while true: after "valid" until "invalid", also during outages. The first site_limit, or a move to another host, ends it after three days. */
    public function isActive(): bool { return $this->isActive; }
    /** True until the offline grace period ends. */
    public function isValid(): bool { return $this->state === 'valid'; }
    /** True if the subscription has ended. It may be renewed: the product validates again by itself. */
    public function isExpired(): bool { return $this->reason === 'expired_code'; }
    public function isSupported(): bool { return $this->isSupported; }
    /** From the last valid response. Null without support, or if the code was never valid. */
    public function supportedUntil(): ?\DateTimeImmutable { return $this->supportedUntil; }
    /** True if the code was valid once and the last verdict is not "invalid". Offer updates while true. */
    public function mayUpdate(): bool { return $this->mayUpdate; }
}
