<?php

declare(strict_types=1);

namespace Pazar;

interface Http {
    /**
     * Sends GET if $form is null, otherwise POST with the body $form (application/x-www-form-urlencoded). Must not follow
     * redirects, must verify TLS, must stop after $timeout seconds or $bytesMax decoded bytes, and throws TransportFailure.
     */
    public function send(string $url, array $headers, ?string $form, float $timeout, int $bytesMax): Response;
}

final class TransportFailure extends \RuntimeException {
    public string $reason;

    /** @param string $reason unreachable, timeout, or invalid_response if the body is too large */
    public function __construct(string $reason, string $message) { parent::__construct($message); $this->reason = $reason; }
}

final class Response {
    public int $status;
    public string $body;
    private array $headers;

    public function __construct(int $status, array $headers, string $body) {
        [$this->status, $this->headers, $this->body] = [$status, array_change_key_case($headers), $body];
    }

    /** Empty if the header is missing or contains characters outside printable ASCII. */
    public function header(string $name): string {
        $value = $this->headers[$name] ?? '';
        return preg_match('/^[ -~]*$/D', $value) === 1 ? $value : '';
    }

    public function json(): ?array {
        $value = strpos(ltrim($this->body), '{') === 0 ? json_decode($this->body, true) : null;
        return is_array($value) ? $value : null;
    }

    /** The error code of a response without a verdict: the server's, or one derived from the status. */
    public function failure(): string {
        if ($this->status >= 500 || $this->status === 429) {
            return $this->status === 429 ? 'rate_limited' : 'unavailable';
        }
        $reason = $this->header('pazar-reason');
        $isError = $this->status >= 400 && !in_array($reason, SignedResponse::INVALID_REASONS, true);
        return $isError && preg_match('/^[a-z_]{1,40}$/D', $reason) === 1 ? $reason : 'invalid_response';
    }

    public function retryAfter(): int {
        $seconds = $this->header('retry-after');
        return preg_match('/^\d{1,8}$/D', $seconds) === 1 ? (int) $seconds : 0;
    }
}

final class Curl implements Http {
    public function send(string $url, array $headers, ?string $form, float $timeout, int $bytesMax): Response {
        if (!function_exists('curl_exec')) {
            throw new TransportFailure('unreachable', 'curl_exec() is disabled');
        }
        [$received, $headerBytes, $body] = [[], 0, ''];
        $curl = curl_init($url);
        curl_setopt_array($curl, [
            CURLOPT_HTTPHEADER => array_map(fn (string $name): string => "$name: {$headers[$name]}", array_keys($headers)),
            CURLOPT_USERAGENT => Server::USER_AGENT, CURLOPT_ENCODING => '', CURLOPT_NOSIGNAL => true,
            CURLOPT_TIMEOUT_MS => (int) ceil($timeout * 1000),
            // cURL aborts if a callback returns another number than the length of its input.
            CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use (&$received, &$headerBytes): int {
                $headerBytes += strlen($line);
                $received = strpos($line, 'HTTP/') === 0 ? [] : $received;
                [$name, $value] = explode(':', $line, 2) + ['', ''];
                $received[trim($name)] = trim($value);
                return $headerBytes > 65536 ? -1 : strlen($line);
            },
            CURLOPT_WRITEFUNCTION => static function ($curl, string $bytes) use (&$body, $bytesMax): int {
                $body .= $bytes;
                return strlen($body) > $bytesMax ? -1 : strlen($bytes);
            },
        ]);
        $form === null || curl_setopt($curl, CURLOPT_POSTFIELDS, $form);
        if (curl_exec($curl) === false) {
            $reasons = [CURLE_OPERATION_TIMEDOUT => 'timeout', CURLE_WRITE_ERROR => 'invalid_response'];
            throw new TransportFailure($reasons[curl_errno($curl)] ?? 'unreachable', curl_error($curl));
        }
        return new Response((int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $received, $body);
    }
}

/** Uses the WordPress HTTP API, and with it the proxy and certificates of the site. */
final class WordPressHttp implements Http {
    public function send(string $url, array $headers, ?string $form, float $timeout, int $bytesMax): Response {
        $arguments = [
            'headers' => $headers + ['Accept-Encoding' => 'identity'], 'user-agent' => Server::USER_AGENT,
            'timeout' => $timeout, 'redirection' => 0, 'sslverify' => true, 'limit_response_size' => $bytesMax + 1,
        ];
        $end = microtime(true) + $timeout;
        // WordPress continues to read after its limit, and without cURL until the body ends, which may be never.
        $limit = static function (string $bytes, int $before) use ($bytesMax, $end): void {
            if ($before + strlen($bytes) > $bytesMax || microtime(true) > $end) {
                throw new TransportFailure('invalid_response', "more than $bytesMax bytes, or too slow");
            }
        };
        // WordPress would decompress the counted bytes to any size.
        $skipDecoding = static function (string &$response): void {
            [$header, $body] = explode("\r\n\r\n", $response, 2) + ['', ''];
            $response = preg_replace('/^content-encoding:[^\n]*\n/mi', '', "$header\r\n") . "\r\n$body";
        };
        add_action('requests-request.progress', $limit, 10, 2);
        add_action('requests-requests.before_parse', $skipDecoding);
        try {
            $response = $form === null ? wp_remote_get($url, $arguments) : wp_remote_post($url, $arguments + ['body' => $form]);
        } finally {
            remove_action('requests-request.progress', $limit);
            remove_action('requests-requests.before_parse', $skipDecoding);
        }
        if (is_wp_error($response)) {
            $message = $response->get_error_message();
            throw new TransportFailure(stripos($message, 'timed out') === false ? 'unreachable' : 'timeout', $message);
        }
        $received = [];
        foreach (wp_remote_retrieve_headers($response) as $name => $value) {
            $received[$name] = is_array($value) ? implode(', ', $value) : $value;
        }
        return new Response((int) wp_remote_retrieve_response_code($response), $received, wp_remote_retrieve_body($response));
    }
}
