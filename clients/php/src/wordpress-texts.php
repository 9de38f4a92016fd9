<?php

declare(strict_types=1);

namespace Pazar;

/** The words of the settings page and the notice. */
final class WordPressTexts
{
    public const EN = [
        'code' => 'Purchase code',
        'save' => 'Save and check',
        'settings' => 'Settings',
        'dismiss' => 'Dismiss',
        'none' => 'Enter the purchase code of %s to activate it.',
        'valid' => 'Active: %1$s, licence %2$s.',
        'unknown_code' => 'This purchase code is not known. Please check it.',
        'revoked_code' => 'This purchase was refunded or charged back.',
        'other_item' => 'This purchase code belongs to another product.',
        'site_limit' => 'This purchase code is in use on as many sites as its licence allows. In the settings of %s you can'
            . ' free the place of a site that no longer uses it. A site that was not seen for 30 days frees its place by'
            . ' itself.',
        'unknown' => 'The purchase code could not be checked yet (%s). It is tried again by itself.',
        'receipt_expired' => 'The licence server has not confirmed the purchase for too long. Everything goes on; updates and support wait'
            . ' until the purchase code can be checked again, which is tried by itself.',
        'key_refused' => 'The licence server no longer accepts the key of %s. Please update the product, or ask its author.'
            . ' Support waits until then.',
        'release' => 'Use this code on another site',
        'release_help' => 'The product stops here, and the place of this site is free.',
        'former' => 'Address of the site that no longer uses the code',
        'free' => 'Free its place',
        'released' => 'The place is free. The purchase code can be used on another site now.',
        'absent' => 'The purchase code is not in use on that site. Please check the address.',
        'not_released' => 'The place could not be freed. Please try again later.',
        'released_too_often' => 'The sites of this purchase code were changed too often in the last 30 days. Please ask the'
            . ' author of the product.',
        'by_hand' => 'Activate without a connection',
        'by_hand_help' => 'If this site cannot reach the licence server, open this address on any device, enter the purchase'
            . ' code there, and paste the receipt here:',
        'receipt' => 'Receipt',
        'import' => 'Activate',
        'not_imported' => 'This receipt does not count here. Please open the address again and copy the whole receipt. If that'
            . ' does not help, update the product.',
    ];
    public const TR = [
        'code' => 'Satın alma kodu',
        'save' => 'Kaydet ve doğrula',
        'settings' => 'Ayarlar',
        'dismiss' => 'Kapat',
        'none' => '%s ürününü etkinleştirmek için satın alma kodunu girin.',
        'valid' => 'Etkin: %1$s, lisans %2$s.',
        'unknown_code' => 'Bu satın alma kodu bilinmiyor. Lütfen kodu kontrol edin.',
        'revoked_code' => 'Bu satın alma iade ya da ters ibraz edildi.',
        'other_item' => 'Bu satın alma kodu başka bir ürüne ait.',
        'site_limit' => 'Bu satın alma kodu, lisansın izin verdiği sayıda sitede kullanılıyor. %s ayarlarında, kodu artık'
            . ' kullanmayan bir sitenin yerini boşaltabilirsiniz. 30 gün boyunca görülmeyen bir sitenin yeri kendiliğinden'
            . ' boşalır.',
        'unknown' => 'Satın alma kodu henüz doğrulanamadı (%s). Kendiliğinden yeniden denenecek.',
        'receipt_expired' => 'Lisans sunucusu satın almayı uzun süredir doğrulamadı. Her şey çalışmaya devam ediyor; güncellemeler ve'
            . ' destek, satın alma kodu yeniden doğrulanana kadar bekliyor. Kendiliğinden yeniden denenecek.',
        'key_refused' => 'Lisans sunucusu %s ürününün anahtarını artık kabul etmiyor. Lütfen ürünü güncelleyin ya da yazarına'
            . ' danışın. Destek o zamana kadar bekler.',
        'release' => 'Bu kodu başka bir sitede kullan',
        'release_help' => 'Ürün burada durur ve bu sitenin yeri boşalır.',
        'former' => 'Kodu artık kullanmayan sitenin adresi',
        'free' => 'Yerini boşalt',
        'released' => 'Yer boşaldı. Satın alma kodunu artık başka bir sitede kullanabilirsiniz.',
        'absent' => 'Satın alma kodu o sitede kullanılmıyor. Lütfen adresi kontrol edin.',
        'not_released' => 'Yer boşaltılamadı. Lütfen daha sonra yeniden deneyin.',
        'released_too_often' => 'Bu satın alma kodunun siteleri son 30 günde çok sık değiştirildi. Lütfen ürünün yazarına'
            . ' danışın.',
        'by_hand' => 'Bağlantı olmadan etkinleştir',
        'by_hand_help' => 'Bu site lisans sunucusuna ulaşamıyorsa şu adresi herhangi bir cihazda açın, satın alma kodunu'
            . ' orada girin ve etkinleştirme belgesini buraya yapıştırın:',
        'receipt' => 'Etkinleştirme belgesi',
        'import' => 'Etkinleştir',
        'not_imported' => 'Bu belge burada geçerli değil. Lütfen adresi yeniden açın ve belgenin tamamını kopyalayın. Yine'
            . ' olmazsa ürünü güncelleyin.',
    ];
}
