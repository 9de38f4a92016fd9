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
        $field = '<p><label>%s <input class="regular-text" name="purchase_code" value="%s" autocomplete="off"></label></p>';
        $code = sprintf($field, esc_html(self::text(__('Purchase code', 'pazar'), 'Satın alma kodu')), esc_attr($this->code()));
        $this->showForm('save', self::text(__('Save and validate', 'pazar'), 'Kaydet ve doğrula'), $code, 'button-primary');
        $result = $this->result();
        if ($result->reason === 'site_limit') {
            $help = self::text(__('If this site was active before, it takes its slot back from the site that was activated last.', 'pazar'), 'Bu site daha önce etkinse etkinleştirme hakkını en son etkinleştirilen siteden geri alır.');
            $move = sprintf(self::text(__('This site was %s: move the license here', 'pazar'), 'Bu sitenin eski adresi %s: lisansı buraya taşı'), $result->previousSite);
            $result->previousSite === ''
                ? $this->showForm('reclaim', self::text(__('Use it here again', 'pazar'), 'Yeniden burada kullan'), '<p>' . esc_html($help) . '</p>')
                : $this->showForm('move', $move, '', 'button-primary');
            $url = esc_url($this->client->licenseUrl($this->code()));
            printf('<p><a href="%s">%s</a></p>', $url, esc_html(self::text(__('Show the sites of this purchase code and free a slot. Then validate again here.', 'pazar'), 'Bu satın alma kodunun sitelerini görün ve bir hak boşaltın. Sonra burada yeniden doğrulayın.')));
        } elseif ($result->isValid() && $this->site !== '') {
            $help = self::text(__('This deactivates the product on this site and frees its slot.', 'pazar'), 'Bu işlem ürünü bu sitede devre dışı bırakır ve sitenin etkinleştirme hakkını boşaltır.');
            $this->showForm('release', self::text(__('Use this code on another site', 'pazar'), 'Bu kodu başka bir sitede kullan'), '<p>' . esc_html($help) . '</p>');
        }
        $isOffline = $this->code() !== '' && ($result->state === 'unknown' || $result->source === 'receipt');
        $url = $isOffline ? $this->client->activationUrl() : '';
        if ($url !== '') {
            $help = self::text(__('If this site cannot reach the license server, open this URL on any device, enter the purchase code there, and paste the receipt here:', 'pazar'), 'Bu site lisans sunucusuna ulaşamıyorsa şu URL\'yi herhangi bir cihazda açın, satın alma kodunu orada girin ve etkinleştirme belgesini buraya yapıştırın:');
            printf('<details><summary>%s</summary>', esc_html(self::text(__('Offline activation', 'pazar'), 'Çevrimdışı etkinleştirme')));
            printf('<p>%s<br><a href="%s">%s</a></p>', esc_html($help), esc_url($url), esc_html($url));
            $area = '<p><label>%s<br><textarea class="large-text code" name="receipt" rows="4"></textarea></label></p>';
            $this->showForm('import', self::text(__('Activate', 'pazar'), 'Etkinleştir'), sprintf($area, esc_html(self::text(__('Receipt', 'pazar'), 'Etkinleştirme belgesi'))));
            echo '</details>';
        }
        echo '</div>';
    }

    private function showNotice(): void {
        $isShown = in_array(get_current_screen()->id ?? '', ['dashboard', 'plugins', 'themes', 'update-core'], true);
        $result = $this->result();
        $status = $isShown && current_user_can($this->capability) ? $this->status() : 'valid';
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
        $problem = $release->retryAfter > HOUR_IN_SECONDS ? 'too_many_releases' : 'not_released';
        return $release->state === 'unknown' ? $problem : '';
    }

    private function reclaim(): string {
        $result = $this->client->reclaim($this->code());
        $this->finishCheck($result);
        return $result->reason === 'site_limit' ? 'not_reclaimed' : '';
    }

    private function import(): string {
        $result = $this->client->importReceipt(self::readField('receipt'));
        if (!$result->isValid()) {
            return isset($this->messages()[$result->reason]) ? $result->reason : 'not_imported';
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

    private function pageUrl(): string { return admin_url('options-general.php?page=' . $this->name); }

    private function messages(): array {
        return [
            'released' => self::text(__('The slot is free. You can use the purchase code on another site now.', 'pazar'), 'Etkinleştirme hakkı boşaldı. Satın alma kodunu artık başka bir sitede kullanabilirsiniz.'),
            'not_released' => self::text(__('The slot could not be freed. Please try again later.', 'pazar'), 'Etkinleştirme hakkı boşaltılamadı. Lütfen daha sonra yeniden deneyin.'),
            'too_many_releases' => self::text(__('Too many sites were changed in the last 30 days. Please contact the author of the product.', 'pazar'), 'Son 30 günde çok fazla site değiştirildi. Lütfen ürünün yazarına danışın.'),
            'not_reclaimed' => self::text(__('No other site was activated after this one. Please free the slot of another site.', 'pazar'), 'Bu siteden sonra başka bir site etkinleştirilmedi. Lütfen başka bir sitenin etkinleştirme hakkını boşaltın.'),
            'not_imported' => self::text(__('This receipt is not valid for this site. Please open the URL again and copy the whole receipt.', 'pazar'), 'Bu belge bu site için geçerli değil. Lütfen URL\'yi yeniden açın ve belgenin tamamını kopyalayın.'),
            'unknown_signer' => $this->sentence('unknown_signer'), 'store_not_writable' => $this->sentence('store_not_writable'),
        ];
    }

    private function status(): string {
        $result = $this->result();
        $isOverdue = $result->retryAfter === 0 && in_array($result->reason, ['', 'not_checked', 'receipt_expired'], true);
        if ($this->code() === '' || ($isOverdue && !$this->client->canStore())) {
            return $this->code() === '' ? 'none' : 'store_not_writable';
        }
        if ($result->state !== 'unknown') {
            return $result->isValid() ? 'valid' : ($result->isActive() ? 'site_limit_grace' : $result->reason);
        }
        $help = self::$help[$result->reason] ?? '';
        $isClear = $help === 'key_rejected' || in_array($result->reason, ['test_key', 'cannot_verify', 'not_checked', 'unknown_signer'], true);
        return $result->isActive() && !$isClear ? 'unconfirmed' : $result->reason;
    }

    /** Turkish is built in. Translations of the text domain that a site has installed come first. */
    private static function text(string $text, string $turkish): string {
        return strpos(determine_locale(), 'tr') === 0 && !is_textdomain_loaded('pazar') ? $turkish : $text;
    }

    /** $status: an error code, or the result of status(). */
    private function sentence(string $status): string {
        $sentences = [
            'none' => self::text(__('Enter the purchase code of %s to activate it.', 'pazar'), '%s ürününü etkinleştirmek için satın alma kodunu girin.'),
            'valid' => self::text(__('%s is active.', 'pazar'), '%s etkin.'),
            'unknown_code' => self::text(__('This purchase code was not found. Please check it. This can take a few minutes after the purchase; the code will be validated automatically.', 'pazar'), 'Bu satın alma kodu bulunamadı. Lütfen kodu kontrol edin. Satın almadan sonra bu birkaç dakika sürebilir; kod otomatik olarak doğrulanır.'),
            'revoked_code' => self::text(__('This purchase was refunded or charged back.', 'pazar'), 'Bu satın alma iade ya da ters ibraz edildi.'),
            'expired_code' => self::text(__('The subscription of this purchase has ended.', 'pazar'), 'Bu satın almanın aboneliği sona erdi.'),
            'other_item' => self::text(__('This purchase code belongs to another product.', 'pazar'), 'Bu satın alma kodu başka bir ürüne ait.'),
            'site_limit' => self::text(__('This purchase code is activated on as many sites as its license allows. In the settings of %s you can use it here again, or free the slot of another site.', 'pazar'), 'Bu satın alma kodu, lisansın izin verdiği sayıda sitede etkin. %s ayarlarında kodu yeniden burada kullanabilir ya da başka bir sitenin etkinleştirme hakkını boşaltabilirsiniz.'),
            'site_limit_grace' => self::text(__('The purchase code was activated on another site, and its license allows no more sites. %s keeps working here for three days. In its settings you can use it here again.', 'pazar'), 'Satın alma kodu başka bir sitede etkinleştirildi ve lisans daha fazla siteye izin vermiyor. %s burada üç gün daha çalışır. Ayarlarında kodu yeniden burada kullanabilirsiniz.'),
            'not_checked' => self::text(__('The purchase code has not been validated yet. This happens automatically.', 'pazar'), 'Satın alma kodu henüz doğrulanmadı. Doğrulama otomatik yapılır.'),
            'unreachable' => self::text(__('The license server cannot be reached at the moment. The purchase code will be validated automatically.', 'pazar'), 'Lisans sunucusuna şu anda ulaşılamıyor. Satın alma kodu otomatik olarak doğrulanacak.'),
            'not_trusted' => self::text(__('The response did not come from the license server. Please check the firewall or the proxy of this site, and update %s.', 'pazar'), 'Yanıt lisans sunucusundan gelmedi. Lütfen bu sitenin güvenlik duvarını ya da vekil sunucusunu kontrol edin ve %s ürününü güncelleyin.'),
            'unknown_signer' => self::text(__('The response was signed with a key that this version of %s does not know. Please update %s.', 'pazar'), 'Yanıt, %s ürününün bu sürümünün tanımadığı bir anahtarla imzalanmış. Lütfen %s ürününü güncelleyin.'),
            'rate_limited' => self::text(__('Too many wrong purchase codes were sent from the address of this server. The purchase code will be validated automatically.', 'pazar'), 'Bu sunucunun adresinden çok fazla yanlış satın alma kodu gönderildi. Satın alma kodu otomatik olarak doğrulanacak.'),
            'unconfirmed' => self::text(__('The license server has not confirmed the purchase for some time. %s keeps working. The purchase code will be validated automatically.', 'pazar'), 'Lisans sunucusu satın almayı bir süredir doğrulamadı. %s çalışmaya devam ediyor. Satın alma kodu otomatik olarak doğrulanacak.'),
            'key_rejected' => self::text(__('The license server does not accept the key of %s. Please update the product, or contact its author.', 'pazar'), 'Lisans sunucusu %s ürününün anahtarını kabul etmiyor. Lütfen ürünü güncelleyin ya da yazarına danışın.'),
            'test_key' => self::text(__('%s has a test key, which works on test sites only. Please contact its author.', 'pazar'), '%s yalnızca test sitelerinde çalışan bir test anahtarı içeriyor. Lütfen ürünün yazarına danışın.'),
            'no_download' => self::text(__('This update of %s cannot be installed automatically. Please download it here:', 'pazar'), 'Bu %s güncellemesi otomatik kurulamıyor. Lütfen buradan indirin:'),
            'store_not_writable' => self::text(__('This site cannot store the license of %s, because its database cannot be written. Please contact your host.', 'pazar'), 'Bu site %s lisansını saklayamıyor, çünkü veritabanına yazılamıyor. Lütfen barındırma sağlayıcınıza danışın.'),
            'cannot_verify' => self::text(__('PHP cannot verify signatures on this server. Please ask your host to enable the extension sodium.', 'pazar'), 'PHP bu sunucuda imzaları doğrulayamıyor. Lütfen barındırma sağlayıcınızdan sodium eklentisini etkinleştirmesini isteyin.'),
        ];
        return str_replace('%s', $this->title, $sentences[self::$help[$status] ?? $status] ?? $sentences['unreachable']);
    }
}
