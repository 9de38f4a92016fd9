<?php

declare(strict_types=1);

namespace Pazar;

/** An answer about a purchase code. With its signature it is a receipt, which can be verified at any time. */
final class Answer
{
    private const SIGNED = '("@status" "unencoded-digest" "pazar-reason" "pazar-question")';
    private const MEMBERS = [
        'status', 'body', 'reason', 'input', 'signature', 'nonce', 'key', 'site', 'created', 'expires', 'keys',
    ];

    public int $status;
    public string $body;
    public string $reason;
    /** The header fields Signature-Input and Signature; empty if the answer is not signed. */
    public string $input;
    public string $signature;
    public string $nonce;
    /** The key and the site of the question. A key that must not be stored is empty; the client knows it. */
    public string $key;
    public string $site;
    /** Unix time on the server's clock. */
    public int $created;
    public int $expires;
    /** @var array<int, mixed> keys of the server with their endorsements, if a pinned key did not sign */
    public array $keys = [];

    public static function fromResponse(Response $response, string $nonce, Options $options): self
    {
        $now = $options->now();
        return self::fromArray([
            'status' => $response->status,
            'body' => $response->body,
            'reason' => $response->header('pazar-reason'),
            'input' => $response->header('signature-input'),
            'signature' => $response->header('signature'),
            'nonce' => $nonce,
            'key' => $options->isKeyShipped() ? $options->key : '',
            'site' => $options->site,
            'created' => $now,
            'expires' => $now + $options->grace,
            'keys' => [],
        ]);
    }

    /** @param array<string, mixed> $members */
    public static function fromArray(array $members): self
    {
        $answer = new self();
        foreach ($members as $name => $value) {
            if (in_array($name, self::MEMBERS, true)) {
                $answer->$name = $value;
            }
        }
        $signed = $answer->nonce === '' ? null : $answer->parameters();
        if ($signed !== null) {
            $answer->created = $signed['created'];
            $answer->expires = $signed['expires'];
        }
        return $answer;
    }

    /**
     * Null if it has not the members of an answer.
     *
     * @param mixed $members of anybody's making
     */
    public static function fromUntrusted($members): ?self
    {
        if (!is_array($members) || array_diff(self::MEMBERS, array_keys($members)) !== []) {
            return null;
        }
        try {
            $answer = self::fromArray($members);
        } catch (\TypeError $error) {
            return null;
        }
        $answer->keys = Verifier::listKeys(['keys' => $answer->keys]);
        return $answer;
    }

    /**
     * The answer in the line that the server's page showed, as one to the key and for the site of these options. Null if
     * the line is not of this form.
     *
     * @return array{0: string, 1: self}|null the code, and the answer about it
     */
    public static function findInLine(string $line, Options $options): ?array
    {
        $line = (string) preg_replace('/\s+/', '', $line);
        $isLine = strpos($line, 'pazar1.') === 0;
        $members = $isLine ? json_decode(Verifier::decodeBase64Url(substr($line, 7)), true) : null;
        $code = $members['code'] ?? null;
        $answer = self::fromUntrusted([
            'status' => $members['status'] ?? null,
            'body' => $members['body'] ?? null,
            'reason' => $members['headers']['pazar-reason'] ?? null,
            'input' => $members['headers']['signature-input'] ?? null,
            'signature' => $members['headers']['signature'] ?? null,
            'nonce' => $members['nonce'] ?? null,
            'key' => $options->isKeyShipped() ? $options->key : '',
            'site' => $options->site,
            'created' => 0,
            'expires' => 0,
            'keys' => [],
        ]);
        return is_string($code) && $answer !== null ? [Code::clean($code), $answer] : null;
    }

    /** @return array<string, mixed> */
    public function toArray(): array
    {
        return get_object_vars($this);
    }

    /** @return array<string, mixed>|null null if the answer has no purchase with an item */
    public function purchase(): ?array
    {
        $purchase = json_decode($this->body, true)['data']['purchase'] ?? null;
        return is_numeric($purchase['item']['id'] ?? null) ? $purchase : null;
    }

