<?php

declare(strict_types=1);

namespace Pazar;

/** What a request brought. */
final class Verdict {
    /** released or absent (not a valid code, or not in use there); valid or invalid; unknown if there was no verdict */
    public string $state;
    /** The error code. */
    public string $reason;
    /** Seconds until another attempt makes sense. */
    public int $retryAfter;
    public ?SignedResponse $response;

    public function __construct(string $state, string $reason = '', int $retryAfter = 0, ?SignedResponse $response = null) {
        [$this->state, $this->reason, $this->retryAfter, $this->response] = [$state, $reason, $retryAfter, $response];
    }
}

/** @internal the marketplace's servers: the next URL is tried only if the one before gave no verdict */
final class Server {
    public const USER_AGENT = 'pazar-php';
    /** A response has about 2 KB. */
    private const BYTES_MAX = 262144;

    /** The keys that are known after the last request. */
    public array $followed = [];
    private Options $options;
    private Verifier $verifier;
    /** When all requests of a call must have ended, as microtime(). */
    private float $deadline = 0.0;

    public function __construct(Options $options, Verifier $verifier) {
        [$this->options, $this->verifier] = [$options, $verifier];
    }

    public function validate(string $code, array $followed): Verdict {
        $this->followed = $followed;
        return $this->firstKnown(fn (string $baseUrl): Verdict => $this->validateAt($baseUrl, $code));
    }

    /** With the field site or for. The response is not signed: it unlocks nothing. */
    public function release(string $code, array $site): Verdict {
        return $this->firstKnown(function (string $baseUrl) use ($code, $site): Verdict {
            $http = $this->send("$baseUrl/api/purchases/release", ['purchase_code' => $code] + $site);
            $reason = $http->header('pazar-reason');
            if ($http->status === 200 && $reason === 'ok') {
                return new Verdict('released');
            }
            $isAbsent = $http->status === 404 && in_array($reason, SignedResponse::REFUSALS, true);
            return $isAbsent ? new Verdict('absent') : new Verdict('unknown', $http->failure(), $http->retryAfter());
        });
    }

    /** If no URL gave a verdict, what the first one brought. */
    private function firstKnown(callable $send): Verdict {
        $this->deadline = microtime(true) + $this->options->timeout;
        $first = null;
        foreach ($this->options->baseUrls as $baseUrl) {
            try {
                $verdict = $send($baseUrl);
            } catch (TransportFailure $failure) {
                $verdict = new Verdict('unknown', $failure->reason);
            }
            if ($verdict->state !== 'unknown') {
                return $verdict;
            }
            $first = $first ?? $verdict;
        }
        return $first;
    }

    private function validateAt(string $baseUrl, string $code): Verdict {
        $sent = ['code' => $code, 'site' => $this->options->site, 'nonce' => bin2hex(random_bytes(16))];
        $form = ['purchase_code' => $code, 'site' => $sent['site'], 'nonce' => $sent['nonce']];
        $http = $this->send("$baseUrl/api/purchases/validation", array_filter($form, 'strlen'));
        $now = $this->options->now();
        $response = SignedResponse::parse($sent + [
            'status' => $http->status,
            'body' => $http->body,
            'reason' => $http->header('pazar-reason'),
            'input' => $http->header('signature-input'),
            'signature' => $http->header('signature'),
            'key' => $this->options->isKeyShipped() ? $this->options->key : '',
            'created' => $now, 'expires' => $now + $this->options->grace,
        ]);
        $verdict = $http->json() === null ? null : $response->verdict($this->options->items);
        if ($verdict === null) {
            return new Verdict('unknown', $http->failure(), $http->retryAfter());
        }
        $fault = $this->verify($baseUrl, $response);
        return $fault === null ? new Verdict($verdict[0], $verdict[1], 0, $response) : new Verdict('unknown', $fault);
    }

    /** If the signer is not known, looks for endorsements that lead to it from a pinned key. */
    private function verify(string $baseUrl, SignedResponse $response): ?string {
        $fault = $this->verifier->fault($response, $this->followed);
        if ($fault !== 'unknown_signer') {
            return $fault;
        }
        try {
            $keySet = $this->send("$baseUrl/.well-known/pazar-keys.json", null)->json();
        } catch (TransportFailure $failure) {
            return $fault;
        }
        $this->followed = $this->verifier->follow($this->followed, $keySet['keys'] ?? null);
        return $this->verifier->fault($response, $this->followed);
    }

    /** @throws TransportFailure */
    private function send(string $url, ?array $form): Response {
        $left = $this->deadline - microtime(true);
        if ($left <= 0) {
            throw new TransportFailure('timeout', 'no time is left');
        }
        $headers = ['X-Api-Key' => $this->options->key, 'Accept' => 'application/json'];
        $body = $form === null ? null : http_build_query($form, '', '&', PHP_QUERY_RFC3986);
        return $this->options->http->send($url, $form === null ? [] : $headers, $body, $left, self::BYTES_MAX);
    }
}
