<?php

declare(strict_types=1);

namespace Pazar;

/** Asks about purchase codes, and remembers the answers. */
final class Client
{
    /** Seconds to the second question about a code that is not valid. Each next pause is twice as long. */
    private const FIRST_PAUSE = 60;

    private Options $options;
    private Server $server;

    /** @param array<string, mixed> $options see Options */
    public function __construct(array $options)
    {
        $this->options = Options::parse($options);
        $this->server = new Server($this->options);
    }

    /** The outcome from the store. Never asks the server: for page loads. */
    public function cached(string $code): Outcome
    {
        $code = Code::clean($code);
        $fault = Code::fault($code);
        return $fault === null
            ? $this->recallAndKeepTime($this->readRecord($code))
            : Outcome::unknown($fault);
    }

    /** The same, but asks the server when a question is due. */
    public function check(string $code): Outcome
    {
        return $this->checkWhen($code, fn (Record $record): bool => $this->isRecordDue($record, 0));
    }

    /** The same, but asks whether it is due or not, for somebody who waits for the answer. */
    public function checkNow(string $code): Outcome
    {
        return $this->checkWhen($code, static fn (): bool => true);
    }

    /**
     * Whether check() would ask: once a day, once an hour while the server fails, and while the code is not valid after
     * a pause that grows from a minute to an hour, or to a day after a "no".
     *
     * @param int $late seconds for which it would have asked
     */
    public function isDue(string $code, int $late = 0): bool
    {
        $code = Code::clean($code);
        return Code::fault($code) === null && $this->isRecordDue($this->readRecord($code), $late);
    }

    /** One live question. Reads and writes no store. Never throws. */
    public function validate(string $code): Outcome
    {
        $code = Code::clean($code);
        $fault = Code::fault($code);
        return $fault === null ? $this->server->ask($code, []) : Outcome::unknown($fault);
    }

    /**
     * Frees the place of a site, so that the code can be used on another. If it is the own site, the store is emptied too:
     * the next check() would take the place again. Never throws.
     *
     * @param string|null $site null: the own one
     */
    public function release(string $code, ?string $site = null): Release
    {
        $code = Code::clean($code);
        $site = $site === null ? $this->options->site : Code::trim($site);
        $fault = $site === '' ? 'missing_parameter' : Code::fault($code);
        $release = $fault === null ? $this->server->release($code, $site) : new Release('unknown', $fault);
        $store = $this->options->store;
        if (!$release->isUnknown() && $site === $this->options->site && $store !== null) {
            try {
                $store->delete();
            } catch (\Throwable $error) {
                // The place is free all the same.
            }
        }
        return $release;
    }

    /** Whether a buyer can activate by hand: with pinned keys, sodium, and a key that buyers may see. */
    public function canImport(): bool
    {
        return $this->server->signs() && $this->options->isKeyPublic();
    }

    /**
     * The address of the page where a buyer gets a receipt by hand, for a host that cannot send requests. The same until
     * a receipt was imported. Empty if the store cannot be written.
     *
     * @param string $code that was entered before, if any
     */
    public function activationUrl(string $code = ''): string
    {
        if (!$this->canImport()) {
            throw new \LogicException('Pazar: a receipt by hand needs "keys", sodium, and a validation key or a test key.');
        }
        $record = $this->readRecord(Code::clean($code));
        if ($record->nonce === '') {
            $record = $this->writeRecord($record, ['nonce' => bin2hex(random_bytes(16))]);
        }
        if ($record === null) {
            return '';
        }
        $fields = ['key' => $this->options->key, 'nonce' => $record->nonce];
        $fields += $this->options->site === '' ? [] : ['site' => $this->options->site];
        return "{$this->options->baseUrls[0]}/activate#" . http_build_query($fields, '', '&', PHP_QUERY_RFC3986);
    }

    /**
     * Takes the line that the page showed. If it is good, check() has its answer, for the code that the outcome names.
     * The nonce proves that it is new, so no clock is compared.
     */
    public function importReceipt(string $line): Outcome
    {
        $found = Answer::findInLine($line, $this->options);
        if ($found === null) {
            return Outcome::unknown('not_json');
        }
        [$code, $answer] = $found;
        $outcome = $this->judgeImported($code, $answer);
        $outcome->code = $code;
        return $outcome;
    }

    /** Empties the store, with every receipt in it. */
    public function forget(): void
    {
        $this->store()->delete();
    }

    /**
     * @return array<string, mixed>
     * @throws ReadFailure
     */
    public function account(): array
    {
        return $this->server->read('/api/account/details', [], 'data');
    }

    /**
     * @return array<int, array<string, mixed>> every visible item, newest id first
     * @throws ReadFailure
     */
    public function items(): array
    {
        return $this->server->read('/api/items/all', [], 'items', 'no_items') ?? [];
    }

    /**
     * @return array<string, mixed>|null null if there is no such item
     * @throws ReadFailure
     */
    public function item(int $id): ?array
    {
        return $this->server->read('/api/items/item', ['item_id' => $id], 'item', 'unknown_item');
    }