    /** @return array<string, mixed>|null what the signature says of itself; null if it is not one of Pazar */
    public function parameters(): ?array
    {
        $pattern = '/^pazar=(' . preg_quote(self::SIGNED, '/') . ';created=(\d{1,12});expires=(\d{1,12})'
            . ';nonce="([\w-]{16,128})";keyid="([\w-]{43})";alg="ed25519";tag="([a-z-]{1,40})")$/D';
        if (preg_match($pattern, $this->input, $found) !== 1) {
            return null;
        }
        return [
            'text' => $found[1],
            'created' => (int) $found[2],
            'expires' => (int) $found[3],
            'nonce' => $found[4],
            'keyid' => $found[5],
            'tag' => $found[6],
        ];
    }

    /** The bytes that are signed. Digest and question are computed here, so they cannot be another answer's. */
    public function signatureBase(string $question, string $parameters): string
    {
        return "\"@status\": {$this->status}\n"
            . '"unencoded-digest": ' . self::digest($this->body) . "\n"
            . "\"pazar-reason\": {$this->reason}\n"
            . '"pazar-question": ' . self::digest($question) . "\n"
            . "\"@signature-params\": $parameters";
    }

    private static function digest(string $text): string
    {
        return 'sha-256=:' . base64_encode(hash('sha256', $text, true)) . ':';
    }
}

/** Judges signed answers by pinned keys, and by keys that a chain of endorsements leads to. */
final class Verifier
{
    /** Each endorsement may cost 150 ms, so a hostile key set must not be long. */
    private const KEYS_MAX = 16;
    private const ENDORSEMENTS_MAX = 4;

    /** @var array<string, string> public keys (32 bytes) by their thumbprint */
    private array $pinned = [];
    private string $tag;
    private string $apiKey;

    /** @param array<int, string> $keys base64url */
    public function __construct(array $keys, string $tag, string $apiKey)
    {
        foreach ($keys as $key) {
            $this->pinned[self::thumbprint($key)] = self::decodeBase64Url($key);
        }
        $this->tag = $tag;
        $this->apiKey = $apiKey;
    }

    /**
     * WordPress brings the function where the extension sodium is missing.
     *
     * @param array<int, string> $keys
     */
    public static function isPossible(array $keys): bool
    {
        return $keys !== [] && function_exists('sodium_crypto_sign_verify_detached');
    }

    /** Why the answer does not count as an answer about this code, or null if it does. */
    public function fault(Answer $answer, string $code): ?string
    {
        if ($answer->input === '' || $answer->signature === '') {
            return 'unsigned';
        }
        $parameters = $answer->parameters();
        if ($parameters === null || preg_match('#^pazar=:([\w+/=]{88}):$#D', $answer->signature, $found) !== 1) {
            return 'forged';
        }
        // A line feed in a key would move the parts of the question: a code at its end, a site as the code.
        if (preg_match('/\s/', $answer->key) === 1) {
            return 'forged';
        }
        $keyId = $parameters['keyid'];
        $key = $this->pinned[$keyId] ?? self::decodeBase64Url($this->reach($answer->keys)[$keyId]['x'] ?? '');
        if ($key === '') {
            return 'unknown_signer';
        }
        $question = ($answer->key === '' ? $this->apiKey : $answer->key) . "\n" . $code
            . ($answer->site === '' ? '' : "\n" . $answer->site);
        $base = $answer->signatureBase($question, $parameters['text']);
        $isSigned = self::isSignature(self::decodeBase64($found[1]), $base, $key);
        if (!$isSigned || $parameters['tag'] !== $this->tag) {
            return 'forged';
        }
        return $parameters['nonce'] === $answer->nonce ? null : 'replayed';
    }

    /**
     * The keys to keep. The ones from before stay, because the keys that endorsed them may have left the key set since.
     * Each is kept once: copies in the key set of a false server would leave no room for later ones.
     *
     * @param array<int, mixed> $known from before
     * @param array<int, mixed> $listed of the key set
     * @return array<int, mixed>
     */
    public function follow(array $known, array $listed): array
    {
        return array_slice(array_values($this->reach(array_merge($known, $listed))), 0, self::KEYS_MAX);
    }

