<?php

declare(strict_types=1);

namespace Pazar;

/** Validates purchase codes and stores signed responses. Failures of the network or the store do not throw exceptions. */
final class Client {
    private const HOUR = 3600, DAY = 86400;
    /** Until the next request, by the number of "invalid" responses. Shops may report a sale some minutes after the payment. */
    private const FIRST_PAUSES = [1 => 30, 90, 480];

    private Options $options;
    private Verifier $verifier;
    private Server $server;
    /** False if the last change could not be written, for another reason than a concurrent one. */
    private bool $isWritable = true;

    /** @param array<string, mixed> $options base_url, key, items, keys, store, site, timeout, grace_days, http, clock */
    public function __construct(array $options) {
        $this->options = new Options($options);
        $this->verifier = new Verifier($this->options);
        $this->server = new Server($this->options, $this->verifier);
    }

    /** Returns the stored result without sending a request. Use it on page loads. */
    public function cached(string $code): Result {
        $code = Code::clean($code);
        return $this->errorResult($code) ?? Result::fromRecord($code, $this->findVerified($this->read(), $code), $this->options);
    }

    /** Sends a request if one is due. Use it in cron jobs. $force sends one now, for forms where buyers enter a code. */
    public function check(string $code, bool $force = false): Result {
        $code = Code::clean($code);
        $claimed = $this->errorResult($code) === null ? $this->claim($code, $force) : null;
        [$isWritable, $result] = [$this->isWritable, $this->cached($code)];
        if ($claimed === null) {
            return $result;
        }
        // Without a stored claim every process would send a request, so only forced checks do.
        if ($isWritable || $force) {
            $verdict = $this->server->validate($code, $claimed->keys);
            $result = Result::fromRecord($code, $this->storeVerdict($claimed->claim, $code, $verdict), $this->options);
            $result->source = $result->state === $verdict->state && $verdict->response !== null ? 'server' : $result->source;
        }
        $isUnknown = in_array($result->reason, ['', 'not_checked', 'receipt_expired'], true);
        $result->reason = !$isWritable && $isUnknown ? 'store_not_writable' : $result->reason;
        return $result;
    }

    /** Frees the slot of a site, by default of this one, whose stored response is deleted then. */
    public function release(string $code, ?string $site = null): Verdict {
        $code = Code::clean($code);
        $site = $site === null ? $this->options->site : Code::trim($site);
        $errorCode = $site === '' ? 'missing_parameter' : Code::errorCode($code);
        $verdict = $errorCode !== null ? new Verdict('unknown', $errorCode)
            : $this->server->request('release', ['purchase_code' => $code, 'site' => $site], 'released');
        if ($verdict->state !== 'unknown' && Site::host($site) === Site::host($this->options->site)) {
            $this->change(fn (Records $records) => $records->remove($code, $this->options->site));
        }
        return $verdict;
    }

    /** Frees the slot of the site that was activated last after this one, then validates. */
    public function reclaim(string $code): Result {
        $clean = Code::clean($code);
        if ($this->options->site !== '' && $this->errorResult($clean) === null) {
            $this->server->request('release', ['purchase_code' => $clean, 'for' => $this->options->site], 'released');
        }
        return $this->check($clean, true);
    }

    /** Asks for the update: the URL of a download, or why there is none. Use it when the update runs. */
    public function download(string $code): Verdict {
        $code = Code::clean($code);
        $errorCode = Code::errorCode($code) ?? $this->options->errorCode();
        $form = ['purchase_code' => $code, 'site' => $this->options->site];
        return $errorCode === null ? $this->server->request('download', $form, 'ready') : new Verdict('unknown', $errorCode);
    }

    /** URL of the offline activation. Empty without pinned keys, with a secret key, or if the store is not writable. */
    public function activationUrl(): string {
        $isPublic = $this->options->isValidationKey() || $this->options->isTestKey();
        if (!$isPublic || $this->options->keys === [] || $this->options->errorCode() !== null) {
            return '';
        }
        $setNonce = static fn (Records $records): string => $records->nonce = $records->nonce ?: bin2hex(random_bytes(16));
        $records = $this->read()->nonce === '' ? $this->change($setNonce) : $this->read();
        $fields = ['key' => $this->options->key, 'nonce' => $records->nonce ?? '', 'site' => $this->options->site];
        return $records === null ? '' : $this->pageUrl('activate', $fields);
    }

