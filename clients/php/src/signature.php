<?php

declare(strict_types=1);

namespace Pazar;

final class Ed25519 {
    /** Verification results of this process, because a page may read the same response many times. */
    private static array $verified = [];

    /** Without the extension one verification takes 0.1 seconds. */
    public static function isSlow(): bool { return !function_exists('sodium_crypto_sign_verify_detached'); }
    public static function isAvailable(): bool { return !self::isSlow() || self::wordPressClass() !== null; }

    public static function verify(string $signature, string $text, string $key): bool {
        $name = hash('sha256', "$signature$key$text");
        if (!isset(self::$verified[$name])) {
            self::$verified = array_slice(self::$verified, -127);
            try {
                self::$verified[$name] = strlen($signature) === 64 && (self::isSlow()
                    ? (self::wordPressClass())::sign_verify_detached($signature, $text, $key)
                    : sodium_crypto_sign_verify_detached($signature, $text, $key));
            } catch (\Exception $exception) {
                // WordPress's implementation throws an exception for most malformed signatures.
                self::$verified[$name] = false;
            }
        }
        return self::$verified[$name];
    }

    /** WordPress loads the class only if the extension is missing. ParagonIE_Sodium_Compat would call a disabled function. */
    private static function wordPressClass(): ?string {
        $class = PHP_INT_SIZE === 4 ? 'ParagonIE_Sodium_Crypto32' : 'ParagonIE_Sodium_Crypto';
        $file = defined('ABSPATH') ? ABSPATH . 'wp-includes/sodium_compat/autoload.php' : '';
        if (!class_exists($class) && is_file($file)) {
            require_once $file;
        }
        return class_exists($class) ? $class : null;
    }
}

/** @internal A response with the fields of its request, so its signature can be verified again at any time. */
final class SignedResponse {
    public const INVALID_REASONS = ['unknown_code', 'revoked_code', 'expired_code', 'site_limit'];
    private const PARAMETERS = '/^pazar=(?<text>\("@status" "unencoded-digest" "pazar-reason" "pazar-question"\)'
        . ';created=(?<created>\d{1,12});expires=(?<expires>\d{1,12});nonce="(?<nonce>[\w-]{16,128})"'
        . ';keyid="(?<keyid>[\w-]{43})";alg="ed25519";tag="(?<tag>[a-z-]{1,40})")$/D';

    public int $status, $created, $expires;
    public string $body, $reason, $nonce;
    /** The header fields Signature-Input and Signature; empty if the response is not signed. */
    public string $input, $signature;
    /** Key, code and site of the request. The key is empty unless it is a validation key: other keys are not stored. */
    public string $key, $code, $site;

    /** Returns null if an untrusted field is missing or has the wrong type. */
    public static function parse($fields): ?self {
        $response = new self();
        try {
            foreach (array_keys(get_class_vars(self::class)) as $name) {
                $response->$name = $fields[$name] ?? null;
            }
        } catch (\TypeError $error) {
            return null;
        }
        $signed = $response->parameters();
        $response->created = (int) ($signed['created'] ?? $response->created);
        $response->expires = (int) ($signed['expires'] ?? $response->expires);
        return $response;
    }

    /** Returns ["valid", ""] or ["invalid", error code], and null if the response is not a verdict. */
    public function verdict(array $items): ?array {
        if ($this->status === 404) {
            return in_array($this->reason, self::INVALID_REASONS, true) ? ['invalid', $this->reason] : null;
        }
        $id = $this->status === 200 && $this->reason === 'ok' ? $this->purchase()['item']['id'] ?? null : null;
        $isAccepted = $items === [] || in_array((string) $id, $items, true);
        return $id === null ? null : ($isAccepted ? ['valid', ''] : ['invalid', 'other_item']);
    }

    /** Returns null if the body does not contain a purchase with an item. */
    public function purchase(): ?array {
        $purchase = json_decode($this->body, true)['data']['purchase'] ?? null;
        return is_numeric($purchase['item']['id'] ?? null) ? $purchase : null;
    }

    /** When the purchase ends, as the lifetime says. Odd: at $expires. Else the seconds above whole days are twice the days left. */
    public function ends(): float {
        $lifetime = $this->expires - $this->created;
        $days = intdiv($lifetime % 86400, 2);
        return $lifetime % 2 !== 0 ? $this->expires : ($days === 0 ? INF : $this->created + $days * 86400.0);
    }

    /** The parameters of the signature; null if Signature-Input does not have Pazar's format. */
    public function parameters(): ?array { return preg_match(self::PARAMETERS, $this->input, $found) === 1 ? $found : null; }

    /** The signature base (RFC 9421). The digests are computed, so headers of another response cannot replace them. */
    public function signatureBase(string $question, string $parameters): string {
        $digest = static fn (string $text): string => 'sha-256=:' . base64_encode(hash('sha256', $text, true)) . ':';
        return "\"@status\": {$this->status}\n\"unencoded-digest\": {$digest($this->body)}\n\"pazar-reason\": {$this->reason}\n"
            . "\"pazar-question\": {$digest($question)}\n\"@signature-params\": $parameters";
    }
}