    /**
     * The members of a key set that endorsements need.
     *
     * @param array<mixed>|null $set
     * @return array<int, mixed>
     */
    public static function listKeys(?array $set): array
    {
        $listed = [];
        foreach (self::listObjects($set['keys'] ?? null, self::KEYS_MAX) as $key) {
            $x = $key['x'] ?? null;
            if (is_string($x) && strlen(self::decodeBase64Url($x)) === 32) {
                $listed[] = ['x' => $x, 'endorsed' => self::listEndorsements($key['endorsed'] ?? null)];
            }
        }
        return $listed;
    }

    /**
     * @param mixed $endorsed
     * @return array<int, array{by: string, sig: string}>
     */
    private static function listEndorsements($endorsed): array
    {
        $listed = [];
        foreach (self::listObjects($endorsed, self::ENDORSEMENTS_MAX) as $endorsement) {
            [$by, $sig] = [$endorsement['by'] ?? null, $endorsement['sig'] ?? null];
            // A thumbprint and a signature: longer texts would only fill the store.
            if (is_string($by) && strlen($by) === 43 && is_string($sig) && strlen($sig) === 86) {
                $listed[] = ['by' => $by, 'sig' => $sig];
            }
        }
        return $listed;
    }

    /**
     * @param mixed $list
     * @return array<int, array<mixed>>
     */
    private static function listObjects($list, int $countMax): array
    {
        return is_array($list) ? array_filter(array_slice($list, 0, $countMax), 'is_array') : [];
    }

    /** RFC 7638 */
    public static function thumbprint(string $x): string
    {
        $hash = hash('sha256', "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"$x\"}", true);
        return rtrim(strtr(base64_encode($hash), '+/', '-_'), '=');
    }

    /** Empty if it is not base64url. */
    public static function decodeBase64Url(string $text): string
    {
        $padding = str_repeat('=', (4 - strlen($text) % 4) % 4);
        return strpbrk($text, '+/=') === false ? self::decodeBase64(strtr($text, '-_', '+/') . $padding) : '';
    }

    /** Empty if the same bytes are usually written in another way: one signature has one spelling. */
    private static function decodeBase64(string $text): string
    {
        $bytes = (string) base64_decode($text, true);
        return base64_encode($bytes) === $text ? $bytes : '';
    }

    /**
     * @param array<int, mixed> $keys
     * @return array<string, mixed> by thumbprint, those that a chain of endorsements leads to from a pinned key
     */
    private function reach(array $keys): array
    {
        [$trusted, $reached] = [$this->pinned, []];
        do {
            $count = count($trusted);
            foreach ($keys as $key) {
                $name = self::thumbprint($key['x']);
                if (!isset($trusted[$name]) && self::isEndorsed($name, $key['endorsed'], $trusted)) {
                    $trusted[$name] = self::decodeBase64Url($key['x']);
                    $reached[$name] = $key;
                }
            }
        } while (count($trusted) > $count);
        return $reached;
    }

    /**
     * @param array<int, array{by: string, sig: string}> $endorsements
     * @param array<string, string> $trusted
     */
    private static function isEndorsed(string $name, array $endorsements, array $trusted): bool
    {
        foreach ($endorsements as $endorsement) {
            $key = $trusted[$endorsement['by']] ?? null;
            $signature = self::decodeBase64Url($endorsement['sig']);
            if ($key !== null && self::isSignature($signature, "pazar-key:$name", $key)) {
                return true;
            }
        }
        return false;
    }

    private static function isSignature(string $signature, string $text, string $key): bool
    {
        try {
            return strlen($signature) === 64 && sodium_crypto_sign_verify_detached($signature, $text, $key);
        } catch (\Exception $exception) {
            // Without the extension, WordPress's function throws for most texts that are no signature.
            return false;
        }
    }
}
