<?php

declare(strict_types=1);

namespace Pazar;

trait WordPressPage {
    /** Error codes with the same remedy. A trait has no constants before PHP 8.2. */
    private static array $help = [
        'missing_key' => 'key_rejected', 'unknown_key' => 'key_rejected', 'revoked_key' => 'key_rejected', 'expired_key' => 'key_rejected',
        'key_not_allowed' => 'key_rejected', 'account_suspended' => 'key_rejected', 'unsigned' => 'not_trusted', 'forged' => 'not_trusted',
        'replayed' => 'not_trusted', 'invalid_response' => 'not_trusted',
    ];

    private function showPage(): void {
        printf('<div class="wrap"><h1>%s</h1>', esc_html($this->title));
        $message = $_GET['pazar_message'] ?? '';
        if (is_string($message) && isset($this->messages()[$message])) {
            printf('<div class="notice notice-info inline"><p>%s</p></div>', esc_html($this->messages()[$message]));
        }
        printf('<p>%s</p>', $this->help($this->status()));
        $code = self::field(__('Purchase code', 'pazar'), 'purchase_code', $this->code());
        $this->showForm('save', __('Save and validate', 'pazar'), $code, 'button-primary');
        $result = $this->result();
        if ($result->reason === 'site_limit') {
            $help = __('If this site was active before, it takes its slot back from the site that was activated last.', 'pazar');
            $move = sprintf(__('This site was %s: move the license here', 'pazar'), $result->previousSite);
            $result->previousSite === ''
                ? $this->showForm('reclaim', __('Use it here again', 'pazar'), '<p>' . esc_html($help) . '</p>')
                : $this->showForm('move', $move, '', 'button-primary');
            $url = esc_url($this->client->licenseUrl($this->code()));
            printf('<p><a href="%s">%s</a></p>', $url, esc_html__('Show the sites of this purchase code and free a slot. Then validate again here.', 'pazar'));
        } elseif ($result->isValid() && $this->site !== '') {
            $help = __('This deactivates the product on this site and frees its slot.', 'pazar');
            $this->showForm('release', __('Use this code on another site', 'pazar'), '<p>' . esc_html($help) . '</p>');
        }
        $isOffline = $this->code() !== '' && ($result->state === 'unknown' || $result->source === 'receipt');
        $url = $isOffline ? $this->client->activationUrl() : '';
        if ($url !== '') {
            $help = __('If this site cannot reach the license server, open this URL on any device, enter the purchase code there, and paste the receipt here:', 'pazar');
            printf('<details><summary>%s</summary>', esc_html__('Offline activation', 'pazar'));
            printf('<p>%s<br><a href="%s">%s</a></p>', esc_html($help), esc_url($url), esc_html($url));
            $area = '<p><label>%s<br><textarea class="large-text code" name="receipt" rows="4"></textarea></label></p>';
            $this->showForm('import', __('Activate', 'pazar'), sprintf($area, esc_html__('Receipt', 'pazar')));
            echo '</details>';
        }
        echo '</div>';
    }

    private function showNotice(): void {
        $isShown = in_array(get_current_screen()->id ?? '', ['dashboard', 'plugins', 'themes', 'update-core'], true);
        if (!$isShown || !current_user_can($this->capability)) {
            return;
        }
        [$result, $status] = [$this->result(), $this->status()];
        $text = $status === 'valid' ? '' : apply_filters('pazar_notice', $this->sentence($status), $result, $this->name);
        if ($text !== '') {
            $notice = '<div class="notice is-dismissible %s"><p><a href="%s">%s</a>: %s</p></div>';
            $class = $result->state === 'invalid' ? 'notice-error' : 'notice-warning';
            printf($notice, $class, esc_url($this->pageUrl()), esc_html($this->title), esc_html($text));
        }
    }

    /** Handles a submitted form. The methods return a key of messages(); empty if the status of the license suffices. */
    private function handle(string $verb): void {
        if (!current_user_can($this->capability)) {
            wp_die('', '', ['response' => 403]);
        }
        check_admin_referer("{$this->name}_$verb");
        $message = $this->$verb();
        wp_safe_redirect($this->pageUrl() . ($message === '' ? '' : "&pazar_message=$message"));
        exit;
    }

