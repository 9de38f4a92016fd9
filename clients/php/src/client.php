<?php

declare(strict_types=1);

namespace Pazar;

/** Validates purchase codes and stores the signed responses. No method throws because of the network or the store. */
final class Client {
    private const HOUR = 3600;
    private const DAY = 86400;

    private Options $options;
    private Verifier $verifier;
    private Server $server;

    /** @param array<string, mixed> $options base_url, key, items, keys, store, site, timeout, grace_days, http, clock */
    public function __construct(array $options) {
        $this->options = new Options($options);
        $this->verifier = new Verifier($this->options);
        $this->server = new Server($this->options, $this->verifier);
    }

    /** The result from the store. Never sends a request: for page loads. */
    public function cached(string $code): Result {
        $code = Code::clean($code);
        return $this->fault($code) ?? Result::of($code, $this->recall($this->read(), $code), $this->options);
    }

    /** Sends a request if one is due: for cron. With $force sends one now: for a form where a buyer entered the code. */
    public function check(string $code, bool $force = false): Result {
        $code = Code::clean($code);
        $claimed = $this->fault($code) === null ? $this->claim($code, $force) : null;
        if ($claimed === null) {
            return $this->cached($code);
        }
        $verdict = $this->server->validate($code, $claimed->keys);
        $result = Result::of($code, $this->learn($claimed->claim, $code, $verdict), $this->options);
        $result->source = $result->state === $verdict->state && $verdict->response !== null ? 'server' : $result->source;
        return $result;
    }

    /** Frees the slot of a site (null: the own one, whose stored response is removed): released, absent or unknown. */
    public function release(string $code, ?string $site = null): Verdict {
        $code = Code::clean($code);
        $site = $site === null ? $this->options->site : Code::trim($site);
        $fault = $site === '' ? 'missing_parameter' : Code::fault($code);
        $verdict = $fault === null ? $this->server->release($code, ['site' => $site]) : new Verdict('unknown', $fault);
        if ($verdict->state !== 'unknown' && Site::host($site) === Site::host($this->options->site)) {
            $this->change(fn (Records $records) => $records->remove($code, $this->options->site));
        }
        return $verdict;
    }

    /** "Use it here again": frees the slot of the last site that was activated after this one, and validates again. */
    public function reclaim(string $code): Result {
        $clean = Code::clean($code);
        if ($this->options->site !== '' && $this->fault($clean) === null) {
            $this->server->release($clean, ['for' => $this->options->site]);
        }
        return $this->check($clean, true);
    }

    /** The page where a buyer gets a receipt. Empty without pinned keys, with a secret key, or if the store cannot be written. */
    public function activationUrl(): string {
        $isPublic = $this->options->isKeyShipped() || $this->options->isTestKey();
        if (!$isPublic || $this->options->keys === [] || $this->options->fault() !== null) {
            return '';
        }
        $begin = static function (Records $records): void {
            $records->nonce = $records->nonce ?: bin2hex(random_bytes(16));
        };
        $records = $this->read()->nonce === '' ? $this->change($begin) : $this->read();
        $fields = ['key' => $this->options->key, 'nonce' => $records->nonce ?? '', 'site' => $this->options->site];
        return $records === null ? '' : $this->pageUrl('activate', $fields);
    }

    /** Stores the receipt that the page showed. Its nonce proves that it is new, so no clock is compared. */
    public function importReceipt(string $line): Result {
        $line = (string) preg_replace('/\s+/', '', $line);
        $fields = strpos($line, 'pazar1.') === 0 ? json_decode(Verifier::decode(substr($line, 7)), true) : null;
        $headers = $fields['headers'] ?? null;
        $response = !is_array($headers) || !is_string($fields['code'] ?? null) ? null : SignedResponse::parse([
            'reason' => $headers['pazar-reason'] ?? null,
            'input' => $headers['signature-input'] ?? null,
            'signature' => $headers['signature'] ?? null,
            'key' => $this->options->isKeyShipped() ? $this->options->key : '',
            'code' => Code::clean($fields['code']),
            'site' => $this->options->site,
            'created' => 0, 'expires' => 0,
        ] + $fields);
        return $response === null
            ? new Result($this->options, '', 'invalid_response')
            : $this->fault($response->code) ?? $this->import($response);
    }

    /** The page where a buyer sees the sites of a code and frees their slots. */
    public function licenseUrl(string $code = ''): string {
        return $this->pageUrl('license', ['code' => Code::clean($code)]);
    }

    /** Empties the store. */
    public function forget(): void {
        try {
            $this->options->store->delete();
        } catch (\Throwable $error) {
            // A store that fails is empty to the other methods, too.
        }
    }

    /** Why this code cannot be validated; null if it can. */
    private function fault(string $code): ?Result {
        $fault = Code::fault($code) ?? $this->options->fault();
        return $fault === null ? null : new Result($this->options, $code, $fault);
    }

    /** In the fragment, which browsers do not send. */
    private function pageUrl(string $page, array $fields): string {
        $fragment = http_build_query(array_filter($fields, 'strlen'), '', '&', PHP_QUERY_RFC3986);
        return "{$this->options->baseUrls[0]}/$page" . ($fragment === '' ? '' : "#$fragment");
    }

