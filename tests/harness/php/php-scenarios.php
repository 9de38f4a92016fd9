<?php

/**
 * Runs scenarios against the PHP client. A scenario is a list of steps over one store, each with its time
 * and options. As a program it reads one scenario per line and prints one line of results.
 */

declare(strict_types=1);

// A warning or deprecation in the client is a failure.
set_error_handler(static function (int $level, string $message, string $file, int $line): bool {
    if ((error_reporting() & $level) !== 0) {
        throw new ErrorException($message, 0, $level, $file, $line);
    }
    return false;
});

// The PHP builds from npm have neither sodium nor a network; the test replaces both.
if (function_exists('post_message_to_js')) {
    function sodium_crypto_sign_verify_detached(string $signature, string $message, string $key): bool
    {
        $question = ['signature' => $signature, 'message' => $message, 'key' => $key];
        return post_message_to_js(json_encode(['verify' => array_map('base64_encode', $question)])) === 'true';
    }
}

require getenv('PAZAR_PHP') ?: '/client/pazar.php';

final class MessageHttp implements Pazar\Http
{
    public function send(string $url, array $headers, ?string $form, float $timeout, int $bytesMax): Pazar\Response
    {
        $question = ['url' => $url, 'headers' => $headers, 'form' => $form, 'timeout' => $timeout];
        $answer = json_decode(post_message_to_js(json_encode(['send' => $question])), true);
        if (isset($answer['failure'])) {
            throw new Pazar\TransportFailure($answer['failure'], 'as told');
        }
        return new Pazar\Response($answer['status'], $answer['headers'], base64_decode($answer['body']));
    }
}

/** Fails a request as the script says, without waiting. */
final class ScriptedHttp implements Pazar\Http
{
    private Pazar\Http $http;

    public function __construct(Pazar\Http $http)
    {
        $this->http = $http;
    }

    public function send(string $url, array $headers, ?string $form, float $timeout, int $bytesMax): Pazar\Response
    {
        $response = $this->http->send($url, $headers, $form, $timeout, $bytesMax);
        if ($response->header('x-failure') !== '') {
            throw new Pazar\TransportFailure($response->header('x-failure'), 'as the script says');
        }
        return $response;
    }
}

/** Responds with the result that is set for the path. */
final class CannedHttp implements Pazar\Http
{
    /** @var array<string, array<string, mixed>> */
    private array $responses;

    public function __construct(array $responses)
    {
        $this->responses = $responses;
    }

    public function send(string $url, array $headers, ?string $form, float $timeout, int $bytesMax): Pazar\Response
    {
        $response = $this->responses[parse_url($url, PHP_URL_PATH)];
        return new Pazar\Response($response['status'], $response['headers'], base64_decode($response['body']));
    }
}

final class MemoryStore implements Pazar\Store
{
    public ?string $text = null;
    public bool $isReadOnly = false;
    public bool $isBroken = false;

    public function read(): ?string
    {
        $this->assertWhole();
        return $this->text;
    }

    /** Throws like PDO during a database outage. */
    private function assertWhole(): void
    {
        if ($this->isBroken) {
            throw new RuntimeException('the database is locked');
        }
    }

    public function replace(?string $old, string $new): bool
    {
        $this->assertWhole();
        if ($this->isReadOnly || $this->text !== $old) {
            return false;
        }
        $this->text = $new;
        return true;
    }

    public function delete(): void
    {
        $this->assertWhole();
        $this->text = null;
    }
}

function describeResult($result)
{
    if (!$result instanceof Pazar\Result) {
        return $result;
    }
    $until = $result->supportedUntil();
    return array_filter(get_object_vars($result), static fn ($value): bool => !in_array($value, ['', null], true)) + [
        'isActive' => $result->isActive(),
        'isValid' => $result->isValid(),
        'isExpired' => $result->isExpired(),
        'isSupported' => $result->isSupported(),
        'mayUpdate' => $result->mayUpdate(),
        'supportedUntil' => $until === null ? null : $until->getTimestamp(),
    ];
}

