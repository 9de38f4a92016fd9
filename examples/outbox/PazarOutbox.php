<?php
declare(strict_types=1);

/** The token or the URL is wrong. Retrying does not help. */
final class PazarOutboxStopped extends RuntimeException
{
}

/**
 * Sends a shop's changes to Pazar in order, at least once.
 *
 * The shop calls `add` in the transaction that changes its own data. A worker calls `send`, which runs until
 * no record is pending. A batch without a response is sent again: importing a record twice changes nothing.
 */
final class PazarOutbox
{
    private const BATCH_ROWS = 500;
    private const PAUSE_SECONDS_MAX = 300;

    /** @var callable(float): void */
    private $sleep;

    /** @param callable(float): void|null $sleep sleeps for the given seconds */
    public function __construct(
        private PDO $db,
        private string $feedUrl,
        private string $operatorToken,
        private int $timeoutSeconds = 120,
        ?callable $sleep = null
    ) {
        $db->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
        $this->sleep = $sleep ?? static fn (float $seconds) => usleep((int) ($seconds * 1e6));
    }

    /**
     * Stores one change until it is sent. `as_of` is the time of the change, so older data that arrives
     * later, such as a nightly file, does not replace it.
     *
     * @param array<string, mixed> $record fields as in docs/shop-data.md
     */
    public function add(array $record): void
    {
        $record += ['as_of' => (new DateTimeImmutable('now', new DateTimeZone('UTC')))->format('Y-m-d\TH:i:s.v\Z')];
        foreach (['username', 'author', 'was', 'was_author'] as $name) {
            // Substituted bytes could make two names equal. Pazar rejects an object, so the problem becomes visible.
            if (is_string($record[$name] ?? null) && preg_match('//u', $record[$name]) !== 1) {
                $record[$name] = ['unreadable' => $record[$name]];
            }
        }
        // ASCII only, so no connection character set changes it. Invalid UTF-8 must not fail the shop's transaction.
        $line = json_encode($record, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION);
        $this->db->prepare('INSERT INTO pazar_outbox (record) VALUES (?)')->execute([$line]);
    }

    /** Sends all pending records. Returns the number of rejected records, which stay in the table. */
    public function send(): int
    {
        $rejected = 0;
        $failures = 0;
        $rowsMax = self::BATCH_ROWS;
        while (($rows = $this->pendingRows($rowsMax)) !== []) {
            [$status, $headers, $body] = $this->post(implode("\n", $rows) . "\n");
            if ($status === 200 || $status === 422) {
                $summary = $this->readSummary($body);
                // Pazar stopped a mass change and did not read the records after it.
                $rejected += isset($summary['problem'])
                    ? $this->keepMassChanges($rows, $summary['problem'])
                    : $this->complete($rows, $this->problemsByLine($summary));
                $failures = 0;
                $rowsMax = self::BATCH_ROWS;
            } elseif ($status === 413 && count($rows) > 1) {
                $rowsMax = intdiv(count($rows), 2);
            } elseif ($status === 413) {
                $rejected += $this->complete($rows, [1 => 'is too large for the server; shorten it']);
                $rowsMax = self::BATCH_ROWS;
            } elseif (in_array($status, [0, 400, 408, 429], true) || $status >= 500) {
                // 0: no response. 400: the connection broke while Pazar read the request.
                $this->pause(++$failures, $headers['retry-after'] ?? null);
            } else {
                throw new PazarOutboxStopped("Pazar returned {$status}; check PAZAR_URL and PAZAR_OPERATOR_TOKEN");
            }
        }
        return $rejected;
    }

    /** @return array<int, string> the records by id, oldest first */
    private function pendingRows(int $rowsMax): array
    {
        $rows = $this->db->query("SELECT id, record FROM pazar_outbox WHERE refused IS NULL ORDER BY id LIMIT {$rowsMax}");
        return $rows->fetchAll(PDO::FETCH_KEY_PAIR);
    }

    /**
     * Deletes imported records and keeps rejected ones with their problems.
     *
     * @param array<int, string> $rows
     * @param array<int, string> $problems by line, counted from 1
     */
    private function complete(array $rows, array $problems): int
    {
        $delete = $this->db->prepare('DELETE FROM pazar_outbox WHERE id = ?');
        $reject = $this->db->prepare('UPDATE pazar_outbox SET refused = ? WHERE id = ?');
        $this->db->beginTransaction();
        foreach (array_keys($rows) as $index => $id) {
            $problem = $problems[$index + 1] ?? null;
            $problem === null ? $delete->execute([$id]) : $reject->execute([$problem, $id]);
        }
        $this->db->commit();
        return count($problems);
    }

    /**
     * Keeps deletions and revocations with the problem, for a person to review. The other records are sent again.
     *
     * @param array<int, string> $rows
     */
    private function keepMassChanges(array $rows, string $problem): int
    {
        $reject = $this->db->prepare('UPDATE pazar_outbox SET refused = ? WHERE id = ?');
        $changes = array_filter($rows, static function (string $line): bool {
            $record = json_decode($line, true);
            return ($record['deleted'] ?? false) === true || ($record['revoked'] ?? false) === true;
        });
        if ($changes === []) {
            throw new PazarOutboxStopped($problem);
        }
        $this->db->beginTransaction();
        foreach (array_keys($changes) as $id) {
            $reject->execute([$problem, $id]);
        }
        $this->db->commit();
        return count($changes);
    }

    /**
     * Checks that Pazar sent the response: a page of another server must not delete records.
     *
     * @return array<string, mixed>
     */
    private function readSummary(string $body): array
    {
        $summary = json_decode($body, true);
        if (!is_int($summary['accepted'] ?? null) || !is_array($summary['refused'] ?? null)) {
            throw new PazarOutboxStopped('the response is not from Pazar; check PAZAR_URL');
        }
        return $summary;
    }

    /**
     * @param array<string, mixed> $summary
     * @return array<int, string>
     */
    private function problemsByLine(array $summary): array
    {
        $problems = [];
        foreach ($summary['refused'] as $line) {
            $problems[$line['line']] = json_encode($line['problems'], JSON_THROW_ON_ERROR);
        }
        return $problems;
    }

    /** Exponential backoff with jitter: 1, 2, 4 … seconds. */
    private function pause(int $failures, ?string $retryAfter): void
    {
        $longest = min(self::PAUSE_SECONDS_MAX, 2 ** min($failures - 1, 30));
        $seconds = $longest * random_int(500, 1000) / 1000;
        ($this->sleep)(preg_match('/^\d+$/D', (string) $retryAfter) === 1 ? max((float) $retryAfter, $seconds) : $seconds);
    }

    /** @return array{int, array<string, string>, string} the status is 0 without a response */
    private function post(string $feed): array
    {
        $headers = [];
        $curl = curl_init($this->feedUrl);
        curl_setopt_array($curl, [
            CURLOPT_POSTFIELDS => $feed,
            CURLOPT_HTTPHEADER => ["Authorization: Bearer {$this->operatorToken}", 'Content-Type: application/x-ndjson', 'Expect:'],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_CONNECTTIMEOUT => 5,
            CURLOPT_TIMEOUT => $this->timeoutSeconds,
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$headers): int {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $headers[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ]);
        $body = curl_exec($curl);
        return [$body === false ? 0 : curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $headers, (string) $body];
    }
}
