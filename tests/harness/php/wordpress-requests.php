<?php

/** The part of wordpress-functions.php that sends requests. */

declare(strict_types=1);

final class WP_Error
{
    private string $message;

    public function __construct(string $code, string $message)
    {
        $this->message = $message;
    }

    public function get_error_message(): string
    {
        return $this->message;
    }
}

/** Like Requests_Utility_CaseInsensitiveDictionary: names are lower case, and a repeated one is a list. */
final class HeaderDictionary implements IteratorAggregate
{
    private array $values = [];

    public function add(string $name, string $value): void
    {
        $name = strtolower($name);
        $this->values[$name] = isset($this->values[$name])
            ? array_merge((array) $this->values[$name], [$value])
            : $value;
    }

    public function getIterator(): Iterator
    {
        return new ArrayIterator($this->values);
    }
}

function wp_remote_get(string $url, array $arguments)
{
    return remoteRequest('GET', $url, $arguments);
}

function wp_remote_post(string $url, array $arguments)
{
    return remoteRequest('POST', $url, $arguments);
}

function remoteRequest(string $method, string $url, array $arguments)
{
    global $site;
    $site->requests[] = [
        'method' => $method,
        'url' => $url,
        'redirection' => $arguments['redirection'] ?? 5,
        'userAgent' => $arguments['user-agent'] ?? 'WordPress/6.1; ' . home_url(),
    ];
    $headers = new HeaderDictionary();
    $lines = [];
    foreach ($arguments['headers'] as $name => $value) {
        $lines[] = "$name: $value";
    }
    $curl = curl_init(str_replace('https://licenses.example.com', $site->server, $url));
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_POSTFIELDS => $arguments['body'] ?? '',
        CURLOPT_HTTPHEADER => $lines,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT_MS => (int) ($arguments['timeout'] * 1000),
        CURLOPT_ENCODING => '',
        CURLOPT_HEADERFUNCTION => static function ($curl, string $line) use ($headers): int {
            [$name, $value] = explode(':', $line, 2) + ['', null];
            if ($value !== null) {
                $headers->add($name, trim($value));
            }
            return strlen($line);
        },
    ]);
    $body = curl_exec($curl);
    if ($body === false) {
        return new WP_Error('http_request_failed', 'cURL error ' . curl_errno($curl) . ': ' . curl_error($curl));
    }
    $code = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    return ['headers' => $headers, 'body' => $body, 'response' => ['code' => $code, 'message' => '']];
}

function is_wp_error($thing): bool
{
    return $thing instanceof WP_Error;
}

function wp_remote_retrieve_headers(array $response)
{
    return $response['headers'];
}

/** @return int|string */
function wp_remote_retrieve_response_code(array $response)
{
    return $response['response']['code'];
}

function wp_remote_retrieve_body(array $response): string
{
    return $response['body'];
}