    /** The record of a code on this site, without responses that do not count; then a request is due. */
    private function recall(Records $records, string $code): Record {
        $record = $records->find($code, $this->options->site);
        foreach (['valid', 'invalid'] as $state) {
            $response = $record->$state;
            $name = $response === null ? '' : Records::name($response->code, $response->site);
            $counts = $name === Records::name($code, $this->options->site)
                && ($response->verdict($this->options->items)[0] ?? '') === $state
                && $this->verifier->fault($response, $records->keys) === null;
            if ($response !== null && !$counts) {
                [$record->$state, $record->next] = [null, 0];
            }
        }
        return $record;
    }

    /** Writes that this process sends a request, so that no other does. Null if another one sends it, or none is due. */
    private function claim(string $code, bool $force): ?Records {
        return $this->change(function (Records $records) use ($code, $force): bool {
            $isClaimed = $records->isClaimed($this->options->now(), $this->options->timeout);
            $records->claim = bin2hex(random_bytes(8));
            $records->claimEnds = $this->options->now() + (int) ceil($this->options->timeout);
            return !$isClaimed && ($force || Result::of($code, $this->recall($records, $code), $this->options)->retryAfter === 0);
        });
    }

    /** The record after a request. It is not stored if the store was emptied, or if another process has the claim. */
    private function learn(string $claim, string $code, Verdict $verdict): Record {
        $record = new Record();
        $this->change(function (Records $records) use ($claim, $code, $verdict, &$record): bool {
            $record = $this->recall($records, $code);
            $this->apply($verdict, $record);
            $isOurs = $records->claim === $claim;
            [$records->claim, $records->keys] = ['', $this->server->followed];
            $records->put($code, $this->options->site, $record);
            return $isOurs;
        });
        return $record;
    }

    private function apply(Verdict $verdict, Record $record): void {
        $now = $this->options->now();
        $before = Result::of('', $record, $this->options);
        if ($verdict->response === null) {
            [$record->latest, $record->failure] = [$record->time($now), $verdict->reason];
            $record->failures += $before->isActive() ? 0 : 1;
            $record->next = $now + ($before->isActive()
                ? min(self::DAY, max(self::HOUR, $verdict->retryAfter))
                : min(self::HOUR, max(self::pause($record->failures), $verdict->retryAfter)));
            return;
        }
        $time = $verdict->response->created;
        [$record->latest, $record->offset, $record->failure] = [$time, $time - $now, ''];
        if ($verdict->state === 'valid') {
            [$record->valid, $record->invalid, $record->failures] = [$verdict->response, null, 0];
            $record->next = $now + self::DAY;
            return;
        }
        $first = $record->invalid ?? $verdict->response;
        // Anybody on the network can forge an unsigned "invalid" once.
        $isSure = $this->options->keys !== [] || $before->state === 'invalid' || !$before->isActive();
        $record->isConfirmed = $isSure || $time - $first->created >= self::HOUR;
        if (!$record->isConfirmed) {
            [$record->invalid, $record->next] = [$first, $now + self::HOUR];
            return;
        }
        $isLimit = $verdict->reason === 'site_limit';
        $record->valid = $isLimit ? $record->valid : null;
        $record->invalid = $isLimit && $first->reason === 'site_limit' ? $first : $verdict->response;
        $record->failures = $before->state === 'invalid' ? $record->failures + 1 : 1;
        $record->next = $now + min(self::DAY, self::pause($record->failures));
    }

    /** A minute, doubled each time. */
    private static function pause(int $failures): int {
        return 60 * 2 ** min($failures - 1, 20);
    }

    private function import(SignedResponse $response): Result {
        $result = new Result($this->options, $response->code, 'not_checked');
        $isWritten = $this->change(function (Records $records) use ($response, &$result): bool {
            [$state, $reason] = $response->verdict($this->options->items) ?? ['unknown', ''];
            $fault = $this->options->keys === [] ? 'unsigned' : $this->verifier->fault($response, $records->keys);
            if ($fault !== null || $response->status !== 200 || $response->nonce !== $records->nonce) {
                $result = new Result($this->options, $response->code, $fault ?? 'replayed');
                return false;
            }
            $record = $this->recall($records, $response->code);
            $this->apply(new Verdict($state, $reason, 0, $response), $record);
            [$result, $records->nonce] = [Result::of($response->code, $record, $this->options), ''];
            $result->source = 'receipt';
            $records->put($response->code, $this->options->site, $record);
            return $state === 'valid';
        }) !== null;
        return $isWritten || !$result->isValid() ? $result : new Result($this->options, $response->code, 'not_checked');
    }

    /** A store that cannot be read is like an empty one: it must not end the page. */
    private function read(): Records {
        try {
            return new Records($this->options->store->read());
        } catch (\Throwable $error) {
            return new Records(null);
        }
    }

    /** Reads, changes and writes in one step; again if another process was faster. Null if $change returns false or no write succeeds. */
    private function change(callable $change): ?Records {
        for ($attempt = 0; $attempt < 3; $attempt++) {
            $records = $this->read();
            if ($change($records) === false) {
                return null;
            }
            try {
                if ($this->options->store->replace($records->text, $records->render())) {
                    return $records;
                }
            } catch (\Throwable $error) {
                return null;
            }
        }
        return null;
    }
}
