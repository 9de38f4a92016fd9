<?php

declare(strict_types=1);

namespace Pazar;

/** The verdict of a request. release() and download() return it to products. */
final class Verdict {
    /** A release: released, absent (not activated there) or unknown. A download: ready, absent or unknown. */
    public string $state;
    /** Error code; empty if the state is released or ready. */
    public string $reason;
    /** Seconds from the header Retry-After; 0 without one. */
    public int $retryAfter;
    /** URL of the update, valid for 15 minutes without a key. Only after download(). */
    public string $url = '';
    public ?SignedResponse $response;

    public function __construct(string $state, string $reason = '', int $retryAfter = 0, ?SignedResponse $response = null) {
        [$this->state, $this->reason, $this->retryAfter, $this->response] = [$state, $reason, $retryAfter, $response];
    }
}

/** @internal Sends requests to the base URLs in order until one returns a verdict. */
final class Server {
    public const USER_AGENT = 'pazar-php';
    private const BYTES_MAX = 262144;

    /** Endorsed keys after the last request. */
    public array $followed = [];
    private Options $options;
    private Verifier $verifier;
    private float $deadline = 0.0;

    public function __construct(Options $options, Verifier $verifier) { [$this->options, $this->verifier] = [$options, $verifier]; }

    public function validate(string $code, array $followed): Verdict {
        $this->followed = $followed;
        return $this->firstKnown(fn (string $baseUrl): Verdict => $this->validateAt($baseUrl, $code));
    }

    /** For requests whose responses cannot activate a product: they are not signed. $done is the state after a 200. */
    public function request(string $operation, array $form, string $done): Verdict {
        return $this->firstKnown(function (string $baseUrl) use ($operation, $form, $done): Verdict {
            $http = $this->send("$baseUrl/api/purchases/$operation", array_filter($form, 'strlen'));
            [$reason, $verdict, $url] = [$http->header('pazar-reason'), new Verdict($done), $http->json()['data']['url'] ?? ''];
            $verdict->url = is_string($url) ? (strpos($url, '/') === 0 ? $baseUrl . $url : $url) : '';
            if ($http->status === 200 && $reason === 'ok' && ($verdict->url !== '' || $done !== 'ready')) {
                return $verdict;
            }
            $isAbsent = $http->status === 404 && in_array($reason, [...SignedResponse::INVALID_REASONS, 'no_download'], true);
            return $isAbsent ? new Verdict('absent', $reason) : new Verdict('unknown', $http->failure(), $http->retryAfter());
        });
    }

    /** Returns the first verdict. If no URL returns one, returns the error of the first URL. */
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
        $sent = ['site' => $this->options->site, 'nonce' => bin2hex(random_bytes(16))];
        $http = $this->send("$baseUrl/api/purchases/validation", array_filter(['purchase_code' => $code] + $sent, 'strlen'));
        $now = $this->options->now();
        $response = SignedResponse::parse($sent + [
            'status' => $http->status, 'body' => $http->body, 'reason' => $http->header('pazar-reason'),
            'input' => $http->header('signature-input'), 'signature' => $http->header('signature'),
            'code' => $code, 'key' => $this->options->isValidationKey() ? $this->options->key : '',
            'created' => $now, 'expires' => $now + $this->options->grace,
        ]);
        $verdict = $http->json() === null ? null : $response->verdict($this->options->items);
        if ($verdict === null) {
            return new Verdict('unknown', $http->failure(), $http->retryAfter());
        }
        // A pinned key may have endorsed an unknown signer.
        if ($this->verifier->errorCode($response, $this->followed) === 'unknown_signer') {
            $keySet = $this->send("$baseUrl/.well-known/pazar-keys.json", null)->json();
            $this->followed = $this->verifier->follow($this->followed, $keySet['keys'] ?? null);
        }
        $errorCode = $this->verifier->errorCode($response, $this->followed);
        return $errorCode === null ? new Verdict($verdict[0], $verdict[1], 0, $response) : new Verdict('unknown', $errorCode);
    }

    private function send(string $url, ?array $form): Response {
        $left = $this->deadline - microtime(true);
        if ($left <= 0) {
            throw new TransportFailure('timeout', 'timed out before the request was sent');
        }
        $headers = ['X-Api-Key' => $this->options->key, 'Accept' => 'application/json'];
        $body = $form === null ? null : http_build_query($form, '', '&', PHP_QUERY_RFC3986);
        return $this->options->http->send($url, $form === null ? [] : $headers, $body, $left, self::BYTES_MAX);
    }
}