    private function judgeImported(string $code, Answer $answer): Outcome
    {
        $record = $this->readRecord($code);
        $fault = $this->server->signs() ? Code::fault($code) ?? $this->server->fault($answer, $code) : 'unsigned';
        if ($fault === null && ($answer->status !== 200 || $answer->nonce !== $record->nonce)) {
            $fault = 'replayed';
        }
        if ($fault !== null) {
            return Outcome::unknown($fault);
        }
        $outcome = $this->server->judgePurchase($answer, 'receipt', '');
        if (!$outcome->isValid()) {
            return $outcome;
        }
        $changes = ['nonce' => ''] + $this->learn($record, $outcome, $code, $this->options->now());
        return $this->writeRecord($record, $changes) === null ? Outcome::unknown('not_asked') : $outcome;
    }

    /** @param callable(Record): bool $isWanted */
    private function checkWhen(string $code, callable $isWanted): Outcome
    {
        $code = Code::clean($code);
        $fault = Code::fault($code);
        if ($fault !== null) {
            return Outcome::unknown($fault);
        }
        $record = $this->readRecord($code);
        $claimed = $isWanted($record) ? $this->claimQuestion($record) : null;
        return $claimed === null ? $this->recallAndKeepTime($record) : $this->askAndLearn($claimed, $code);
    }

    private function isRecordDue(Record $record, int $late): bool
    {
        $now = $this->options->now();
        return $now - $late >= $this->dueAt($record, $this->recall($record, $now), $now);
    }

    /** When to ask again, on this machine's clock; 0 for a question that is due, however late. */
    private function dueAt(Record $record, Outcome $outcome, int $now): int
    {
        $isValid = $outcome->isValid();
        if (!$isValid && $record->verdict === 'valid' && $record->questions === 0) {
            // The receipt ended before the next question was due: nobody asked, or the clock was wrong. Or it is of another
            // site: addresses that take turns on one installation ask once a minute.
            $age = $now - ($record->nextAsk - $this->options->ttl);
            $isTooEarly = $outcome->reason === 'other_site' && $age >= 0 && $age < self::FIRST_PAUSE;
            return $isTooEarly ? $now - $age + self::FIRST_PAUSE : 0;
        }
        $isUnknown = !$isValid && $record->verdict !== 'invalid';
        $waitMax = $isUnknown ? $this->options->retry : max($this->options->ttl, $this->options->retry);
        // A moment further away than any wait was written by a clock that was wrong.
        return $record->nextAsk - $now > $waitMax ? 0 : $record->nextAsk;
    }

    /** Writes the next moment to ask before asking, so that only one of many page loads asks. Null for the others. */
    private function claimQuestion(Record $record): ?Record
    {
        $now = $this->options->now();
        $changes = ['questions' => $record->questions + 1] + $record->clockAt($now);
        $wait = $this->recall($record, $now)->isValid()
            ? $this->options->retry
            : $this->pause($changes['questions'], $this->options->retry);
        return $this->writeRecord($record, ['next_ask' => $now + $wait] + $changes);
    }

    private function pause(int $questions, int $secondsMax): int
    {
        return min($secondsMax, self::FIRST_PAUSE * 2 ** min($questions - 1, 20));
    }

    private function askAndLearn(Record $record, string $code): Outcome
    {
        $live = $this->server->ask($code, $record->keys);
        $now = $this->options->now();
        $changes = ['keys' => $this->server->followed()] + $this->learn($record, $live, $code, $now);
        if ($this->writeRecord($record, $changes) === null) {
            $this->writeAgain($record, $changes, $code);
        }
        $learned = $record->with($changes);
        if (!$live->isUnknown() && $learned->refusedAt === 0) {
            $live->retryAfter = max(0, $learned->nextAsk - $now);
            return $live;
        }
        $outcome = $this->recall($learned, $now);
        $outcome->requestId = $live->requestId;
        return $outcome;
    }

    /**
     * A page load may have written the time, or the nonce of an activation, while the server was asked. The answer is not
     * lost by that, but it is if the store was emptied, if another code was entered, or if another process has asked since.
     *
     * @param array<string, mixed> $changes
     */
    private function writeAgain(Record $asked, array $changes, string $code): void
    {
        $record = $this->readRecord($code);
        if ($record->isCurrent && $record->questions === $asked->questions) {
            $this->writeRecord($record, $changes);
        }
    }

    /** Writes that a receipt has expired or that the clock was set back, so that neither makes a receipt last longer. */
    private function recallAndKeepTime(Record $record): Outcome
    {
        $now = $this->options->now();
        $outcome = $this->recall($record, $now);
        $hasJustExpired = $outcome->reason === 'receipt_expired'
            && $this->recallVerdict($record, $record->latest)->reason !== 'receipt_expired';
        if ($hasJustExpired || $record->isSetBack($now)) {
            $this->writeRecord($record, $record->clockAt($now));
        }
        return $outcome;
    }

    private function recall(Record $record, int $now): Outcome
    {
        $outcome = $this->recallVerdict($record, $record->serverTime($now));
        $outcome->retryAfter = max(0, $this->dueAt($record, $outcome, $now) - $now);
        return $outcome;
    }

