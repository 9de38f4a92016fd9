<?php

declare(strict_types=1);

namespace Pazar;

/** @internal the settings page and the notice of a license */
trait WordPressPage
{
    public function addPage(): void
    {
        add_options_page($this->title, $this->title, $this->capability, $this->name, [$this, 'showPage']);
    }

    public function addSettingsLink(array $links): array
    {
        $link = sprintf('<a href="%s">%s</a>', esc_url($this->pageUrl()), esc_html__('Settings', 'pazar'));
        return array_merge([$link], $links);
    }

    public function showPage(): void
    {
        if (!current_user_can($this->capability)) {
            return;
        }
        printf('<div class="wrap"><h1>%s</h1>', esc_html($this->title));
        $message = $_GET['pazar_message'] ?? '';
        if (is_string($message) && isset($this->messages()[$message])) {
            printf('<div class="notice notice-info inline"><p>%s</p></div>', esc_html($this->messages()[$message]));
        }
        printf('<p>%s</p>', esc_html($this->sentence()));
        $this->openForm('save');
        $this->showField(__('Purchase code', 'pazar'), 'purchase_code', $this->code());
        $this->closeForm(__('Save and validate', 'pazar'), 'button-primary');
        if ($this->result()->reason === 'site_limit') {
            $this->showLimit();
        } elseif ($this->result()->isValid() && $this->site !== '') {
            $this->openForm('release', __('The product stops here, and the slot of this site becomes free.', 'pazar'));
            $this->closeForm(__('Use this code on another site', 'pazar'));
        }
        $this->showActivation();
        echo '</div>';
    }

    /** For those who can do something about it, where they look after their site. */
    public function showNotice(): void
    {
        $screen = get_current_screen();
        $isShown = $screen !== null && in_array($screen->id, ['dashboard', 'plugins', 'themes', 'update-core'], true);
        $result = $this->result();
        if (!$isShown || $result->isValid() || !current_user_can($this->capability)) {
            return;
        }
        $text = apply_filters('pazar_notice', $this->sentence(), $result, $this->name);
        if ($text !== '') {
            $notice = '<div class="notice is-dismissible %s"><p><a href="%s">%s</a>: %s</p></div>';
            $class = $result->state === 'invalid' ? 'notice-error' : 'notice-warning';
            printf($notice, $class, esc_url($this->pageUrl()), esc_html($this->title), esc_html($text));
        }
    }

    public function save(): void
    {
        $this->expectAdministrator('save');
        $code = Code::clean(self::readField('purchase_code'));
        update_option($this->name . '_code', Code::fault($code) === null ? $code : '', false);
        if ($this->code() !== '') {
            $this->report($this->client->check($this->code(), true));
        }
        $this->leave('');
    }

    /** Frees the slot of this site, or at the limit that of the site that was entered. */
    public function release(): void
    {
        $this->expectAdministrator('release');
        $site = $this->result()->reason === 'site_limit' ? self::readField('site') : null;
        $release = $this->client->release($this->code(), $site);
        if ($release->state === 'unknown') {
            $this->leave($release->retryAfter > HOUR_IN_SECONDS ? 'too_many_releases' : 'not_released');
        }
        if ($site === null) {
            delete_option($this->name . '_code');
            $this->leave('released');
        }
        if ($release->state === 'released') {
            $this->report($this->client->check($this->code(), true));
        }
        $this->leave($release->state === 'released' ? '' : 'absent');
    }

    /** "Use it here again" */
    public function reclaim(): void
    {
        $this->expectAdministrator('reclaim');
        $result = $this->client->reclaim($this->code());
        $this->report($result);
        $this->leave($result->reason === 'site_limit' ? 'not_reclaimed' : '');
    }

    public function import(): void
    {
        $this->expectAdministrator('import');
        $result = $this->client->importReceipt(self::readField('receipt'));
        if (!$result->isValid()) {
            $this->leave('not_imported');
        }
        update_option($this->name . '_code', $result->code, false);
        $this->report($result);
        $this->leave('');
    }

    private function expectAdministrator(string $verb): void
    {
        if (!current_user_can($this->capability)) {
            wp_die('', '', ['response' => 403]);
        }
        check_admin_referer("{$this->name}_$verb");
    }

    /** Not sanitize_text_field(), which drops what a code may contain, such as "%20". The output is escaped. */
    private static function readField(string $name): string
    {
        $posted = $_POST[$name] ?? '';
        return is_string($posted) ? wp_unslash($posted) : '';
    }

    private function openForm(string $verb, string $help = ''): void
    {
        printf('<form method="post" action="%s">', esc_url(admin_url('admin-post.php')));
        printf('<input type="hidden" name="action" value="%s">', esc_attr("{$this->name}_$verb"));
        wp_nonce_field("{$this->name}_$verb");
        echo $help === '' ? '' : '<p>' . esc_html($help) . '</p>';
    }

    private function showField(string $label, string $name, string $value): void
    {
        $field = '<p><label>%s <input class="regular-text" name="%s" value="%s" autocomplete="off"></label></p>';
        printf($field, esc_html($label), esc_attr($name), esc_attr($value));
    }

    private function closeForm(string $label, string $class = ''): void
    {
        printf('<p><button class="%s">%s</button></p></form>', esc_attr(trim("button $class")), esc_html($label));
    }

