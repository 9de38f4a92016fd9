<?php

declare(strict_types=1);

namespace Pazar;

/** How requests are sent. */
interface Http
{
    /**
     * GET without a form, POST with one. Follows no redirect, verifies TLS, decodes the content.
     *
     * @param array<string, string> $headers
     * @param string|null $form application/x-www-form-urlencoded
     * @param int $bytesMax a longer body, as decoded, is no response; count while reading, because it may never end
     * @throws TransportFailure
     */
    public function send(string $url, array $headers, ?string $form, float $timeout, int $bytesMax): Response;
}

/** There is no response. */
final class TransportFailure extends \RuntimeException
{
    /** unreachable, timeout, or not_json for more bytes than Pazar sends */
    public string $reason;

    public function __construct(string $reason, string $message)
    {
        parent::__construct($message);
        $this->reason = $reason;
    }
}

final class Response
{
    /** The reasons of a 404 that are a "no" to a code. */
    public const REFUSALS = ['unknown_code', 'revoked_code', 'site_limit'];

    public int $status;
    public string $body;
    /** @var array<string, string> by lower-case name */
    private array $headers;

    /** @param array<string, string> $headers */
    public function __construct(int $status, array $headers, string $body)
    {
        $this->status = $status;
        $this->headers = array_change_key_case($headers);
        $this->body = $body;
    }

    /** Empty if there is none, or if it is not plain text. */
    public function header(string $name): string
    {
        $value = $this->headers[$name] ?? '';
        return preg_match('/^[ -~]*$/D', $value) === 1 ? $value : '';
    }

    /** @return array<mixed>|null null if the body is not a JSON object */
    public function json(): ?array
    {
        $value = strpos(ltrim($this->body), '{') === 0 ? json_decode($this->body, true) : null;
        return is_array($value) ? $value : null;
    }

    /** Why this is no answer: the server's reason, or what can be told without it. */
    public function failure(): string
    {
        $reason = $this->header('pazar-reason');
        $isFailure = $reason !== 'ok' && !in_array($reason, self::REFUSALS, true);
        if ($isFailure && preg_match('/^[a-z_]{1,40}$/D', $reason) === 1) {
            return $reason;
        }
        if ($this->status === 429) {
            return 'rate_limited';
        }
        return $this->status >= 500 ? 'unavailable' : 'not_json';
    }

    /** Pazar refuses the request, and another of its servers would too. */
    public function isRefusal(): bool
    {
        $isClientError = $this->status >= 400 && $this->status < 500 && $this->status !== 429;
        return $isClientError && $this->json() !== null && $this->header('pazar-reason') !== '';
    }

    public function retryAfter(): int
    {
        $seconds = $this->header('retry-after');
        return preg_match('/^\d{1,8}$/D', $seconds) === 1 ? (int) $seconds : 0;
    }

    public function requestId(): string
    {
        return $this->header('request-id');
    }
}

final class Curl implements Http
{
    private const HEADER_BYTES_MAX = 65536;

