<?php

declare(strict_types=1);

namespace Pazar;

/**
 * The stored record of one code, under an HMAC, so that a page load needs no Ed25519. It also keeps the receipt of the
 * code before, which may be the right one.
 */
final class Record
{
    /** valid, invalid, or empty if there is no answer yet. */
    public string $verdict = '';
    /** Why it is not valid. Beside a receipt: why the last question had no answer; empty if it had one. */
    public string $reason = 'not_asked';
    public ?Answer $answer = null;
    /** The server's clock minus this machine's, in seconds. */
    public int $offset = 0;
    /** The latest moment that was seen, on the server's clock. */
    public int $latest = 0;
    /** When to ask again, on this machine's clock. */
    public int $nextAsk = 0;
    /** Questions since the last "yes". */
    public int $questions = 0;
    /** When an unsigned "no" came that waits for a second one. */
    public int $refusedAt = 0;
    /** The site that a "no" was for; empty with other reasons than "site_limit". */
    public string $refusedSite = '';
    /** Whether the "no" was signed; false for one that a version before 0.12.3 stored. */
    public bool $isSigned = false;
    /** Of the activation by hand that is under way; empty if there is none. */
    public string $nonce = '';
    /** @var array<int, mixed> every key that was followed: those that endorsed them may have left the key set since */
    public array $keys = [];
    /** False if the store has the record of another code, and at most keeps this one beside it. */
    public bool $isCurrent = false;
    /** The text of the store when this was read. */
    public ?string $text;
    /** False if the HMAC of that text is not right. */
    public bool $isTrusted = true;
    private string $code;
    /** @var array<string, mixed>|null the members of another code's record with a receipt */
    private ?array $kept = null;

    private function __construct(?string $text, string $code)
    {
        $this->text = $text;
        $this->code = hash('sha256', $code);
    }

    /** A record that was changed counts as none. */
    public static function parse(?string $text, string $code, string $secret): self
    {
        $record = new self($text, $code);
        if ($text === null) {
            return $record;
        }
        [$mac, $json] = explode(' ', $text, 2) + ['', ''];
        $isSealed = hash_equals(hash_hmac('sha256', $json, $secret), $mac);
        $members = (array) json_decode($json, true);
        // They need no seal: each is verified from a pinned key on.
        $record->keys = self::listKeys($members);
        // Version 0.8.0 has the same seal, but neither this member nor the site of an answer.
        if (!$isSealed || !array_key_exists('kept', $members)) {
            $record->reason = 'forged';
            $record->isTrusted = false;
            return $record;
        }
        $record->nonce = $members['nonce'] ?? '';
        if ($members['code'] === $record->code) {
            $record->isCurrent = true;
            $record->kept = $members['kept'];
            return $record->with($members);
        }
        $before = $members['kept'];
        unset($members['kept'], $members['nonce'], $members['keys']);
        $hasReceipt = $members['answer'] !== null;
        if ($before !== null && $before['code'] === $record->code) {
            $record->kept = $hasReceipt ? $members : null;
            return $record->with($before);
        }
        $record->kept = $hasReceipt ? $members : $before;
        return $record;
    }

    /**
     * Versions before 0.12.3 kept them with an answer alone.
     *
     * @param array<mixed> $members of anybody's making
     * @return array<int, mixed>
     */
    private static function listKeys(array $members): array
    {
        $ofAnswers = ($members['answer']['keys'] ?? null) ?: $members['kept']['answer']['keys'] ?? null;
        return Verifier::listKeys(['keys' => $members['keys'] ?? $ofAnswers]);
    }

    /**
     * The answers in a record whose HMAC is not right, for example because the secret is another one now.
     *
     * @return array<int, Answer>
     */
    public static function listUntrusted(?string $text): array
    {
        $members = json_decode(explode(' ', (string) $text, 2)[1] ?? '', true);
        $found = [$members['answer'] ?? null, $members['kept']['answer'] ?? null];
        return array_values(array_filter(array_map([Answer::class, 'fromUntrusted'], $found)));
    }

    /** The limit of sites refuses no other site: that one may ask from $nextAsk on. */
    public function forSite(string $site, int $nextAsk): self
    {
        $isElsewhere = $this->verdict === 'invalid' && !in_array($this->refusedSite, ['', $site], true);
        $changes = ['verdict' => '', 'reason' => 'other_site', 'next_ask' => $nextAsk, 'questions' => 0];
        return $isElsewhere ? $this->with($changes) : $this;
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
            'questions' => $this->questions,
            'refused_at' => $this->refusedAt,
            'refused_site' => $this->refusedSite,
            'is_signed' => $this->isSigned,
            'nonce' => $this->nonce,
            'keys' => $this->keys,
            'kept' => $this->kept,
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
        $record->answer = is_array($answer) ? Answer::fromArray($answer) : $answer;
        $record->offset = $changes['offset'] ?? $this->offset;
        $record->latest = $changes['latest'] ?? $this->latest;
        $record->nextAsk = $changes['next_ask'] ?? $this->nextAsk;
        $record->questions = $changes['questions'] ?? $this->questions;
        $record->refusedAt = $changes['refused_at'] ?? $this->refusedAt;
        $record->refusedSite = $changes['refused_site'] ?? $this->refusedSite;
        $record->isSigned = $changes['is_signed'] ?? $this->isSigned;
        $record->nonce = $changes['nonce'] ?? $this->nonce;
        $record->keys = $changes['keys'] ?? $this->keys;
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
}
