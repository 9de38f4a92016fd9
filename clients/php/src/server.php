<?php

declare(strict_types=1);

namespace Pazar;

/** The marketplace's servers: asks the first, and the next one if that gives no answer. */
final class Server
{
    /** Not in Http: before PHP 8.1 a product's own Http could have no constant of this name. */
    public const USER_AGENT = 'pazar-php';
    /** Bytes. An answer about a code has about 2 KB. */
    private const ANSWER_MAX = 262144;
    /** Bytes. A list of items has about 1 KB an item. */
    private const LIST_MAX = 16777216;

    private Options $options;
    private ?Verifier $verifier;
    /** @var array<int, mixed> the keys that are known after the last question */
    private array $followed = [];

    public function __construct(Options $options)
    {
        $this->options = $options;
        $this->verifier = Verifier::isPossible($options->keys)
            ? new Verifier($options->keys, $options->tag(), $options->key)
            : null;
    }

    public function signs(): bool
    {
        return $this->verifier !== null;
    }

    /** Why a stored answer is no receipt for this code, or null if it is one. Without pinned keys there is no telling. */
    public function fault(Answer $answer, string $code): ?string
    {
        return $this->verifier === null ? null : $this->verifier->fault($answer, $code);
    }

    /**
     * The first verdict. If no server has one, what the first server said.
     *
     * @param array<int, mixed> $followed keys that were followed before
     */
    public function ask(string $code, array $followed): Outcome
    {
        $this->followed = $followed;
        return $this->firstKnown(
            fn(string $baseUrl): Outcome => $this->askOne($baseUrl, $code)
        );
    }

    /** @return array<int, mixed> the keys that were followed before the last question, or for its answer */
    public function followed(): array
    {
        return $this->followed;
    }

    /** The answer is not signed, so it unlocks nothing. */
    public function release(string $code, string $site): Release
    {
        $form = ['purchase_code' => $code, 'site' => $site, 'lang' => $this->options->lang];
        $body = http_build_query($form, '', '&', PHP_QUERY_RFC3986);
        return $this->firstKnown(
            fn(string $baseUrl): Release => $this->releaseAt($baseUrl, $body)
        );
    }

    /**
     * The first answer of a server that can say something, else the first of all.
     *
     * @return Outcome|Release as `$ask` does
     */
    private function firstKnown(callable $ask)
    {
        $first = null;
        foreach ($this->options->baseUrls as $baseUrl) {
            $answer = $ask($baseUrl);
            if (!$answer->isUnknown()) {
                return $answer;
            }
            $first = $first ?? $answer;
        }
        return $first;
    }

    private function releaseAt(string $baseUrl, string $body): Release
    {
        try {
            $response = $this->send($baseUrl . '/api/purchases/release', $body, self::ANSWER_MAX);
        } catch (TransportFailure $failure) {
            return new Release('unknown', $failure->reason);
        }
        $states = ['200 ok' => 'released', '404 unknown_code' => 'absent', '404 revoked_code' => 'absent'];
        $state = $states["{$response->status} {$response->header('pazar-reason')}"] ?? null;
        return $state === null
            ? new Release('unknown', $response->failure(), $response->retryAfter(), $response->requestId())
            : new Release($state, '', 0, $response->requestId());
    }

    public function judgePurchase(Answer $answer, string $source, string $requestId): Outcome
    {
        $purchase = $answer->purchase();
        if ($purchase === null) {
            return Outcome::unknown('not_json', 0, $requestId);
        }
        $items = $this->options->items;
        return $items === [] || in_array((string) $purchase['item']['id'], $items, true)
            ? Outcome::valid($purchase, $source, $answer, $requestId)
            : Outcome::invalid('other_item', $requestId);
    }

    /**
     * @param array<string, mixed> $query
     * @param string $absence the reason that means that there is none
     * @return array<mixed>|null null if there is none
     * @throws ReadFailure
     */
    public function read(string $path, array $query, string $member, string $absence = ''): ?array
    {
        $query['lang'] = $this->options->lang;
        $target = $path . '?' . http_build_query($query, '', '&');
        $first = null;
        foreach ($this->options->baseUrls as $baseUrl) {
            try {
                $response = $this->send($baseUrl . $target, null, self::LIST_MAX);
            } catch (TransportFailure $failure) {
                $first = $first ?? new ReadFailure($failure->reason, 0, '', $failure);
                continue;
            }
            $found = $response->status === 200 ? $response->json()[$member] ?? null : null;
            if (is_array($found)) {
                return $found;
            }
            $failure = new ReadFailure($response->failure(), $response->status, $response->requestId());
            if ($response->isRefusal()) {
                if ($failure->reason === $absence) {
                    return null;
                }
                throw $failure;
            }
            $first = $first ?? $failure;
        }
        throw $first;
    }

    private function askOne(string $baseUrl, string $code): Outcome
    {
        $nonce = $this->verifier === null ? '' : bin2hex(random_bytes(16));
        $form = array_filter([
            'purchase_code' => $code,
            'site' => $this->options->site,
            'lang' => $this->options->lang,
            'nonce' => $nonce,
        ], static fn (string $value): bool => $value !== '');
        $body = http_build_query($form, '', '&', PHP_QUERY_RFC3986);
        try {
            $response = $this->send($baseUrl . '/api/purchases/validation', $body, self::ANSWER_MAX);
        } catch (TransportFailure $failure) {
            return Outcome::unknown($failure->reason);
        }
        if (!in_array($response->status, [200, 404], true) || $response->json() === null) {
            return Outcome::unknown($response->failure(), $response->retryAfter(), $response->requestId());
        }
        $answer = Answer::fromResponse($response, $nonce, $this->options);
        $answer->keys = $this->followed;
        $fault = $this->verifier === null ? null : $this->verifySigner($baseUrl, $answer, $code);
        return $fault === null
            ? $this->judge($answer, $response)
            : Outcome::unknown($fault, 0, $response->requestId());
    }

    /** If the signer is not known, looks for an endorsement that leads from a pinned key to it. */
    private function verifySigner(string $baseUrl, Answer $answer, string $code): ?string
    {
        $fault = $this->verifier->fault($answer, $code);
        if ($fault !== 'unknown_signer') {
            return $fault;
        }
        try {
            $url = $baseUrl . '/.well-known/pazar-keys.json';
            $response = $this->options->http->send($url, [], null, $this->options->timeout, self::ANSWER_MAX);
        } catch (TransportFailure $failure) {
            return $fault;
        }
        $this->followed = $this->verifier->follow($this->followed, Verifier::listKeys($response->json()));
        $answer->keys = $this->followed;
        return $this->verifier->fault($answer, $code);
    }

    private function judge(Answer $answer, Response $response): Outcome
    {
        if ($answer->status === 404) {
            return in_array($answer->reason, Response::REFUSALS, true)
                ? Outcome::invalid($answer->reason, $response->requestId())
                : Outcome::unknown($response->failure(), 0, $response->requestId());
        }
        return $this->judgePurchase($answer, 'server', $response->requestId());
    }

    /** @throws TransportFailure */
    private function send(string $url, ?string $form, int $bytesMax): Response
    {
        $headers = ['X-Api-Key' => $this->options->key, 'Accept' => 'application/json'];
        return $this->options->http->send($url, $headers, $form, $this->options->timeout, $bytesMax);
    }
}
