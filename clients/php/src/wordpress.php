<?php

declare(strict_types=1);

namespace Pazar;

/** The license of a WordPress plugin or theme: settings page, validation by cron, admin notice. */
final class WordPress {
    use WordPressPage;
    use WordPressUpdates;

    /** Null if the options of boot() are invalid. */
    private ?Client $client = null;
    private string $name, $title, $event, $capability;
    /** The site that stores the license of a multisite network; null if each site has its own license. */
    private ?int $blog;
    private string $site;

    private function __construct() {}

    private function configure(array $options): self {
        if (preg_match('/^[a-z][a-z0-9_]{2,40}$/D', $options['name'] ?? '') !== 1 || ($options['title'] ?? '') === '') {
            throw new \InvalidArgumentException('Pazar: "name" (3 to 41 of a-z, 0-9 and _, a letter first) and "title" are required');
        }
        [$this->name, $this->title, $this->event] = [$options['name'], $options['title'], $options['name'] . '_check'];
        $this->blog = ($options['network'] ?? false) && is_multisite() ? get_main_site_id() : null;
        $this->capability = $this->blog === null ? 'manage_options' : 'manage_network_options';
        $this->file = $options['file'] ?? null;
        $own = $this->ownSite();
        $named = apply_filters('pazar_site', $options['site'] ?? $own, $this->name);
        $site = is_string($named) ? Site::host(Code::trim($named)) : '';
        // A filter must not turn the site into one without a limit.
        $isLimited = $named === ($options['site'] ?? $own) || (Site::isPlain($site) && (Site::isTest($own) || !Site::isTest($site)));
        $isOptional = ($options['allow_no_site'] ?? false) && strpos($options['key'] ?? '', 'pzr_tk_') !== 0;
        $this->site = $site === '' ? ($isOptional ? '' : $own) : ($isLimited ? $site : $own);
        $others = array_flip(['name', 'title', 'file', 'network', 'allow_no_site']);
        $this->client = new Client(['site' => $this->site] + array_diff_key($options, $others) + [
            'store' => new WordPressStore($this->name . '_record', $this->blog), 'http' => new WordPressHttp(),
        ]);
        return $this;
    }

    /**
     * Call it in the action after_setup_theme. With invalid options the product is not active, and administrators see a notice.
     * $options are those of Client, and: name (prefix of the WordPress options and the cron event, and slug of the settings page),
     * title (of the product), file (main file of the plugin; omit it in a theme), network (true for one license for all sites of a
     * multisite network), allow_no_site (true if the filter pazar_site may return an empty string).
     */
    public static function boot(array $options): self {
        $license = new self();
        try {
            $license->configure($options);
        } catch (\InvalidArgumentException $error) {
            self::reportMisuse($error->getMessage());
        }
        if ($license->client !== null && ($license->blog === null || $license->blog === get_current_blog_id())) {
            $license->register();
        }
        return $license;
    }

    /** Call it in uninstall.php with the options of boot(). Frees the slots and deletes the stored data of all sites. */
    public static function uninstall(array $options): void {
        $canRelease = true;
        self::onEachSite(static function () use ($options, &$canRelease): void {
            $license = (new self())->configure($options);
            // After one failed release the other sites are skipped, so an outage does not delay the uninstall.
            if ($canRelease && $license->code() !== '') {
                $canRelease = $license->client->release($license->code())->state !== 'unknown';
            }
            wp_unschedule_hook($license->event);
            delete_option($license->name . '_code');
            delete_option($license->name . '_record');
            delete_site_transient($license->name . '_manual_update');
        });
    }

    public function result(): Result { return $this->client === null ? new Result(false, '', 'invalid_options') : $this->client->cached($this->code()); }
    public function isActive(): bool { return $this->result()->isActive(); }
    public function mayUpdate(): bool { return $this->result()->mayUpdate(); }