    /** Verifies and stores the receipt that the activation page displayed. The nonce proves that it is new, not a clock. */
    public function importReceipt(string $line): Result {
        $line = (string) preg_replace('/\s+/', '', $line);
        $fields = strpos($line, 'pazar1.') === 0 ? json_decode(Verifier::decode(substr($line, 7)), true) : null;
        $headers = $fields['headers'] ?? null;
        $response = !is_array($headers) || !is_string($fields['code'] ?? null) ? null : SignedResponse::parse([
            'reason' => $headers['pazar-reason'] ?? null, 'code' => Code::clean($fields['code']), 'site' => $this->options->site,
            'input' => $headers['signature-input'] ?? null, 'signature' => $headers['signature'] ?? null,
            'key' => $this->options->isValidationKey() ? $this->options->key : '', 'created' => 0, 'expires' => 0,
        ] + $fields);
        $problem = $response === null ? $this->newResult('', 'invalid_response') : $this->errorResult($response->code);
        return $problem ?? $this->import($response, $fields['keys'] ?? null);
    }

    /** URL of the page where buyers see the sites of a code and free slots. */
    public function licenseUrl(string $code = ''): string { return $this->pageUrl('license', ['code' => Code::clean($code)]); }

    /** @internal Tries it with a write. */
    public function canStore(): bool {
        $this->change(static fn (Records $records): string => $records->probe = bin2hex(random_bytes(4)));
        return $this->isWritable;
    }

    /** The other methods treat a failing store as empty. */
    public function forget(): void {
        try {
            $this->options->store->delete();
        } catch (\Throwable $error) {
        }
    }

    /** Returns null if the code can be validated here. */
    private function errorResult(string $code): ?Result {
        $errorCode = Code::errorCode($code) ?? $this->options->errorCode();
        return $errorCode === null ? null : $this->newResult($code, $errorCode);
    }

    private function newResult(string $code, string $reason): Result { return new Result($this->options->keys !== [], $code, $reason); }

    private function pageUrl(string $page, array $fields): string {
        $fragment = http_build_query(array_filter($fields, 'strlen'), '', '&', PHP_QUERY_RFC3986);
        return "{$this->options->baseUrls[0]}/$page" . ($fragment === '' ? '' : "#$fragment");
    }

    /** Returns the record of a code on this site. Responses that fail verification are dropped, and a request is due. */
    private function findVerified(Records $records, string $code): Record {
        $record = $records->find($code, $this->options->site);
        foreach (['valid', 'invalid'] as $state) {
            if ($record->$state !== null && !$this->counts($record->$state, $state, $code, $this->options->site, $records->keys)) {
                [$record->$state, $record->next] = [null, 0];
            }
        }
        $record->previous = $record->valid === null ? $this->findPrevious($records, $code) : null;
        return $record;
    }

    private function counts(SignedResponse $response, string $state, string $code, string $site, array $keys): bool {
        return Records::name($response->code, $response->site) === Records::name($code, $site)
            && ($response->verdict($this->options->items)[0] ?? '') === $state
            && $this->verifier->errorCode($response, $keys) === null;
    }

    /** The valid response of the site before its host changed, in WordPress. Not of test sites: without a limit, all could begin there. */
    private function findPrevious(Records $records, string $code): ?SignedResponse {
        $mayMove = $this->options->store instanceof WordPressStore && $this->options->site !== '';
        foreach ($mayMove ? $records->list() : [] as $record) {
            [$valid, $time] = [$record->valid, $record->time($this->options->now())];
            $isSite = $valid !== null && $valid->site !== '' && !Site::isTest($valid->site);
            if ($isSite && $time < min($valid->expires, $valid->created + $this->options->grace, $valid->ends())
                && $this->counts($valid, 'valid', $code, $valid->site, $records->keys)) {
                return $valid;
            }
        }
        return null;
    }

    /** Claims the next request for this process. Returns null if none is due or another process has the claim. */
    private function claim(string $code, bool $force): ?Records {
        $claimed = null;
        $stored = $this->change(function (Records $records) use ($code, $force, &$claimed): bool {
            [$claimed, $timeout] = [$records, (int) ceil($this->options->timeout)];
            $seconds = $records->claim === '' ? 0 : $records->claimEnds - $this->options->now();
            // A claim longer than the timeout was written under a wrong clock.
            $isClaimed = $seconds > 0 && $seconds <= $timeout;
            [$records->claim, $records->claimEnds] = [bin2hex(random_bytes(8)), $this->options->now() + $timeout];
            $result = Result::fromRecord($code, $this->findVerified($records, $code), $this->options);
            return !$isClaimed && ($force || $result->retryAfter === 0);
        });
        return $this->isWritable ? $stored : $claimed;
    }