    private function recallVerdict(Record $record, int $serverTime): Outcome
    {
        if ($record->verdict === 'invalid') {
            return Outcome::invalid($record->reason);
        }
        $answer = $record->answer;
        if ($record->verdict !== 'valid' || $answer === null) {
            return Outcome::unknown($record->reason);
        }
        // A product that sends its site only since an update keeps the receipt that it has.
        if ($answer->site !== '' && $answer->site !== $this->options->site) {
            return Outcome::withoutReceipt('other_site', $record->reason);
        }
        if ($serverTime > min($answer->expires, $answer->created + $this->options->grace)) {
            return Outcome::withoutReceipt('receipt_expired', $record->reason);
        }
        $isFresh = $serverTime - $answer->created < $this->options->ttl;
        return $this->server->judgePurchase($answer, $isFresh ? 'cache' : 'receipt', '');
    }

    /** @return array<string, mixed> what changes in the record after a live question */
    private function learn(Record $record, Outcome $live, string $code, int $now): array
    {
        if ($live->isValid()) {
            return [
                'verdict' => 'valid',
                'reason' => '',
                'answer' => $live->receipt,
                'offset' => $live->receipt->created - $now,
                'latest' => $live->receipt->created,
                'next_ask' => $now + $this->options->ttl,
                'questions' => 0,
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
    private function learnRefusal(Record $record, Outcome $live, int $now): array
    {
        $refusedAt = $record->refusedAt > 0 ? min($record->refusedAt, $now) : $now;
        $isConfirmed = $this->server->signs() || $now - $refusedAt >= $this->options->retry;
        if (!$isConfirmed && $this->recall($record, $now)->isValid()) {
            return ['refused_at' => $refusedAt, 'next_ask' => $now + $this->options->retry];
        }
        $questions = $record->verdict === 'invalid' ? $record->questions : 1;
        return [
            'verdict' => 'invalid',
            'reason' => $live->reason,
            'answer' => null,
            'next_ask' => $now + $this->pause($questions, $this->options->ttl),
            'questions' => $questions,
            'refused_at' => 0,
            'refused_site' => $live->reason === 'site_limit' ? $this->options->site : '',
            'is_signed' => $this->server->signs(),
        ];
    }

    /**
     * Keeps what is known. A receipt that is to replace the server is verified once more.
     *
     * @return array<string, mixed>
     */
    private function learnFailure(Record $record, Outcome $live, string $code, int $now): array
    {
        $isValid = $this->recall($record, $now)->isValid();
        $retry = $this->options->retry;
        $wait = $isValid ? $retry : $this->pause($record->questions, $retry);
        $wait = max($wait, min($live->retryAfter, $isValid ? $this->options->ttl : $retry));
        $changes = ['next_ask' => $now + $wait];
        if ($record->verdict === 'invalid') {
            // One that was stored before keys were pinned is anybody's.
            $isKept = $record->isSigned || !$this->server->signs();
            return $changes + ($isKept ? [] : ['verdict' => '', 'reason' => $live->reason]);
        }
        $fault = $record->answer === null ? null : $this->server->fault($record->answer, $code);
        return $changes + ($fault === null
            ? ['reason' => $live->reason]
            : ['verdict' => '', 'reason' => $fault, 'answer' => null]);
    }

    private function readRecord(string $code): Record
    {
        $record = Record::parse($this->readStore(), $code, $this->options->secret());
        $askedAt = $record->nextAsk - $this->pause(max(1, $record->questions), $this->options->ttl);
        $record = $record->forSite($this->options->site, $askedAt + self::FIRST_PAUSE);
        return $record->isTrusted || !$this->server->signs() ? $record : $this->restore($record, $code);
    }

    /** A receipt proves itself, so it outlives the secret of its record. */
    private function restore(Record $record, string $code): Record
    {
        foreach (Record::listUntrusted($record->text) as $answer) {
            if ($answer->status === 200 && $this->server->fault($answer, $code) === null) {
                $changes = ['verdict' => 'valid', 'reason' => '', 'answer' => $answer, 'latest' => $answer->created];
                return $this->writeRecord($record, $changes) ?? $record->with($changes);
            }
        }
        return $record;
    }

    /**
     * Null if the store holds another record by now, or cannot be written.
     *
     * @param array<string, mixed> $changes
     */
    private function writeRecord(Record $record, array $changes): ?Record
    {
        $changed = $record->with($changes);
        $old = $record->text;
        $changed->text = $changed->render($this->options->secret());
        $store = $this->store();
        try {
            return $store->replace($old, $changed->text) ? $changed : null;
        } catch (\Throwable $error) {
            return null;
        }
    }

    /** A store that cannot be read is as an empty one: it must not end the page. */
    private function readStore(): ?string
    {
        $store = $this->store();
        try {
            return $store->read();
        } catch (\Throwable $error) {
            return null;
        }
    }

    private function store(): Store
    {
        if ($this->options->store === null) {
            throw new \LogicException('Pazar: cached(), check(), forget() and receipts by hand need the option "store".');
        }
        return $this->options->store;
    }
}