/** @internal Verifies responses with pinned keys and the keys that they endorsed, directly or through others. */
final class Verifier {
    /** Limits the time that a hostile key set can take: WordPress's implementation of Ed25519 is slow. */
    private const KEYS_MAX = 100, ENDORSEMENTS_MAX = 4;

    private Options $options;
    /** 32-byte keys by thumbprint. */
    private array $pinned = [];
    /** Of genuine signatures, under WordPress's salts. Only where verifying is slow, so that not every page does it. */
    public array $macs = [];

    public function __construct(Options $options) {
        $this->options = $options;
        foreach ($options->keys as $key) {
            $this->pinned[self::thumbprint($key)] = self::decode($key);
        }
    }

    /** Returns an error code, or null if the response is verified. Without pinned keys all responses are accepted. */
    public function errorCode(SignedResponse $response, array $followed): ?string {
        if ($this->pinned === [] || $response->signature === '') {
            return $this->pinned === [] ? null : 'unsigned';
        }
        $parameters = $response->parameters();
        $isSignature = preg_match('#^pazar=:([\w+/]{86}==):$#D', $response->signature, $found) === 1;
        // Line feeds separate key, code and site in the signed text. One inside a field would shift the others.
        $request = [$response->key === '' ? $this->options->key : $response->key, $response->code];
        // Responses to an earlier key of the product stay valid; only `items` excludes the keys of other authors.
        $isOwn = $this->options->items !== [] || in_array($response->key, ['', $this->options->key], true);
        $isTag = ($parameters['tag'] ?? '') === ($this->options->isTestKey() ? 'pazar-test' : 'pazar-validation');
        if (!$isOwn || !$isTag || !$isSignature || strpos(implode($request), "\n") !== false) {
            return 'forged';
        }
        if ($parameters['nonce'] !== $response->nonce) {
            return 'replayed';
        }
        $name = $parameters['keyid'];
        $key = $this->pinned[$name] ?? self::decode($this->reach($followed)[$name]['x'] ?? '');
        $question = implode("\n", $response->site === '' ? $request : [...$request, $response->site]);
        $base = $response->signatureBase($question, $parameters['text']);
        $isGenuine = $key !== '' && $this->verify((string) base64_decode($found[1], true), $base, $key);
        return $key === '' ? 'unknown_signer' : ($isGenuine ? null : 'forged');
    }

    /** Returns the endorsed keys to store. Stored keys are kept, because the server may no longer publish their endorsers. */
    public function follow(array $stored, $listed): array {
        return array_slice(array_values($this->reach(array_merge($stored, self::listKeys($listed)))), 0, self::KEYS_MAX);
    }

    /** Returns the well-formed keys of an untrusted key set with their endorsements. */
    public static function listKeys($keys): array {
        $listed = [];
        $isText = static fn ($value, int $length): bool => is_string($value) && strlen($value) === $length;
        // Exact lengths of a thumbprint and a signature, so that a hostile key set cannot fill the store.
        $isOne = static fn ($one): bool => $isText($one['by'] ?? null, 43) && $isText($one['sig'] ?? null, 86);
        $pick = static fn (array $one): array => ['by' => $one['by'], 'sig' => $one['sig']];
        foreach (is_array($keys) ? array_slice($keys, 0, self::KEYS_MAX) : [] as $key) {
            $endorsed = is_array($key['endorsed'] ?? null) ? array_slice($key['endorsed'], 0, self::ENDORSEMENTS_MAX) : [];
            if ($isText($key['x'] ?? null, 43) && strlen(self::decode($key['x'])) === 32) {
                $listed[] = ['x' => $key['x'], 'endorsed' => array_map($pick, array_values(array_filter($endorsed, $isOne)))];
            }
        }
        return $listed;
    }

    /** Decodes base64url; returns an empty string for other text. */
    public static function decode(string $text): string { return strpbrk($text, '+/=') === false ? (string) base64_decode(strtr($text, '-_', '+/'), true) : ''; }

    private function verify(string $signature, string $text, string $key): bool {
        if (!Ed25519::isSlow() || !function_exists('wp_salt') || strlen($signature) !== 64) {
            return Ed25519::verify($signature, $text, $key);
        }
        $mac = hash_hmac('sha256', $signature . $key . $text, wp_salt());
        if (!in_array($mac, $this->macs, true) && Ed25519::verify($signature, $text, $key)) {
            $this->macs[] = $mac;
        }
        return in_array($mac, $this->macs, true);
    }

    private static function thumbprint(string $x): string {
        $hash = hash('sha256', "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"$x\"}", true);
        return rtrim(strtr(base64_encode($hash), '+/', '-_'), '=');
    }

    /** Follows the endorsements from the pinned keys, in any order. Returns the endorsed keys by thumbprint. */
    private function reach(array $keys): array {
        [$trusted, $reached] = [$this->pinned, []];
        do {
            $count = count($trusted);
            foreach ($keys as $key) {
                $name = self::thumbprint($key['x']);
                foreach (isset($trusted[$name]) ? [] : $key['endorsed'] as ['by' => $by, 'sig' => $sig]) {
                    if (isset($trusted[$by]) && $this->verify(self::decode($sig), "pazar-key:$name", $trusted[$by])) {
                        [$trusted[$name], $reached[$name]] = [self::decode($key['x']), $key];
                    }
                }
            }
        } while (count($trusted) > $count);
        return $reached;
    }
}
