<?php

declare(strict_types=1);

namespace Pazar;

/** A licence in a plugin or theme of WordPress: settings page, daily question, notice. */
final class WordPress
{
    use WordPressSettings;

    private Client $client;
    private string $name;
    private string $title;
    /** The site that keeps the licence of a whole network; null if each site has its own. */
    private ?int $home;
    /** The address that is sent; empty if none is. */
    private string $site;

    /** @param array<string, mixed> $options of boot() */
    private function __construct(string $name, array $options)
    {
        $this->name = $name;
        $this->title = $options['title'];
        $this->home = ($options['network'] ?? false) && is_multisite() ? get_main_site_id() : null;
        $site = apply_filters('pazar_site', $options['site'] ?? $this->ownSite(), $name);
        $this->site = is_string($site) ? $site : '';
        unset($options['name'], $options['title'], $options['file'], $options['network']);
        $this->client = new Client(['site' => $this->site] + $options + [
            'store' => new WordPressStore($name . '_record', $this->home),
            'http' => new WordPressHttp(),
        ]);
    }

    /**
     * Call it in the action "after_setup_theme".
     *
     * @param array<string, mixed> $options those of Client, and: name (of the options, the page and the event;
     *     3 to 41 of a-z, 0-9 and _, a letter first), title (of the product), file (of the plugin: for the link to the
     *     settings, and deactivating the plugin ends the event), network (true: one licence for all sites of a network,
     *     kept by its main site)
     */
    public static function boot(array $options): self
    {
        $name = $options['name'] ?? '';
        $title = $options['title'] ?? '';
        if (preg_match('/^[a-z][a-z0-9_]{2,40}$/D', $name) !== 1 || $title === '') {
            throw new \InvalidArgumentException('Pazar: "name" (3 to 41 of a-z, 0-9 and _, a letter first) and "title" are needed.');
        }
        $licence = new self($name, $options);
        if ($licence->home === null || $licence->home === get_current_blog_id()) {
            $licence->register($options['file'] ?? null);
        }
        return $licence;
    }

    /**
     * For the plugin's uninstall.php: frees the places of the purchase codes, and removes what boot() and the settings
     * page wrote, on every site of a network.
     *
     * @param array<string, mixed> $options those of boot(); without them no place is freed
     */
    public static function uninstall(string $name, array $options = []): void
    {
        $canRelease = $options !== [];
        self::onEachSite(static function () use ($name, $options, &$canRelease): void {
            $code = get_option($name . '_code', '');
            if ($canRelease && is_string($code) && $code !== '') {
                // If the server is away, it is asked for one site and not for all.
                $canRelease = !(new self($name, $options))->client->release($code)->isUnknown();
            }
            wp_unschedule_hook($name . '_check');
            delete_option($name . '_code');
            delete_option($name . '_record');
        });
        delete_metadata('user', 0, $name . '_dismissed', '', true);
    }

    /** For page loads: reads two options and sends no request. */
    public function outcome(): Outcome
    {
        return $this->client->cached($this->code());
    }

    public function isValid(): bool
    {
        return $this->outcome()->isValid();
    }

    /**
     * For what must not stop because of an outage: true from the first valid answer on, also after the receipt has ended,
     * until the server says that the code is not valid, or the site has another address.
     */
    public function isActive(): bool
    {
        $outcome = $this->outcome();
        return $outcome->isValid() || $outcome->reason === 'receipt_expired';
    }

    /**
     * For updates: false while the code is not valid, and after the receipt has ended. But true while the server refuses
     * the key, which only an update can replace. Support asks isValid().
     */
    public function mayUpdate(): bool
    {
        $outcome = $this->outcome();
        return $outcome->isValid() || $outcome->isKeyRefused();
    }

    /** The daily event, and the one that follows a failure. */
    public function runCheck(): void
    {
        if ($this->code() !== '') {
            $this->report($this->client->check($this->code()));
        }
    }

    /** Asks after the page was sent, where the events do not run, and on admin pages while the code is not valid. */
    public function checkAfterPage(): void
    {
        $late = is_admin() && !$this->isValid() ? 0 : HOUR_IN_SECONDS;
        if (!$this->client->isDue($this->code(), $late)) {
            return;
        }
        foreach (['fastcgi_finish_request', 'litespeed_finish_request'] as $finish) {
            if (function_exists($finish)) {
                $finish();
            }
        }
        $this->runCheck();
    }

    public function scheduleCheck(): void
    {
        if (!wp_next_scheduled($this->event())) {
            wp_schedule_event(time(), 'daily', $this->event());
        }
    }

    public function unscheduleCheck(bool $isNetworkWide = false): void
    {
        remove_action('shutdown', [$this, 'checkAfterPage'], PHP_INT_MAX);
        $event = $this->event();
        if ($isNetworkWide) {
            self::onEachSite(static fn () => wp_unschedule_hook($event));
        } else {
            wp_unschedule_hook($event);
        }
    }

