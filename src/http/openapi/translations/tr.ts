import { webhooks } from "../../pages/translations/tr-webhooks.ts"
import type { Texts } from "./en.ts"

/** All texts of the API's description, in Turkish. */
export const tr: Texts = {
  api: {
    title: "Pazar yazar API'si",
    description: `Bir yazarın hesap ve ürün bilgilerini verir, satın alma kodlarını doğrular.

- Her istek bir API anahtarı taşır: \`X-Api-Key\` başlığı, \`Authorization: Bearer\` ya da \`api_key\` parametresi olarak. Başlıkta gönderilen anahtar günlüklere düşmez.
- Hata gövdesi \`{status, msg}\` biçimindedir. Nedenini durum kodu ve hiç çevrilmeyen \`Pazar-Reason\` başlığı söyler.
- 429, 500 ve 503 anahtar, ürün ya da kod hakkında hiçbir şey söylemez: \`Retry-After\` saniye sonra yeniden deneyin.
- GET olan her yerde HEAD de çalışır. Sondaki bir eğik çizgi yok sayılır, art arda gelenler bir sayılır.
- Bilinmeyen parametreler yok sayılır. Değerin başındaki ve sonundaki boşluklar atılır; boş değer eksik sayılır.
- \`/api\` altında bilinmeyen bir yol, \`unknown_path\` nedeniyle 404 döner.`,
  },
  operator: {
    title: "Pazar yönetici API'si",
    description:
      "Pazaryerini işletenler içindir. Her istek bir yönetici belirtecini `Authorization: Bearer` olarak taşır: `pazar token create` ile oluşturulanı ya da yapılandırmadakini. Hiç belirteç yoksa bu yollar da yoktur.",
  },
  tags: {
    Account: "Anahtarın sahibi olan hesap.",
    Items: "Hesabın ürünleri.",
    Purchases: "Hesabın ürünlerinin satışları.",
    Envato: "Envato'nun API'si için yazılmış ürünler için.",
    Webhooks: "Kendi sunucunuza gönderilenler.",
    Feed: "Mağazanızdan gelen hesaplar, ürünler ve satışlar.",
    Authors: "Yazarların kendi sitenizden giriş yapması.",
  },
  operations: {
    read_account: {
      summary: "Hesap bilgilerinizi alın",
      description: "Anahtarın sahibi olan hesap.",
    },
    list_items: {
      summary: "Bütün ürünlerinizi listeleyin",
      description:
        "Hesabın yayındaki tüm ürünleri, en yeni ID başta, sayfasız. Uzun bir liste parça parça gelir. Liste gönderilirken anahtar geçerliliğini yitirirse bağlantı kesilir.",
    },
    read_item: {
      summary: "Bir ürünün bilgilerini alın",
      description: "Hesabın yayındaki bir ürünü, ID ile.",
    },
    validate_purchase: {
      summary: "Satın alma kodunu doğrulayın",
      description:
        "Kod geçerliyse satın alma bilgilerini döndürür. Satın almanın bitiş tarihi yoktur: kod, iade ya da ters ibraz edilene kadar geçerlidir; `supported_until` yalnızca desteğin bitişidir. Parametreleri sorgu dizesinde veya gövdede gönderebilirsiniz; ikisinde de varsa gövdedeki geçerlidir. Gövde, türüne bakılmadan içeriğine göre okunur. Kodda bitişik harfler, tipografik tireler, görünmez karakterler ve A–Z harflerinin büyük ya da küçük olması fark etmez. İki kod yalnızca bununla ayrılıyorsa kodu tam olarak gönderin.",
    },
    release_site: {
      summary: "Siteyi bırakın",
      description:
        "Bir sitenin yerini hemen boşaltır: alıcı başka bir adrese geçmeden önce ya da ürün kaldırılırken. Kod bilinmiyorsa ya da site kayıtlı değilse 404 `unknown_code`, satın alma iade ya da ters ibraz edilmişse `revoked_code`: bu yanıta bakarak satın alma hakkında karar vermeyin. Her satın alma için 30 günde beş kez, sonra 429; `Retry-After` 30 güne kadar çıkabilir ve yalnızca site bırakma istekleri içindir.",
    },
    read_signing_keys: {
      summary: "Açık imza anahtarlarını alın",
      description:
        "İmzalı yanıtları doğrulayan anahtarlar, bir JWK kümesi olarak: geçerli anahtar, sıradaki, sonra imzaladığı yanıtların süresi dolmamış eskileri. API anahtarı gerekmez.",
    },
    find_sale: {
      summary: "Satışı Envato biçiminde alın",
      description:
        "Doğrulamanın, Envato için yazılmış ürünlerin beklediği biçimi: yalnızca temel adres ve anahtar değişir. Her anahtar kabul edilir, yalnızca bearer belirteci olarak. Her zaman İngilizcedir. Mağaza bildirmediyse `buyer` null olur.",
    },
    push_feed: {
      summary: "Kayıt gönderin",
      description:
        "Bir besleme alır: satır satır JSON, her satırda bir kayıt. Doğru satırlar alınır, hatalı olanlar bütün sorunlarıyla birlikte reddedilir.",
    },
    create_link: {
      summary: "Giriş bağlantısı oluşturun",
      description:
        "Bu yazarın iki dakika içinde, bir kez giriş yapmasını sağlayan bir bağlantı. Yazarın iki adımlı doğrulaması varsa kod istenir. Sitenizde giriş yapmış olan yazar çalışma alanına geçmek istediğinde bağlantıyı isteyin ve tarayıcıyı oraya yönlendirin. Bilinmeyen hesap için 404, askıya alınmış hesap için 403.",
    },
  },
  limits: {
    max_deletes:
      "Gönderimin silebileceği en çok satış, ürün ve hesap; her tür için ayrı: bir sayı ya da veritabanındakilere oran. Varsayılan: %1, ama en az 20. Daha fazlası gönderimi 422 ile durdurur.",
    max_revokes: "Gönderimin iptal edebileceği en çok satış; aynı biçimde ve aynı varsayılanla.",
  },
  webhooks: {
    events: webhooks.meanings,
    "webhook-id": "İletinin ID'si, her denemede aynı.",
    "webhook-timestamp":
      "Gönderildiği an, 1970'ten beri geçen saniye. Beş dakikadan fazla sapanı reddedin.",
    "webhook-signature":
      "`v1,` ve ID, `.`, zaman, `.`, gövde metninin imza anahtarının baytlarıyla alınmış, base64 yazılmış HMAC-SHA-256 değeri. İmza anahtarı değiştirildikten sonraki bir gün boyunca aralarında boşluk olan iki değer vardır.",
    body: "Olay.",
    taken: "Alındı. 200'den 299'a kadar her durum kodu olur; gövdeye bakılmaz.",
    gone: "Adres artık yok: oraya bir daha hiçbir şey gönderilmez.",
    username: "Yazar. Yalnızca yöneticilere gönderilir.",
  },
  parameters: {
    item_id: "Ürünün ID'si.",
    purchase_code: "Satın alma kodu; düzeltildikten sonra en çok 255 karakter.",
    site: "Kodun kullanıldığı yer: sitenin adresi, en çok 255 karakter. Protokol, `www.`, bağlantı noktası, yol ve harflerin büyük ya da küçük olması fark etmez. Noktasız tek bir sözcük test sitesidir; sınırlanmaz. Yoksa `domain` okunur. Doğrulamada kullanılamayan değer gönderilmemiş sayılır; site gönderilmezse sınır uygulanmaz.",
    nonce:
      "İmzalı yanıt ister; imza bu değeri taşır. Rastgele ve her istekte yeni olmalıdır. 200 ve 404 yanıtları o zaman imzalanır.",
    code: "Satın alma kodu; `purchase_code` gibi düzeltilir.",
    lang: "`status` ve `msg` dili. `Accept-Language` başlığından önceliklidir.",
    "Accept-Language": "`status` ve `msg` dili. Yoksa sitenin kendi dili.",
    "If-None-Match": "Önceki bir yanıtın `ETag` değeri. Yanıt hâlâ aynıysa boş bir 304 gelir.",
  },
  body: "Parametreler. Üç biçimde de aynı parametreler bulunur. `api_key` de bunların arasında olabilir; başlıkta göndermek daha iyidir.",
  security: {
    header: "Başlık olarak API anahtarı.",
    bearer: "Bearer belirteci olarak API anahtarı.",
    parameter: "Parametre olarak API anahtarı. Günlüklere düşer: başlıkta gönderin.",
    operator: "Yönetici belirteci.",
  },
  statuses: {
    200: "Başarılı.",
    304: "İstemcideki kopya hâlâ geçerli.",
    400: "Bir parametre eksik ya da geçersiz, ya da gövde yarıda kesildi.",
    401: "Anahtar eksik, bilinmiyor, iptal edilmiş ya da süresi dolmuş.",
    403: "Anahtarın buna izni yok veya hesabı askıya alınmış.",
    404: "Bulunamadı. Başka hesaplara ait olanlar da yokmuş gibi görünür.",
    405: "Bu yönteme izin verilmiyor; izin verilenler `Allow` başlığındadır.",
    408: "Bir dakika boyunca veri gelmedi.",
    413: "Gövde 64 KB'den uzun.",
    422: "Bazı satırlar reddedildi. Ötekiler alındı.",
    429: "Çok fazla istek. `Retry-After` saniye sonra yeniden deneyin.",
    500: "Geçici hata; “hayır” anlamına gelmez. `Retry-After` saniye sonra yeniden deneyin.",
    503: "Geçici hata; “hayır” anlamına gelmez. `Retry-After` saniye sonra yeniden deneyin.",
  },
  operatorStatuses: {
    401: "Belirteç eksik, bilinmiyor ya da süresi dolmuş.",
    403: "Belirtecin buna izni yok veya hesap askıya alınmış.",
  },
  reasons: {
    ok: "tamam",
    missing_key: "istekte anahtar yok",
    unknown_key: "böyle bir anahtar yok",
    revoked_key: "anahtar iptal edildi",
    expired_key: "anahtarın süresi doldu ya da anahtar yenisiyle değiştirildi ve süresi bitti",
    key_not_allowed: "doğrulama anahtarı, doğrulama ve site bırakmadan fazlasını istedi",
    account_suspended: "pazaryeri hesabı askıya aldı",
    missing_parameter: "bir parametre eksik",
    invalid_parameter: "bir parametre geçersiz",
    no_items: "hesabın yayında ürünü yok",
    unknown_item: "hesabın bu ID ile yayında bir ürünü yok",
    unknown_code:
      "hesabın bu kodla, anahtarın doğrulayabildiği bir satışı yok ya da, site bırakma isteğinde, kod bu sitede kullanılmıyor",
    revoked_code: "satış iade ya da ters ibraz edildi",
    site_limit: "kod, yazarının izin verdiği sayıda sitede kullanılıyor",
    method_not_allowed: "`Allow` başlığındakilerden başka bir yöntem",
    unknown_path: "böyle bir yol yok",
    too_large: "gövde 64 KB'den uzun",
    rate_limited: "çok fazla istek",
    unavailable: "yanıt verilemiyor",
  },
  members: {
    Account: {
      name: "Yazarın adı.",
      "name.firstname": "Ad.",
      "name.lastname": "Soyadı.",
      "name.full_name": "Pazaryerinin gösterdiği biçimiyle.",
      username: "Pazaryerindeki kullanıcı adı. Değişebilir.",
      email: "Pazaryerinin yazıştığı adres.",
      balance: "Pazaryerinin yazara borcu, `currency` cinsinden.",
      currency: "`balance` değerinin para birimi: ISO 4217’deki gibi üç harf.",
      profile: "Alıcıların yazar hakkında gördükleri.",
      "profile.heading": "Yazarla ilgili kısa bir metin.",
      "profile.description": "Pazaryerinde nasılsa öyle: düz metin ya da HTML.",
      "profile.contact": "Alıcıların yazara nasıl ulaşacağı.",
      "profile.contact.email": "Destek adresi.",
      "profile.social_links":
        "Her ağ için, ağın adıyla bir adres. Yeni ağlar eklenebilir; hiçbiri bulunmak zorunda değildir.",
      "profile.media": "Resimler.",
      "profile.media.avatar": "Yazarın resmi.",
      "profile.media.cover": "Profilin kapak resmi.",
      registered_at: "Yazarın katıldığı an, UTC.",
    },
    Item: {
      id: "Hiç değişmez. Ürününüzün ID değeriyle karşılaştırın.",
      name: "Başlık.",
      description: "Pazaryerinde nasılsa öyle: düz metin ya da HTML.",
      category: "Kategorinin adı.",
      sub_category: "Alt kategorinin adı.",
      options: "İçindekiler, örneğin dokümantasyon. Boş olabilir.",
      version:
        "Noktalarla ayrılmış üç sayı. Ürün, güncelleme önermek için kendi sürümüyle karşılaştırabilir.",
      demo_link: "Ürünün görülebileceği adres.",
      tags: "Boş olabilir.",
      media: "Resim, ses ve video adresleri. Alanları ürünün türüne bağlıdır.",
      "media.thumbnail": "Küçük resim.",
      "media.preview_audio": "Yalnızca ses ürünlerinde.",
      "media.screenshots": "Yoksa bulunmaz.",
      "media.preview_image": "Ses ürünleri dışında hepsinde.",
      "media.preview_video": "Yalnızca video ürünlerinde.",
      price: "Ürünün bugünkü fiyatı, `currency` cinsinden.",
      "price.regular": "Normal lisansın fiyatı.",
      "price.extended": "Genişletilmiş lisansın fiyatı.",
      currency: "`price` değerlerinin para birimi.",
      published_at: "İlk satışa çıktığı an, UTC.",
    },
    Purchase: {
      purchase_code: "Satıldığı biçimiyle; başka bir yazımla sorulmuş olsa da.",
      license_type:
        "Pazaryerinin kullandığı herhangi bir metin; çoğu zaman `Regular` ya da `Extended`.",
      price: "Alıcının ödediği tutar; bugünkü `item.price` değerinden farklı olabilir.",
      currency: "Ödenen `price` değerinin para birimi.",
      supported_until: "Desteğin bitişi, UTC. Destek yoksa bulunmaz.",
      downloaded: "Alıcının ürünü en az bir kez indirip indirmediği.",
      date: "Satın alındığı an, UTC.",
      item: "Ürünün bugünkü hâli; yayında olmasa da.",
    },
  },
  headers: {
    "Request-Id": "Bu yanıtın pazaryerinin günlüğündeki adı.",
    "Pazar-Reason": "Nedeni, hiç çevrilmeyen bir sabit olarak:",
    "Content-Language": "`status` ve `msg` dili.",
    "Cache-Control": "Yanıtı kimin, ne kadar saklayabileceği.",
    "X-Content-Type-Options": "Her zaman `nosniff`.",
    "WWW-Authenticate": "Anahtarın nasıl gönderileceği.",
    "Retry-After": "Sonraki denemeden önce beklenecek saniye.",
    "RateLimit-Policy":
      "Bir hız sınırı: adı, aynı anda `q` istek ve hepsinin geri geldiği `w` saniye. Sınırlar açıksa.",
    RateLimit: "Kalan `r` istek ve hepsi geri gelene kadar `t` saniye. Sınırlar açıksa.",
    Vary: "Bu yanıtın bağlı olduğu istek başlıkları.",
    ETag: "Bu yanıtın güçlü doğrulayıcısı, `If-None-Match` için.",
    Allow: "Bu yolun yöntemleri.",
    "Access-Control-Allow-Origin":
      "Her sitenin web sayfası yanıtı okuyabilir. Sunucuda durması gereken anahtarlara verilen yanıtlarda yoktur.",
    "Access-Control-Expose-Headers": "Böyle bir sayfanın okuyabileceği başlıklar.",
    "Unencoded-Digest":
      "Gövdenin sıkıştırılmadan önceki özeti. Yalnızca imzalı yanıtlarda bulunur.",
    "Pazar-Question":
      "Anahtarın, bir satır sonu karakterinin ve `purchase_code` değerinin özeti; `site` gönderildiyse ardından bir satır sonu karakteri ve `site` gelir. Her biri gönderildiği biçimiyledir. Yalnızca imzalı yanıtlarda bulunur.",
    "Signature-Input":
      "Neyin, ne zaman, ne zamana kadar ve hangi anahtarla imzalandığı; RFC 9421 biçiminde.",
    Signature:
      "RFC 9421 biçiminde Ed25519 imzası. Açık anahtarlar `/.well-known/pazar-keys.json` adresindedir.",
  },
}