    private function save(): string {
        $code = Code::clean(self::readField('purchase_code'));
        $code = Code::errorCode($code) === null ? $code : '';
        update_option($this->name . '_code', $code, false);
        if ($this->code() !== '') {
            $this->finishCheck($this->client->check($this->code(), true));
        }
        return $this->code() === $code ? '' : 'store_not_writable';
    }

    private function release(): string {
        $problem = self::findProblem($this->client->release($this->code()));
        if ($problem === '') {
            delete_option($this->name . '_code');
            // A response of the site before a move would keep this one active.
            $this->client->forget();
        }
        return $problem ?: 'released';
    }

    private function move(): string {
        $problem = self::findProblem($this->client->release($this->code(), $this->result()->previousSite));
        if ($problem === '') {
            $this->finishCheck($this->client->check($this->code(), true));
        }
        return $problem;
    }

    private static function findProblem(Verdict $release): string {
        $isKnown = $release->state !== 'unknown';
        return $isKnown ? '' : ($release->retryAfter > HOUR_IN_SECONDS ? 'too_many_releases' : 'not_released');
    }

    private function reclaim(): string {
        $result = $this->client->reclaim($this->code());
        $this->finishCheck($result);
        return $result->reason === 'site_limit' ? 'not_reclaimed' : '';
    }

    private function import(): string {
        $result = $this->client->importReceipt(self::readField('receipt'));
        if (!$result->isValid()) {
            return in_array($result->reason, ['unknown_signer', 'store_not_writable'], true) ? $result->reason : 'not_imported';
        }
        update_option($this->name . '_code', $result->code, false);
        $this->finishCheck($result);
        return '';
    }

    /** sanitize_text_field() would remove valid characters of a code, such as "%20". Output is escaped instead. */
    private static function readField(string $name): string {
        $posted = $_POST[$name] ?? '';
        return is_string($posted) ? wp_unslash($posted) : '';
    }

    private function showForm(string $verb, string $button, string $html, string $class = ''): void {
        printf('<form method="post" action="%s">', esc_url(admin_url('admin-post.php')));
        printf('<input type="hidden" name="action" value="%s">', esc_attr("{$this->name}_$verb"));
        wp_nonce_field("{$this->name}_$verb");
        printf('%s<p><button class="button %s">%s</button></p></form>', $html, $class, esc_html($button));
    }

    private static function field(string $label, string $name, string $value): string {
        $field = '<p><label>%s <input class="regular-text" name="%s" value="%s" autocomplete="off"></label></p>';
        return sprintf($field, esc_html($label), $name, esc_attr($value));
    }

    private function pageUrl(): string { return admin_url('options-general.php?page=' . $this->name); }

    private function messages(): array {
        return [
            'released' => __('The slot is free. You can use the purchase code on another site now.', 'pazar'),
            'not_released' => __('The slot could not be freed. Please try again later.', 'pazar'),
            'too_many_releases' => __('Too many sites were changed in the last 30 days. Please contact the author of the product.', 'pazar'),
            'not_reclaimed' => __('No other site was activated after this one. Please free the slot of another site.', 'pazar'),
            'not_imported' => __('This receipt is not valid for this site. Please open the URL again and copy the whole receipt.', 'pazar'),
            'unknown_signer' => $this->sentence('unknown_signer'),
            'store_not_writable' => $this->sentence('store_not_writable'),
        ];
    }

    private function status(): string {
        $result = $this->result();
        if ($this->code() === '') {
            return 'none';
        }
        $isOverdue = $result->retryAfter === 0 && in_array($result->reason, ['', 'not_checked', 'receipt_expired'], true);
        if ($isOverdue && !$this->client->canStore()) {
            return 'store_not_writable';
        }
        if ($result->isValid()) {
            return 'valid';
        }
        if ($result->state === 'invalid') {
            return $result->isActive() ? 'site_limit_grace' : $result->reason;
        }
        $help = self::$help[$result->reason] ?? '';
        $isClear = $help === 'key_rejected' || in_array($result->reason, ['test_key', 'cannot_verify', 'not_checked', 'unknown_signer'], true);
        return $result->isActive() && !$isClear ? 'unconfirmed' : $result->reason;
    }

