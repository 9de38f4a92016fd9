<?php

declare(strict_types=1);

namespace Pazar;

/** The settings page of a licence: its forms, and what they do. */
trait WordPressSettings
{
    public function addPage(): void
    {
        add_options_page($this->title, $this->title, $this->capability(), $this->name, [$this, 'showPage']);
    }

    public function showPage(): void
    {
        if (!current_user_can($this->capability())) {
            return;
        }
        printf('<div class="wrap"><h1>%s</h1>', esc_html($this->title));
        $message = $this->message();
        if ($message !== '') {
            printf('<div class="notice notice-info inline"><p>%s</p></div>', esc_html($message));
        }
        printf('<p>%s</p>', esc_html($this->statusText()));
        $this->openForm('save');
        $this->showField('code', 'purchase_code', $this->code());
        $this->closeForm('save', 'button-primary');
        if ($this->status() === 'site_limit') {
            $this->openForm('release');
            $this->showField('former', 'site', '');
            $this->closeForm('free');
        } elseif ($this->isValid() && $this->site !== '') {
            $this->openForm('release');
            printf('<p>%s</p>', esc_html($this->text('release_help')));
            $this->closeForm('release');
        }
        $this->showActivation();
        echo '</div>';
    }

    /** Takes the form of the settings page. */
    public function save(): void
    {
        $this->expectAdministrator($this->action('save'));
        $code = Code::clean(self::readField('purchase_code'));
        update_option($this->name . '_code', Code::fault($code) === null ? $code : '', false);
        if ($this->code() !== '') {
            $this->report($this->client->checkNow($this->code()));
        }
        $this->leave('');
    }

    /** Takes the button "Use this code on another site", and the address of another site where the limit is reached. */
    public function release(): void
    {
        $this->expectAdministrator($this->action('release'));
        $site = $this->status() === 'site_limit' ? self::readField('site') : null;
        $release = $this->client->release($this->code(), $site);
        if ($site === null && !$release->isUnknown()) {
            delete_option($this->name . '_code');
        } elseif ($release->state === 'released') {
            $this->report($this->client->checkNow($this->code()));
        }
        $messages = ['released' => 'released', 'absent' => $site === null ? 'released' : 'absent'];
        $isTooOften = $release->reason === 'rate_limited' && $release->retryAfter > HOUR_IN_SECONDS;
        $this->leave($messages[$release->state] ?? ($isTooOften ? 'released_too_often' : 'not_released'));
    }

    /** Takes a receipt that was pasted. */
    public function import(): void
    {
        $this->expectAdministrator($this->action('import'));
        $outcome = $this->client->importReceipt(self::readField('receipt'));
        if (!$outcome->isValid()) {
            $this->leave($outcome->isInvalid() ? $outcome->reason : 'not_imported');
        }
        update_option($this->name . '_code', $outcome->code, false);
        $this->report($outcome);
        $this->leave('');
    }

    /** Not sanitize_text_field(): that drops what a code may contain, such as "%20". Output is escaped. */
    private static function readField(string $name): string
    {
        $posted = $_POST[$name] ?? '';
        return is_string($posted) ? wp_unslash($posted) : '';
    }

    private function openForm(string $verb): void
    {
        printf('<form method="post" action="%s">', esc_url(admin_url('admin-post.php')));
        printf('<input type="hidden" name="action" value="%s">', esc_attr($this->action($verb)));
        wp_nonce_field($this->action($verb));
    }

    private function showField(string $label, string $name, string $value): void
    {
        printf(
            '<p><label>%s <input class="regular-text" name="%s" value="%s" autocomplete="off"></label></p>',
            esc_html($this->text($label)),
            esc_attr($name),
            esc_attr($value)
        );
    }

    private function closeForm(string $text, string $class = ''): void
    {
        $button = '<p><button class="%s">%s</button></p></form>';
        printf($button, esc_attr(trim("button $class")), esc_html($this->text($text)));
    }

    /** For hosts without outgoing requests: where a code was tried and the server gave no answer, not even a "no". */
    private function showActivation(): void
    {
        $outcome = $this->outcome();
        $isNeeded = $this->code() !== '' && ($outcome->isUnknown() || $outcome->source === 'receipt');
        $url = $isNeeded && $this->client->canImport() ? $this->client->activationUrl($this->code()) : '';
        if ($url === '') {
            return;
        }
        printf('<details><summary>%s</summary>', esc_html($this->text('by_hand')));
        printf('<p>%s<br><a href="%s">%s</a></p>', esc_html($this->text('by_hand_help')), esc_url($url), esc_html($url));
        $this->openForm('import');
        $area = '<p><label>%s<br><textarea class="large-text code" name="receipt" rows="4"></textarea></label></p>';
        printf($area, esc_html($this->text('receipt')));
        $this->closeForm('import');
        echo '</details>';
    }

    /** Ends the request on the settings page, which shows this text. */
    private function leave(string $message): void
    {
        wp_safe_redirect($this->pageUrl() . ($message === '' ? '' : "&pazar_message=$message"));
        exit;
    }

    /** The result of the form that was just sent; empty if none was. */
    private function message(): string
    {
        $message = $_GET['pazar_message'] ?? '';
        $known = ['released', 'absent', 'not_released', 'released_too_often', 'not_imported', 'other_item'];
        return in_array($message, $known, true) ? $this->text($message) : '';
    }
}
