<?php

declare(strict_types=1);

namespace Pazar;

/** @internal the Turkish texts, where no other translation is installed */
final class WordPressTurkish
{
    private const TEXTS = [
        'Settings' => 'Ayarlar',
        'Dismiss' => 'Kapat',
        'Purchase code' => 'Satın alma kodu',
        'Save and validate' => 'Kaydet ve doğrula',
        'The product stops here, and the slot of this site becomes free.' => 'Ürün burada durur ve bu sitenin etkinleştirme hakkı boşalır.',
        'Use this code on another site' => 'Bu kodu başka bir sitede kullan',
        'If this site was active before, it takes its slot back from the site that was activated last.' => 'Bu site daha önce etkinse etkinleştirme hakkını en son etkinleştirilen siteden geri alır.',
        'Use it here again' => 'Yeniden burada kullan',
        'Site that no longer uses the code' => 'Kodu artık kullanmayan site',
        'Free its slot' => 'Etkinleştirme hakkını boşalt',
        'Show the sites of this purchase code' => 'Bu satın alma kodunun sitelerini göster',
        'If this site cannot reach the license server, open this URL on any device, enter the purchase code there, and paste the receipt here:' => 'Bu site lisans sunucusuna ulaşamıyorsa şu URL\'yi herhangi bir cihazda açın, satın alma kodunu orada girin ve etkinleştirme belgesini buraya yapıştırın:',
        'Activate without a connection' => 'Çevrimdışı etkinleştirme',
        'Receipt' => 'Etkinleştirme belgesi',
        'Activate' => 'Etkinleştir',
        'The slot is free. You can use the purchase code on another site now.' => 'Etkinleştirme hakkı boşaldı. Satın alma kodunu artık başka bir sitede kullanabilirsiniz.',
        'The purchase code is not activated on that site. Please check the name.' => 'Satın alma kodu o sitede etkin değil. Lütfen adı kontrol edin.',
        'The slot could not be freed. Please try again later.' => 'Etkinleştirme hakkı boşaltılamadı. Lütfen daha sonra yeniden deneyin.',
        'Too many sites were changed in the last 30 days. Please contact the author of the product.' => 'Son 30 günde çok fazla site değiştirildi. Lütfen ürünün yazarına danışın.',
        'No other site was activated after this one. Please free the slot of another site.' => 'Bu siteden sonra başka bir site etkinleştirilmedi. Lütfen başka bir sitenin etkinleştirme hakkını boşaltın.',
        'This receipt is not valid for this site. Please open the URL again and copy the whole receipt.' => 'Bu belge bu site için geçerli değil. Lütfen URL\'yi yeniden açın ve belgenin tamamını kopyalayın.',
        'Enter the purchase code of %s to activate it.' => '%s ürününü etkinleştirmek için satın alma kodunu girin.',
        '%s is active.' => '%s etkin.',
        'This purchase code is not known. Please check it. A new purchase can take a few minutes.' => 'Bu satın alma kodu bilinmiyor. Lütfen kodu kontrol edin. Yeni bir satın alma birkaç dakika sürebilir.',
        'This purchase was refunded or charged back.' => 'Bu satın alma iade ya da ters ibraz edildi.',
        'The subscription of this purchase has ended.' => 'Bu satın almanın aboneliği sona erdi.',
        'This purchase code belongs to another product.' => 'Bu satın alma kodu başka bir ürüne ait.',
        'This purchase code is activated on as many sites as its license allows. In the settings of %s you can use it here again, or free the slot of another site.' => 'Bu satın alma kodu, lisansın izin verdiği sayıda sitede etkin. %s ayarlarında kodu yeniden burada kullanabilir ya da başka bir sitenin etkinleştirme hakkını boşaltabilirsiniz.',
        'The purchase code was activated on another site, and its license allows no more sites. %s keeps working here for three days. In its settings you can use it here again.' => 'Satın alma kodu başka bir sitede etkinleştirildi ve lisans daha fazla siteye izin vermiyor. %s burada üç gün daha çalışır. Ayarlarında kodu yeniden burada kullanabilirsiniz.',
        'The purchase code has not been validated yet. This happens automatically.' => 'Satın alma kodu henüz doğrulanmadı. Doğrulama otomatik yapılır.',
        'The license server cannot be reached at the moment. The purchase code will be validated automatically.' => 'Lisans sunucusuna şu anda ulaşılamıyor. Satın alma kodu otomatik olarak doğrulanacak.',
        'The response did not come from the license server. Please check the firewall or the proxy of this site, and update %s.' => 'Yanıt lisans sunucusundan gelmedi. Lütfen bu sitenin güvenlik duvarını ya da vekil sunucusunu kontrol edin ve %s ürününü güncelleyin.',
        'The license server has not confirmed the purchase for some time. %s keeps working. The purchase code will be validated automatically.' => 'Lisans sunucusu satın almayı bir süredir doğrulamadı. %s çalışmaya devam ediyor. Satın alma kodu otomatik olarak doğrulanacak.',
        'The license server does not accept the key of %s. Please update the product, or contact its author.' => 'Lisans sunucusu %s ürününün anahtarını kabul etmiyor. Lütfen ürünü güncelleyin ya da yazarına danışın.',
        '%s has a test key, which works on test sites only. Please contact its author.' => '%s yalnızca test sitelerinde çalışan bir test anahtarı içeriyor. Lütfen ürünün yazarına danışın.',
        'PHP cannot verify signatures on this server. Please ask your host to enable the extension sodium.' => 'PHP bu sunucuda imzaları doğrulayamıyor. Lütfen barındırma sağlayıcınızdan sodium eklentisini etkinleştirmesini isteyin.',
    ];

    public static function translate(string $translation, string $text): string
    {
        $isMissing = $translation === $text && strpos(determine_locale(), 'tr') === 0;
        return $isMissing ? self::TEXTS[$text] ?? $text : $translation;
    }
}