    public function send(string $url, array $headers, ?string $form, float $timeout, int $bytesMax): Response
    {
        // Many hosts turn this function off, and keep the extension.
        if (!function_exists('curl_exec')) {
            throw new TransportFailure('unreachable', 'curl_exec() is disabled');
        }
        [$received, $headerBytes, $body] = [[], 0, ''];
        $curl = curl_init($url);
        curl_setopt_array($curl, [
            CURLOPT_HTTPHEADER => array_map(
                static fn (string $name): string => "$name: {$headers[$name]}",
                array_keys($headers)
            ),
            CURLOPT_USERAGENT => Server::USER_AGENT,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_SSL_VERIFYPEER => true,
            CURLOPT_SSL_VERIFYHOST => 2,
            CURLOPT_ENCODING => '',
            CURLOPT_NOSIGNAL => true,
            CURLOPT_TIMEOUT_MS => (int) ceil($timeout * 1000),
            // Another number than that of the bytes given ends the transfer.
            CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use (&$received, &$headerBytes): int {
                $headerBytes += strlen($line);
                if ($headerBytes > self::HEADER_BYTES_MAX) {
                    return -1;
                }
                if (strpos($line, 'HTTP/') === 0) {
                    $received = [];
                }
                [$name, $value] = explode(':', $line, 2) + ['', ''];
                $received[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => static function ($curl, string $bytes) use (&$body, $bytesMax): int {
                if (strlen($body) + strlen($bytes) > $bytesMax) {
                    return -1;
                }
                $body .= $bytes;
                return strlen($bytes);
            },
        ]);
        if ($form !== null) {
            curl_setopt($curl, CURLOPT_POSTFIELDS, $form);
        }
        if (curl_exec($curl) === false) {
            $reasons = [CURLE_OPERATION_TIMEDOUT => 'timeout', CURLE_WRITE_ERROR => 'not_json'];
            throw new TransportFailure($reasons[curl_errno($curl)] ?? 'unreachable', curl_error($curl));
        }
        return new Response((int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $received, $body);
    }
}

/** WordPress's own HTTP functions, which use the site's proxy and certificates. */
final class WordPressHttp implements Http
{
    public function send(string $url, array $headers, ?string $form, float $timeout, int $bytesMax): Response
    {
        $arguments = [
            'headers' => $headers + ['Accept-Encoding' => 'identity'],
            // WordPress's own holds the address of the site, which the filter `pazar_site` may keep back.
            'user-agent' => Server::USER_AGENT,
            'timeout' => $timeout,
            'redirection' => 0,
            'sslverify' => true,
            'limit_response_size' => $bytesMax + 1,
        ];
        $end = microtime(true) + $timeout;
        // After its limit WordPress reads on and drops the bytes, without cURL for as long as there are any.
        $limit = static function (string $bytes, int $before) use ($bytesMax, $end): void {
            if ($before + strlen($bytes) > $bytesMax || microtime(true) > $end) {
                throw new TransportFailure('not_json', "more than $bytesMax bytes, or too slow");
            }
        };
        // Without cURL it would wait 10 seconds for a connection, whatever the timeout is.
        $limitConnecting = static function (&$url, &$headers, &$data, &$type, &$options) use ($timeout): void {
            $options['connect_timeout'] = $timeout;
        };
        add_action('requests-requests.before_request', $limitConnecting, 10, 5);
        add_action('requests-request.progress', $limit, 10, 2);
        add_action('requests-requests.before_parse', [self::class, 'keepCoded']);
        try {
            $response = $form === null
                ? wp_remote_get($url, $arguments)
                : wp_remote_post($url, $arguments + ['body' => $form]);
        } finally {
            remove_action('requests-requests.before_request', $limitConnecting);
            remove_action('requests-request.progress', $limit);
            remove_action('requests-requests.before_parse', [self::class, 'keepCoded']);
        }
        if (is_wp_error($response)) {
            $message = $response->get_error_message();
            $reason = stripos($message, 'timed out') === false ? 'unreachable' : 'timeout';
            throw new TransportFailure($reason, $message);
        }
        $received = [];
        foreach (wp_remote_retrieve_headers($response) as $name => $value) {
            $received[$name] = is_array($value) ? implode(', ', $value) : $value;
        }
        $status = (int) wp_remote_retrieve_response_code($response);
        return new Response($status, $received, wp_remote_retrieve_body($response));
    }

    /**
     * WordPress would decode the bytes that were counted, to any length. Where it uses cURL, they are decoded already.
     *
     * @param string $response header and body
     */
    public static function keepCoded(string &$response): void
    {
        [$header, $body] = explode("\r\n\r\n", $response, 2) + ['', ''];
        $response = preg_replace('/^content-encoding:[^\n]*\n/mi', '', "$header\r\n") . "\r\n$body";
    }
}
