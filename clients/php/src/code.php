<?php

declare(strict_types=1);

namespace Pazar;

/** @internal Normalizes purchase codes as the server does. */
final class Code {
    /** Unicode whitespace and invisible characters. The server trims the same ones. */
    private const WHITESPACE = '[\x{9}-\x{D}\x{20}\x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}'
        . '\x{3000}\x{AD}\x{34F}\x{61C}\x{115F}\x{1160}\x{17B4}\x{17B5}\x{180B}-\x{180F}\x{200B}-\x{200F}'
        . '\x{202A}-\x{202E}\x{2060}-\x{206F}\x{3164}\x{FE00}-\x{FE0F}\x{FEFF}\x{FFA0}\x{FFF0}-\x{FFF8}'
        . '\x{1BCA0}-\x{1BCA3}\x{1D173}-\x{1D17A}\x{E0000}-\x{E0FFF}]';
    /** The server accepts 1,020 characters of up to four bytes. */
    private const BYTES_MAX = 4080;

    public static function trim(string $text): string {
        $pattern = '/^' . self::WHITESPACE . '++|' . self::WHITESPACE . '++$/Du';
        return strlen($text) > self::BYTES_MAX ? $text : preg_replace($pattern, '', $text) ?? $text;
    }

    /** The server ignores line feeds in a code, but does not sign the response then. */
    public static function clean(string $code): string { return str_replace("\n", '', self::trim($code)); }

    /** The error code that the server would return; null if the code can be sent. */
    public static function errorCode(string $clean): ?string {
        $isText = strlen($clean) <= self::BYTES_MAX && preg_match('//u', $clean) === 1;
        return $clean === '' ? 'missing_parameter' : ($isText ? null : 'invalid_parameter');
    }

    /** For comparisons. Codes that differ only in case, dashes or invisible characters match. NFKC needs the extension intl. */
    public static function fold(string $clean): string {
        $visible = (string) preg_replace('/[\p{Cc}\p{Cf}]/u', '', $clean);
        $normal = class_exists('Normalizer') ? \Normalizer::normalize($visible, \Normalizer::FORM_KC) : $visible;
        return self::lowerCase(self::trim((string) preg_replace('/[\p{Pd}\x{2212}]/u', '-', (string) $normal)));
    }

    /** strtolower() depends on the locale before PHP 8.2. */
    public static function lowerCase(string $text): string { return strtr($text, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'); }
}

/** @internal Normalizes sites and recognizes test sites, which never use a slot. */
final class Site {
    private const URL = '~^(?:(?:[a-z][a-z0-9+.-]*:)?//(?:[^/?#\\\\]*@)?)?(\[[0-9a-f:.]+\]|[^\s:/?#@\\\\\[\]]+)(?::\d*)?(?:[/?#].*)?$~Dis';
    private const TEST_NAME = '/^(?:[a-z0-9_-]+$|(?:dev|develop|development|local|localhost|staging|stage|test|testing|tests|demo|beta'
        . '|sandbox|preview|qa|uat)\d*\.)/D';
    private const TEST_IP = '/^(?:(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])'
        . '|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+|\[(?:::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\])$/D';
    /** Reserved names, and domains of tunnels, sandboxes and default host names. The server has the same list. */
    private const TEST_ENDINGS = 'test example invalid localhost local internal lan home.arpa'
        . ' ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev trycloudflare.com loca.lt localtunnel.me localhost.run lhr.life'
        . ' serveo.net pagekite.me expose.dev sharedwithexpose.com devtunnels.ms tunnelmole.net pinggy.link localsite.io'
        . ' live-website.com nip.io sslip.io xip.io lvh.me localtest.me vcap.me dev.cc lndo.site ddev.site docksal.site devilbox.site'
        . ' tastewp.com instawp.xyz instawp.co instawp.link wpsandbox.pro s1.wpsandbox.org playground.wordpress.net wpdemos.co'
        . ' jurassic.ninja wpengine.com wpenginepowered.com kinsta.cloud kinsta.com wpcomstaging.com myftpupload.com flywheelsites.com'
        . ' flywheelstaging.com getflywheel.com cloudwaysapps.com sg-host.com siteground.biz onrocket.site pantheonsite.io'
        . ' mystagingwebsite.com pressdns.com rapydapps.cloud wpstaq.com hostingersite.com bluehoststaging.com nxcli.io nexcesscdn.net'
        . ' closte.com easywp.com dreamhosters.com gitpod.io app.github.dev csb.app codesandbox.io stackblitz.io webcontainer.io'
        . ' cloudshell.dev repl.co replit.dev idx.dev';

    /** Returns the host of a URL or host name in lower case without `www.`, and other text unchanged. */
    public static function host(string $site): string {
        $host = preg_match(self::URL, $site, $found) === 1 ? rtrim(Code::lowerCase($found[1]), '.') : $site;
        return (string) preg_replace('/^(?:www\.)+(?=[^.]+\.[^.])/', '', $host);
    }

    public static function isTest(string $site): bool {
        $host = self::host($site);
        $isIp = preg_match('/^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/D', $host) === 1;
        $ending = '/(?:^|\.)(?:' . strtr(self::TEST_ENDINGS, ['.' => '\.', ' ' => '|']) . ')$/D';
        return preg_match('/\s/', $host) === 0
            && (preg_match($isIp ? self::TEST_IP : self::TEST_NAME, $host) === 1 || preg_match($ending, $host) === 1);
    }

    /** True for a host or the name of a machine, "Machine 7", that the server reads as it is: not as another one, nor as none. */
    public static function isPlain(string $host): bool {
        $pattern = '/^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|(?=[^ ]+ )(?=.*[\p{L}\p{N}])[\p{L}\p{N} ._-]+)$/Du';
        return strlen($host) <= 255 && preg_match($pattern, $host) === 1;
    }
}