function runStep(array $step, array $options, MemoryStore $store)
{
    [$call, $arguments] = [$step['call'], $step['arguments'] ?? []];
    $options = ($step['options'] ?? []) + $options;
    if ($call === 'readStore') {
        return $store->text;
    }
    if ($call === 'writeStore') {
        $store->text = $arguments[0];
        return null;
    }
    if ($call === 'lockStore') {
        $store->isReadOnly = true;
        return null;
    }
    if ($call === 'breakStore') {
        $store->isBroken = true;
        return null;
    }
    if ($call === 'trim') {
        return array_map([Pazar\Code::class, 'trim'], $arguments);
    }
    if ($call === 'isTestSite') {
        return array_map([Pazar\Site::class, 'isTest'], $arguments);
    }
    if (isset($options['file'])) {
        $options['store'] = new Pazar\FileStore($options['file']);
        unset($options['file']);
    }
    if (isset($options['read_only'])) {
        $store->isReadOnly = $options['read_only'];
        unset($options['read_only']);
    }
    if (isset($options['latin1_site'])) {
        $options['site'] = iconv('UTF-8', 'ISO-8859-1', $options['latin1_site']);
        unset($options['latin1_site']);
    }
    if ($call === 'countUp') {
        return countUp($options['store'], $arguments[0]);
    }
    $now = $step['now'] ?? time();
    $http = function_exists('post_message_to_js') ? new MessageHttp() : new Pazar\Curl();
    $http = isset($options['responses']) ? new CannedHttp($options['responses']) : new ScriptedHttp($http);
    unset($options['responses']);
    $options += ['store' => $store, 'http' => $http, 'clock' => static fn (): int => $now];
    if ($call === 'fault' || $call === 'follow') {
        $verifier = new Pazar\Verifier(new Pazar\Options($options));
        return $call === 'follow'
            ? $verifier->follow(Pazar\Verifier::listKeys($arguments[0]), $arguments[1])
            : $verifier->errorCode(Pazar\SignedResponse::parse($arguments[0]), []);
    }
    $client = new Pazar\Client($options);
    if ($call === 'import') {
        return $client->importReceipt(readReceipt($http, $client->activationUrl(), $arguments[0]));
    }
    return $call === 'dump' ? (string) preg_replace('/[^ -~]/', '', print_r($client, true)) : $client->$call(...$arguments);
}

/** Does what the activation page does with its URL and a code. */
function readReceipt(Pazar\Http $http, string $url, string $code): string
{
    [$base, $fragment] = explode('/activate#', $url);
    parse_str($fragment, $fields);
    $form = http_build_query(['purchase_code' => $code, 'api_key' => $fields['key']] + $fields);
    $response = $http->send("$base/api/purchases/validation", ['X-Api-Key' => $fields['key']], $form, 60, 262144);
    $keySet = $http->send("$base/.well-known/pazar-keys.json", [], null, 60, 262144)->json();
    $headers = [];
    foreach (['pazar-reason', 'signature-input', 'signature'] as $name) {
        $headers[$name] = $response->header($name);
    }
    $receipt = ['status' => $response->status, 'body' => $response->body, 'headers' => $headers, 'code' => $code] + $fields;
    $json = json_encode($receipt + ['keys' => $keySet['keys']]);
    return 'pazar1.' . rtrim(strtr(base64_encode($json), '+/', '-_'), '=');
}

/** Increments the number in the store unless another process is faster, and returns the number of successes. */
function countUp(Pazar\Store $store, int $attempts): int
{
    $successes = 0;
    for ($attempt = 0; $attempt < $attempts; $attempt++) {
        $text = $store->read();
        $successes += $store->replace($text, (string) ((int) $text + 1)) ? 1 : 0;
    }
    return $successes;
}

function runScenario(array $scenario): array
{
    $store = new MemoryStore();
    $results = [];
    foreach ($scenario['steps'] as $step) {
        try {
            $results[] = describeResult(runStep($step, $scenario['options'] ?? [], $store));
        } catch (Throwable $thrown) {
            $results[] = ['thrown' => get_class($thrown), 'message' => $thrown->getMessage()];
        }
    }
    return $results;
}

if (PHP_SAPI === 'cli') {
    while (($line = fgets(STDIN)) !== false) {
        echo json_encode(runScenario(json_decode($line, true))), "\n";
    }
}