    /** Shown to those who can do something about it, until they dismiss it or the status is another. */
    public function showNotice(): void
    {
        $status = $this->status();
        if ($status === 'valid' || !current_user_can($this->capability())) {
            return;
        }
        if (get_user_meta(get_current_user_id(), $this->name . '_dismissed', true) === $status) {
            return;
        }
        $outcome = $this->outcome();
        $text = apply_filters('pazar_notice', $this->statusText(), $outcome, $this->name);
        if ($text !== '') {
            $dismissal = admin_url('admin-post.php?action=' . $this->action('dismiss'));
            printf(
                '<div class="notice %s"><p><a href="%s">%s</a>: %s <a href="%s">%s</a></p></div>',
                $outcome->isInvalid() ? 'notice-error' : 'notice-warning',
                esc_url($this->pageUrl()),
                esc_html($this->title),
                esc_html($text),
                esc_url(wp_nonce_url($dismissal, $this->action('dismiss'))),
                esc_html($this->text('dismiss'))
            );
        }
    }

    /** Takes the notice's link. */
    public function dismiss(): void
    {
        $this->expectAdministrator($this->action('dismiss'));
        update_user_meta(get_current_user_id(), $this->name . '_dismissed', $this->status());
        wp_safe_redirect(wp_get_referer() ?: admin_url());
        exit;
    }

    /**
     * @param array<int|string, string> $links
     * @return array<int|string, string>
     */
    public function addSettingsLink(array $links): array
    {
        $link = '<a href="%s">%s</a>';
        return array_merge([sprintf($link, esc_url($this->pageUrl()), esc_html($this->text('settings')))], $links);
    }

    private static function onEachSite(callable $do): void
    {
        if (!is_multisite()) {
            $do();
            return;
        }
        foreach (get_sites(['fields' => 'ids', 'number' => 0]) as $site) {
            switch_to_blog((int) $site);
            $do();
            restore_current_blog();
        }
    }

    private function register(?string $file): void
    {
        add_action('init', [$this, 'scheduleCheck']);
        add_action($this->event(), [$this, 'runCheck'], 10, 0);
        add_action('shutdown', [$this, 'checkAfterPage'], PHP_INT_MAX, 0);
        add_action('admin_menu', [$this, 'addPage']);
        add_action('admin_notices', [$this, 'showNotice']);
        foreach (['save', 'release', 'import', 'dismiss'] as $verb) {
            add_action('admin_post_' . $this->action($verb), [$this, $verb]);
        }
        if ($file !== null) {
            register_deactivation_hook($file, [$this, 'unscheduleCheck']);
            add_filter('plugin_action_links_' . plugin_basename($file), [$this, 'addSettingsLink']);
        }
    }

    private function expectAdministrator(string $action): void
    {
        if (!current_user_can($this->capability())) {
            wp_die('', '', ['response' => 403]);
        }
        check_admin_referer($action);
    }

    /** Plans the next question, if the daily one is too late for it. */
    private function report(Outcome $outcome): void
    {
        wp_clear_scheduled_hook($this->event(), ['retry']);
        if (!$outcome->isValid() || $outcome->source === 'receipt') {
            wp_schedule_single_event(time() + $outcome->retryAfter, $this->event(), ['retry']);
        }
        do_action('pazar_checked', $outcome, $this->name);
    }

    private function code(): string
    {
        $option = $this->name . '_code';
        $code = $this->home === null ? get_option($option, '') : get_blog_option($this->home, $option, '');
        return is_string($code) ? $code : '';
    }

    private function event(): string
    {
        return $this->name . '_check';
    }

    /** Of a form or a link. */
    private function action(string $verb): string
    {
        return "{$this->name}_$verb";
    }

    private function capability(): string
    {
        return $this->home === null ? 'manage_options' : 'manage_network_options';
    }

    /**
     * Only the host, without "www.": a receipt holds if the address changes in another way. Not home_url(), which plugins
     * for several languages filter: it has another host on another page.
     */
    private function ownSite(): string
    {
        $address = $this->home === null ? get_option('home') : get_blog_option($this->home, 'home');
        $host = (string) wp_parse_url((string) $address, PHP_URL_HOST);
        return (string) preg_replace('/^www\./i', '', $host);
    }

    private function pageUrl(): string
    {
        return admin_url('options-general.php?page=' . $this->name);
    }

    /** Which of the texts says how things are. */
    private function status(): string
    {
        if ($this->code() === '') {
            return 'none';
        }
        $outcome = $this->outcome();
        if ($outcome->isValid()) {
            return 'valid';
        }
        if ($outcome->isKeyRefused()) {
            return 'key_refused';
        }
        return $outcome->isInvalid() || $outcome->reason === 'receipt_expired' ? $outcome->reason : 'unknown';
    }

    private function statusText(): string
    {
        $outcome = $this->outcome();
        $values = [
            'none' => [$this->title],
            'site_limit' => [$this->title],
            'key_refused' => [$this->title],
            'valid' => [$outcome->purchase['item']['name'] ?? '', $outcome->purchase['license_type'] ?? ''],
            'unknown' => [$outcome->reason],
        ];
        $status = $this->status();
        // An unsigned answer may hold anything.
        $texts = array_map(static fn ($value): string => is_string($value) ? $value : '', $values[$status] ?? []);
        return vsprintf($this->text($status), $texts);
    }

    private function text(string $name): string
    {
        $texts = strpos(get_user_locale(), 'tr') === 0 ? WordPressTexts::TR : WordPressTexts::EN;
        // A filter of an older plugin may leave out texts that it does not know.
        return apply_filters('pazar_texts', $texts, $this->name)[$name] ?? $texts[$name];
    }
}