    /** Returns the updated record. It is not stored if the store was emptied or another process has the claim. */
    private function storeVerdict(string $claim, string $code, Verdict $verdict): Record {
        $record = new Record();
        $this->change(function (Records $records) use ($claim, $code, $verdict, &$record): bool {
            $record = $this->findVerified($records, $code);
            $this->apply($verdict, $record);
            [$hasClaim, $records->claim, $records->keys] = [$records->claim === $claim, '', $this->server->followed];
            $records->put($code, $this->options->site, $record);
            return $hasClaim;
        });
        return $record;
    }

    private function apply(Verdict $verdict, Record $record): void {
        $now = $this->options->now();
        $before = Result::fromRecord('', $record, $this->options);
        if ($verdict->response === null) {
            [$record->latest, $record->failure] = [$record->time($now), $verdict->reason];
            $record->moved = $record->previous === null ? 0 : ($record->moved ?: $record->latest);
            $record->failures += $before->isActive() ? 0 : 1;
            $record->next = $now + ($before->isActive()
                ? min(self::DAY, max(self::HOUR, $verdict->retryAfter))
                : min(self::HOUR, max(60 * 2 ** min($record->failures - 1, 6), $verdict->retryAfter)));
            return;
        }
        $time = $verdict->response->created;
        [$record->latest, $record->offset, $record->failure] = [$time, $time - $now, ''];
        if ($verdict->state === 'valid') {
            [$record->valid, $record->invalid, $record->previous] = [$verdict->response, null, null];
            [$record->failures, $record->moved, $record->next] = [0, 0, $now + self::DAY];
            return;
        }
        $first = $record->invalid ?? $verdict->response;
        // Anyone on the network path can forge an unsigned "invalid".
        $isTrusted = $this->options->keys !== [] || $before->state === 'invalid' || !$before->isActive();
        $record->isConfirmed = $isTrusted || $time - $first->created >= self::HOUR;
        if (!$record->isConfirmed) {
            [$record->invalid, $record->next] = [$first, $now + self::HOUR];
            return;
        }
        $isLimit = $verdict->reason === 'site_limit';
        $record->valid = $isLimit ? $record->valid : null;
        $record->invalid = $isLimit && $first->reason === 'site_limit' ? $first : $verdict->response;
        $record->failures = $before->state === 'invalid' ? $record->failures + 1 : 1;
        $later = min(self::DAY, self::HOUR * 2 ** min($record->failures - 4, 5));
        $record->next = $now + (self::FIRST_PAUSES[$record->failures] ?? $later);
    }

    /** $keys: an untrusted list that leads from a pinned key to the signer. */
    private function import(SignedResponse $response, $keys): Result {
        $result = $this->newResult($response->code, 'not_checked');
        $isWritten = $this->change(function (Records $records) use ($response, $keys, &$result): bool {
            $verdict = $response->verdict($this->options->items);
            $errorCode = $this->options->keys === [] ? 'unsigned' : ($response->nonce === $records->nonce ? null : 'replayed');
            $records->keys = $errorCode === null ? $this->verifier->follow($records->keys, $keys) : [];
            $errorCode = $errorCode ?? ($verdict === null ? 'invalid_response' : $this->verifier->errorCode($response, $records->keys));
            if ($errorCode !== null) {
                $result = $this->newResult($response->code, $errorCode);
                return false;
            }
            $record = $this->findVerified($records, $response->code);
            $this->apply(new Verdict($verdict[0], $verdict[1], 0, $response), $record);
            [$result, $records->nonce] = [Result::fromRecord($response->code, $record, $this->options), ''];
            $result->source = 'receipt';
            $records->put($response->code, $this->options->site, $record);
            return $verdict[0] === 'valid';
        }) !== null;
        $reason = $this->isWritable ? 'not_checked' : 'store_not_writable';
        return $isWritten || !$result->isValid() ? $result : $this->newResult($response->code, $reason);
    }

    private function read(): Records {
        try {
            $records = new Records($this->options->store->read());
        } catch (\Throwable $error) {
            $records = new Records(null);
        }
        $this->verifier->macs = array_unique(array_merge($records->macs, $this->verifier->macs));
        return $records;
    }

    /** Reads, changes and writes the store; retries on conflicts. Returns null if $change returns false or nothing was written. */
    private function change(callable $change): ?Records {
        $this->isWritable = true;
        for ($attempt = 0; $attempt < 3 && $this->isWritable; $attempt++) {
            $records = $this->read();
            if ($change($records) === false) {
                return null;
            }
            $records->macs = array_slice($this->verifier->macs, -128);
            try {
                if ($this->options->store->replace($records->text, $records->render())) {
                    return $records;
                }
                $this->isWritable = $this->read()->text !== $records->text;
            } catch (\Throwable $error) {
                $this->isWritable = false;
            }
        }
        return null;
    }
}