    /** $status: an error code, or the result of status(). */
    private function sentence(string $status): string {
        $sentences = [
            'none' => __('Enter the purchase code of %s to activate it.', 'pazar'),
            'valid' => __('%s is active.', 'pazar'),
            'unknown_code' => __('This purchase code was not found. Please check it. This can take a few minutes after the purchase; the code will be validated automatically.', 'pazar'),
            'revoked_code' => __('This purchase was refunded or charged back.', 'pazar'),
            'expired_code' => __('The subscription of this purchase has ended.', 'pazar'),
            'other_item' => __('This purchase code belongs to another product.', 'pazar'),
            'site_limit' => __('This purchase code is activated on as many sites as its license allows. In the settings of %s you can use it here again, or free the slot of another site.', 'pazar'),
            'site_limit_grace' => __('The purchase code was activated on another site, and its license allows no more sites. %s keeps working here for three days. In its settings you can use it here again.', 'pazar'),
            'not_checked' => __('The purchase code has not been validated yet. This happens automatically.', 'pazar'),
            'unreachable' => __('The license server cannot be reached at the moment. The purchase code will be validated automatically.', 'pazar'),
            'not_trusted' => __('The response did not come from the license server. Please check the firewall or the proxy of this site, and update %s.', 'pazar'),
            'unknown_signer' => __('The response was signed with a key that this version of %s does not know. Please update %s.', 'pazar'),
            'rate_limited' => __('Too many wrong purchase codes were sent from the address of this server. The purchase code will be validated automatically.', 'pazar'),
            'unconfirmed' => __('The license server has not confirmed the purchase for some time. %s keeps working. The purchase code will be validated automatically.', 'pazar'),
            'key_rejected' => __('The license server does not accept the key of %s. Please update the product, or contact its author.', 'pazar'),
            'test_key' => __('%s has a test key, which works on test sites only. Please contact its author.', 'pazar'),
            'no_download' => __('This update of %s cannot be installed automatically. Please download it here:', 'pazar'),
            'store_not_writable' => __('This site cannot store the license of %s, because its database cannot be written. Please contact your host.', 'pazar'),
            'cannot_verify' => __('PHP cannot verify signatures on this server. Please ask your host to enable the extension sodium.', 'pazar'),
        ];
        return str_replace('%s', $this->title, $sentences[self::$help[$status] ?? $status] ?? $sentences['unreachable']);
    }
}