    private function showLimit(): void
    {
        $help = __('If this site was active before, it takes its slot back from the site that was activated last.', 'pazar');
        $this->openForm('reclaim', $help);
        $this->closeForm(__('Use it here again', 'pazar'));
        $this->openForm('release');
        $this->showField(__('Site that no longer uses the code', 'pazar'), 'site', '');
        $this->closeForm(__('Free its slot', 'pazar'));
        $url = $this->client->licenseUrl($this->code());
        printf('<p><a href="%s">%s</a></p>', esc_url($url), esc_html__('Show the sites of this purchase code', 'pazar'));
    }

    /** For hosts that cannot send requests. */
    private function showActivation(): void
    {
        $result = $this->result();
        $isNeeded = $this->code() !== '' && ($result->state === 'unknown' || $result->source === 'receipt');
        $url = $isNeeded ? $this->client->activationUrl() : '';
        if ($url === '') {
            return;
        }
        $help = __('If this site cannot reach the license server, open this URL on any device, enter the purchase code there, and paste the receipt here:', 'pazar');
        printf('<details><summary>%s</summary>', esc_html__('Activate without a connection', 'pazar'));
        printf('<p>%s<br><a href="%s">%s</a></p>', esc_html($help), esc_url($url), esc_html($url));
        $this->openForm('import');
        $area = '<p><label>%s<br><textarea class="large-text code" name="receipt" rows="4"></textarea></label></p>';
        printf($area, esc_html__('Receipt', 'pazar'));
        $this->closeForm(__('Activate', 'pazar'));
        echo '</details>';
    }

    private function pageUrl(): string
    {
        return admin_url('options-general.php?page=' . $this->name);
    }

    /** Ends the request on the settings page, which shows this message. */
    private function leave(string $message): void
    {
        wp_safe_redirect($this->pageUrl() . ($message === '' ? '' : "&pazar_message=$message"));
        exit;
    }

    /** What a form did, where the status does not say it. */
    private function messages(): array
    {
        return [
            'released' => __('The slot is free. You can use the purchase code on another site now.', 'pazar'),
            'absent' => __('The purchase code is not activated on that site. Please check the name.', 'pazar'),
            'not_released' => __('The slot could not be freed. Please try again later.', 'pazar'),
            'too_many_releases' => __('Too many sites were changed in the last 30 days. Please contact the author of the product.', 'pazar'),
            'not_reclaimed' => __('No other site was activated after this one. Please free the slot of another site.', 'pazar'),
            'not_imported' => __('This receipt is not valid for this site. Please open the URL again and copy the whole receipt.', 'pazar'),
        ];
    }

    /** Which sentence describes the license. */
    private function status(): string
    {
        $result = $this->result();
        $reason = $result->reason;
        if ($this->code() === '' || $result->isValid()) {
            return $this->code() === '' ? 'none' : 'valid';
        }
        if ($result->state === 'invalid') {
            return $result->isActive() ? 'site_limit_grace' : $reason;
        }
        if (in_array($reason, ['missing_key', 'unknown_key', 'revoked_key', 'expired_key', 'key_not_allowed', 'account_suspended'], true)) {
            return 'key_rejected';
        }
        if (in_array($reason, ['test_key', 'cannot_verify', 'not_checked'], true)) {
            return $reason;
        }
        if ($result->isActive()) {
            return 'unconfirmed';
        }
        $isForged = in_array($reason, ['unsigned', 'unknown_signer', 'forged', 'replayed', 'invalid_response'], true);
        return $isForged ? 'not_trusted' : 'unreachable';
    }

    private function sentence(): string
    {
        $sentences = [
            'none' => __('Enter the purchase code of %s to activate it.', 'pazar'),
            'valid' => __('%s is active.', 'pazar'),
            'unknown_code' => __('This purchase code is not known. Please check it. A new purchase can take a few minutes.', 'pazar'),
            'revoked_code' => __('This purchase was refunded or charged back.', 'pazar'),
            'expired_code' => __('The subscription of this purchase has ended.', 'pazar'),
            'other_item' => __('This purchase code belongs to another product.', 'pazar'),
            'site_limit' => __('This purchase code is activated on as many sites as its license allows. In the settings of %s you can use it here again, or free the slot of another site.', 'pazar'),
            'site_limit_grace' => __('The purchase code was activated on another site, and its license allows no more sites. %s keeps working here for three days. In its settings you can use it here again.', 'pazar'),
            'not_checked' => __('The purchase code has not been validated yet. This happens automatically.', 'pazar'),
            'unreachable' => __('The license server cannot be reached at the moment. The purchase code will be validated automatically.', 'pazar'),
            'not_trusted' => __('The response did not come from the license server. Please check the firewall or the proxy of this site, and update %s.', 'pazar'),
            'unconfirmed' => __('The license server has not confirmed the purchase for some time. %s keeps working. The purchase code will be validated automatically.', 'pazar'),
            'key_rejected' => __('The license server does not accept the key of %s. Please update the product, or contact its author.', 'pazar'),
            'test_key' => __('%s has a test key, which works on test sites only. Please contact its author.', 'pazar'),
            'cannot_verify' => __('PHP cannot verify signatures on this server. Please ask your host to enable the extension sodium.', 'pazar'),
        ];
        return str_replace('%s', $this->title, $sentences[$this->status()]);
    }
}