    private static function reportMisuse(string $problem): void {
        _doing_it_wrong(self::class . '::boot', esc_html($problem), VERSION);
        add_action('admin_notices', static function () use ($problem): void {
            if (current_user_can('manage_options')) {
                printf('<div class="notice notice-error"><p>%s</p></div>', esc_html($problem));
            }
        }, 10, 0);
    }

    /** On every page, also of visitors: the event that sends the request is due now if none is planned, or if the host changed. */
    private function schedule(): void {
        $next = wp_next_scheduled($this->event);
        $hasMoved = static fn (Result $result): bool => $result->previousSite !== '' && $result->retryAfter === 0;
        if ($this->code() !== '' && ($next === false || ($next > time() && $hasMoved($this->result())))) {
            wp_unschedule_hook($this->event);
            wp_schedule_single_event(time(), $this->event);
        }
    }

    private function runCheck(): void {
        if ($this->code() !== '') {
            $this->finishCheck($this->client->check($this->code()));
        }
    }

    /** Fallback if cron does not run: an admin page validates after its response was sent. Visitors never wait. */
    private function checkAfterPage(): void {
        if ($this->code() === '' || !current_user_can($this->capability) || $this->result()->retryAfter > 0) {
            return;
        }
        add_action('shutdown', function (): void {
            foreach (['fastcgi_finish_request', 'litespeed_finish_request', 'flush'] as $finish) {
                function_exists($finish) && $finish();
            }
            $this->runCheck();
        }, PHP_INT_MAX, 0);
    }

    private static function onEachSite(callable $do): void {
        foreach (is_multisite() ? get_sites(['fields' => 'ids', 'number' => 0]) : [get_current_blog_id()] as $site) {
            is_multisite() && switch_to_blog((int) $site);
            $do();
            is_multisite() && restore_current_blog();
        }
    }

    private function register(): void {
        add_action('init', fn () => $this->schedule(), 10, 0);
        add_action($this->event, fn () => $this->runCheck(), 10, 0);
        add_action('in_admin_footer', fn () => $this->checkAfterPage(), 10, 0);
        $addPage = fn () => add_options_page($this->title, $this->title, $this->capability, $this->name, fn () => $this->showPage());
        add_action('admin_menu', $addPage, 10, 0);
        add_action('admin_notices', fn () => $this->showNotice(), 10, 0);
        foreach (['save', 'release', 'reclaim', 'move', 'import'] as $verb) {
            add_action("admin_post_{$this->name}_$verb", fn () => $this->handle($verb), 10, 0);
        }
        $this->registerUpdates();
        if ($this->file === null) {
            return;
        }
        register_deactivation_hook($this->file, function ($isNetworkWide = false): void {
            $unschedule = fn () => wp_unschedule_hook($this->event);
            $isNetworkWide ? self::onEachSite($unschedule) : $unschedule();
        });
        add_filter('plugin_action_links_' . plugin_basename($this->file), function (array $links): array {
            $link = sprintf('<a href="%s">%s</a>', esc_url($this->pageUrl()), esc_html(self::text(__('Settings', 'pazar'), 'Ayarlar')));
            return array_merge([$link], $links);
        });
    }

    private function finishCheck(Result $result): void {
        wp_unschedule_hook($this->event);
        wp_schedule_single_event(time() + max(30, $result->retryAfter), $this->event);
        do_action('pazar_checked', $result, $this->name);
    }

    private function code(): string {
        $option = $this->name . '_code';
        $code = $this->blog === null ? get_option($option, '') : get_blog_option($this->blog, $option, '');
        return is_string($code) ? $code : '';
    }

    /** Reads the table: get_option() could return the constant WP_HOME or the Host header. */
    private function ownSite(): string {
        global $wpdb;
        $table = $this->blog === null ? $wpdb->options : $wpdb->get_blog_prefix($this->blog) . 'options';
        return Site::host((string) $wpdb->get_var("SELECT option_value FROM $table WHERE option_name = 'home'") ?: home_url()) ?: 'unknown site';
    }
}