/** @internal Turkish texts, used if no other Turkish translation is installed. */
final class WordPressTurkish {
    private const TEXTS = [
        'Settings' => 'Ayarlar',
        'Purchase code' => 'Satın alma kodu',
        'Save and validate' => 'Kaydet ve doğrula',
        'This deactivates the product on this site and frees its slot.' => 'Bu işlem ürünü bu sitede devre dışı bırakır ve sitenin etkinleştirme hakkını boşaltır.',
        'Use this code on another site' => 'Bu kodu başka bir sitede kullan',
        'If this site was active before, it takes its slot back from the site that was activated last.' => 'Bu site daha önce etkinse etkinleştirme hakkını en son etkinleştirilen siteden geri alır.',
        'Use it here again' => 'Yeniden burada kullan',
        'This site was %s: move the license here' => 'Bu sitenin eski adresi %s: lisansı buraya taşı',
        'Show the sites of this purchase code and free a slot. Then validate again here.' => 'Bu satın alma kodunun sitelerini görün ve bir hak boşaltın. Sonra burada yeniden doğrulayın.',
        'If this site cannot reach the license server, open this URL on any device, enter the purchase code there, and paste the receipt here:' => 'Bu site lisans sunucusuna ulaşamıyorsa şu URL\'yi herhangi bir cihazda açın, satın alma kodunu orada girin ve etkinleştirme belgesini buraya yapıştırın:',
        'Offline activation' => 'Çevrimdışı etkinleştirme',
        'Receipt' => 'Etkinleştirme belgesi',
        'Activate' => 'Etkinleştir',
        'The slot is free. You can use the purchase code on another site now.' => 'Etkinleştirme hakkı boşaldı. Satın alma kodunu artık başka bir sitede kullanabilirsiniz.',
        'The slot could not be freed. Please try again later.' => 'Etkinleştirme hakkı boşaltılamadı. Lütfen daha sonra yeniden deneyin.',
        'Too many sites were changed in the last 30 days. Please contact the author of the product.' => 'Son 30 günde çok fazla site değiştirildi. Lütfen ürünün yazarına danışın.',
        'No other site was activated after this one. Please free the slot of another site.' => 'Bu siteden sonra başka bir site etkinleştirilmedi. Lütfen başka bir sitenin etkinleştirme hakkını boşaltın.',
        'This receipt is not valid for this site. Please open the URL again and copy the whole receipt.' => 'Bu belge bu site için geçerli değil. Lütfen URL\'yi yeniden açın ve belgenin tamamını kopyalayın.',
        'Enter the purchase code of %s to activate it.' => '%s ürününü etkinleştirmek için satın alma kodunu girin.',
        '%s is active.' => '%s etkin.',
        'This purchase code was not found. Please check it. This can take a few minutes after the purchase; the code will be validated automatically.' => 'Bu satın alma kodu bulunamadı. Lütfen kodu kontrol edin. Satın almadan sonra bu birkaç dakika sürebilir; kod otomatik olarak doğrulanır.',
        'This purchase was refunded or charged back.' => 'Bu satın alma iade ya da ters ibraz edildi.',
        'The subscription of this purchase has ended.' => 'Bu satın almanın aboneliği sona erdi.',
        'This purchase code belongs to another product.' => 'Bu satın alma kodu başka bir ürüne ait.',
        'This purchase code is activated on as many sites as its license allows. In the settings of %s you can use it here again, or free the slot of another site.' => 'Bu satın alma kodu, lisansın izin verdiği sayıda sitede etkin. %s ayarlarında kodu yeniden burada kullanabilir ya da başka bir sitenin etkinleştirme hakkını boşaltabilirsiniz.',
        'The purchase code was activated on another site, and its license allows no more sites. %s keeps working here for three days. In its settings you can use it here again.' => 'Satın alma kodu başka bir sitede etkinleştirildi ve lisans daha fazla siteye izin vermiyor. %s burada üç gün daha çalışır. Ayarlarında kodu yeniden burada kullanabilirsiniz.',
        'The purchase code has not been validated yet. This happens automatically.' => 'Satın alma kodu henüz doğrulanmadı. Doğrulama otomatik yapılır.',
        'The license server cannot be reached at the moment. The purchase code will be validated automatically.' => 'Lisans sunucusuna şu anda ulaşılamıyor. Satın alma kodu otomatik olarak doğrulanacak.',
        'The response did not come from the license server. Please check the firewall or the proxy of this site, and update %s.' => 'Yanıt lisans sunucusundan gelmedi. Lütfen bu sitenin güvenlik duvarını ya da vekil sunucusunu kontrol edin ve %s ürününü güncelleyin.',
        'The response was signed with a key that this version of %s does not know. Please update %s.' => 'Yanıt, %s ürününün bu sürümünün tanımadığı bir anahtarla imzalanmış. Lütfen %s ürününü güncelleyin.',
        'Too many wrong purchase codes were sent from the address of this server. The purchase code will be validated automatically.' => 'Bu sunucunun adresinden çok fazla yanlış satın alma kodu gönderildi. Satın alma kodu otomatik olarak doğrulanacak.',
        'The license server has not confirmed the purchase for some time. %s keeps working. The purchase code will be validated automatically.' => 'Lisans sunucusu satın almayı bir süredir doğrulamadı. %s çalışmaya devam ediyor. Satın alma kodu otomatik olarak doğrulanacak.',
        'The license server does not accept the key of %s. Please update the product, or contact its author.' => 'Lisans sunucusu %s ürününün anahtarını kabul etmiyor. Lütfen ürünü güncelleyin ya da yazarına danışın.',
        '%s has a test key, which works on test sites only. Please contact its author.' => '%s yalnızca test sitelerinde çalışan bir test anahtarı içeriyor. Lütfen ürünün yazarına danışın.',
        'This update of %s cannot be installed automatically. Please download it here:' => 'Bu %s güncellemesi otomatik kurulamıyor. Lütfen buradan indirin:',
        'This site cannot store the license of %s, because its database cannot be written. Please contact your host.' => 'Bu site %s lisansını saklayamıyor, çünkü veritabanına yazılamıyor. Lütfen barındırma sağlayıcınıza danışın.',
        'PHP cannot verify signatures on this server. Please ask your host to enable the extension sodium.' => 'PHP bu sunucuda imzaları doğrulayamıyor. Lütfen barındırma sağlayıcınızdan sodium eklentisini etkinleştirmesini isteyin.',
    ];

    public static function translate(string $translation, string $text): string {
        $isMissing = $translation === $text && strpos(determine_locale(), 'tr') === 0;
        return $isMissing ? self::TEXTS[$text] ?? $text : $translation;
    }
}
