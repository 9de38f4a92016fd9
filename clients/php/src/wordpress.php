<?php

declare(strict_types=1);

namespace Pazar;

/** A licence in a plugin or theme of WordPress: settings page, daily question, notice. */
final class WordPress
{
    private const CAPABILITY = 'manage_options';
    private const TEXTS = [
        'en' => [
            'code' => 'Purchase code',
            'save' => 'Save and check',
            'settings' => 'Settings',
            'dismiss' => 'Dismiss',
            'none' => 'Enter the purchase code of %s to activate it.',
            'valid' => 'Active: %1$s, licence %2$s.',
            'unknown_code' => 'This purchase code is not known. Please check it.',
            'revoked_code' => 'This purchase was refunded.',
            'other_item' => 'This purchase code belongs to another product.',
            'unknown' => 'The purchase code could not be checked yet (%s). It is tried again by itself.',
            'receipt_expired' => 'The licence server has not been reached for too long. It is tried again by itself.',
        ],
        'tr' => [
            'code' => 'Satın alma kodu',
            'save' => 'Kaydet ve doğrula',
            'settings' => 'Ayarlar',
            'dismiss' => 'Kapat',
            'none' => '%s ürününü etkinleştirmek için satın alma kodunu girin.',
            'valid' => 'Etkin: %1$s, lisans %2$s.',
            'unknown_code' => 'Bu satın alma kodu bilinmiyor. Lütfen kodu kontrol edin.',
            'revoked_code' => 'Bu satın alma iade edildi.',
            'other_item' => 'Bu satın alma kodu başka bir ürüne ait.',
            'unknown' => 'Satın alma kodu henüz doğrulanamadı (%s). Kendiliğinden yeniden denenecek.',
            'receipt_expired' => 'Lisans sunucusuna uzun süredir ulaşılamıyor. Kendiliğinden yeniden denenecek.',
        ],
    ];

    private Client $client;
    private string $name;
    private string $title;

    /** @param array<string, mixed> $options */
    private function __construct(string $name, string $title, array $options)
    {
        $this->name = $name;
        $this->title = $title;
        $this->client = new Client($options + [
            'store' => new WordPressStore($name . '_record'),
            'http' => new WordPressHttp(),
        ]);
    }

    /**
     * Call it in the action "after_setup_theme".
     *
     * @param array<string, mixed> $options those of Client, and: name (of the options, the page and the event;
     *     lower case letters, digits, underscores), title (of the product), file (of the plugin: for the link to the
     *     settings, and deactivating the plugin ends the event)
     */
    public static function boot(array $options): self
    {
        $name = $options['name'] ?? '';
        $title = $options['title'] ?? '';
        if (preg_match('/^[a-z][a-z0-9_]{2,40}$/D', $name) !== 1 || $title === '') {
            throw new \InvalidArgumentException('Pazar: "name" (letters, digits, underscores) and "title" are needed.');
        }
        $file = $options['file'] ?? null;
        unset($options['name'], $options['title'], $options['file']);
        $licence = new self($name, $title, $options);
        $licence->register($file);
        return $licence;
    }

    /** For the plugin's uninstall.php: removes what boot() and the settings page wrote, on every site of a network. */
    public static function uninstall(string $name): void
    {
        self::onEachSite(static function () use ($name): void {
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

    /** The daily event, and the one that follows a failure. */
    public function runCheck(): void
    {
        if ($this->code() !== '') {
            $this->report($this->client->check($this->code()));
        }
    }

    /** Asks after the page was sent, where the events do not run, and for an administrator without a valid code. */
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

    public function addPage(): void
    {
        add_options_page($this->title, $this->title, self::CAPABILITY, $this->name, [$this, 'showPage']);
    }

    public function showPage(): void
    {
        if (!current_user_can(self::CAPABILITY)) {
            return;
        }
        printf('<div class="wrap"><h1>%s</h1><p>%s</p>', esc_html($this->title), esc_html($this->statusText()));
        printf('<form method="post" action="%s">', esc_url(admin_url('admin-post.php')));
        printf('<input type="hidden" name="action" value="%s">', esc_attr($this->saveAction()));
        wp_nonce_field($this->saveAction());
        printf(
            '<p><label>%s <input class="regular-text" name="purchase_code" value="%s" autocomplete="off"></label></p>',
            esc_html($this->text('code')),
            esc_attr($this->code())
        );
        printf('<p><button class="button button-primary">%s</button></p></form></div>', esc_html($this->text('save')));
    }

    /** Takes the form of the settings page. */
    public function save(): void
    {
        $this->expectAdministrator($this->saveAction());
        update_option($this->name . '_code', self::parseCode($_POST['purchase_code'] ?? null), false);
        if ($this->code() !== '') {
            $this->report($this->client->checkNow($this->code()));
        }
        wp_safe_redirect($this->pageUrl());
        exit;
    }

    /** Shown to those who can do something about it, until they dismiss it or the status is another. */
    public function showNotice(): void
    {
        $status = $this->status();
        if ($status === 'valid' || !current_user_can(self::CAPABILITY)) {
            return;
        }
        if (get_user_meta(get_current_user_id(), $this->name . '_dismissed', true) === $status) {
            return;
        }
        $outcome = $this->outcome();
        $text = apply_filters('pazar_notice', $this->statusText(), $outcome, $this->name);
        if ($text !== '') {
            $dismissal = admin_url('admin-post.php?action=' . $this->dismissAction());
            printf(
                '<div class="notice %s"><p><a href="%s">%s</a>: %s <a href="%s">%s</a></p></div>',
                $outcome->isInvalid() ? 'notice-error' : 'notice-warning',
                esc_url($this->pageUrl()),
                esc_html($this->title),
                esc_html($text),
                esc_url(wp_nonce_url($dismissal, $this->dismissAction())),
                esc_html($this->text('dismiss'))
            );
        }
    }

    /** Takes the notice's link. */
    public function dismiss(): void
    {
        $this->expectAdministrator($this->dismissAction());
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

    /**
     * Not sanitize_text_field(): that drops what a code may contain, such as "%20". Output is escaped.
     *
     * @param mixed $posted
     */
    private static function parseCode($posted): string
    {
        $code = is_string($posted) ? Code::clean(wp_unslash($posted)) : '';
        return Code::fault($code) === null ? $code : '';
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
        add_action('admin_post_' . $this->saveAction(), [$this, 'save']);
        add_action('admin_post_' . $this->dismissAction(), [$this, 'dismiss']);
        if ($file !== null) {
            register_deactivation_hook($file, [$this, 'unscheduleCheck']);
            add_filter('plugin_action_links_' . plugin_basename($file), [$this, 'addSettingsLink']);
        }
    }

    private function expectAdministrator(string $action): void
    {
        if (!current_user_can(self::CAPABILITY)) {
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
        $code = get_option($this->name . '_code', '');
        return is_string($code) ? $code : '';
    }

    private function event(): string
    {
        return $this->name . '_check';
    }

    private function saveAction(): string
    {
        return $this->name . '_save';
    }

    private function dismissAction(): string
    {
        return $this->name . '_dismiss';
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
        return $outcome->isInvalid() || $outcome->reason === 'receipt_expired' ? $outcome->reason : 'unknown';
    }

    private function statusText(): string
    {
        $outcome = $this->outcome();
        $values = [
            'none' => [$this->title],
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
        $texts = self::TEXTS[strpos(get_user_locale(), 'tr') === 0 ? 'tr' : 'en'];
        return apply_filters('pazar_texts', $texts, $this->name)[$name];
    }
}
