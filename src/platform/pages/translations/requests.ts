import type { Failure } from "../../error.ts"
import { count, filled, formatNumber, type Text, text } from "./text.ts"

/** Texts of the overview and its chart. */
export const overview = {
  title: text("Overview", "Genel bakış"),
  tiles: {
    requests: text("Requests", "İstekler"),
    successRate: text("Success rate", "Başarı oranı"),
    codes: text("Invalid codes", "Geçersiz kodlar"),
    errors: text("Errors", "Hatalar"),
    parts: filled<[client: string, server: string]>(
      "{client} client, {server} server",
      "{client} istemci, {server} sunucu",
    ),
    change: filled<[change: string, days: number]>(
      "{change} vs. {days day|days} before",
      "önceki {days} güne göre {change}",
    ),
    noneBefore: filled<[days: number]>(
      "none in the {days day|days} before",
      "önceki {days} günde yok",
    ),
  },
  start: {
    title: text("Get started", "Başlarken"),
    done: text("Done:", "Tamamlandı:"),
    create: {
      title: text("Create a key", "Bir anahtar oluşturun"),
      text: text(
        "Your code sends it with every request.",
        "Kodunuz her istekte bu anahtarı gönderir.",
      ),
      action: text("Create a key", "Anahtar oluştur"),
    },
    call: {
      title: text("Send a request", "Bir istek gönderin"),
      text: text(
        "Run the sample on the page of your new key, or one from the docs with your key.",
        "Yeni anahtarınızın sayfasındaki örneği ya da dokümantasyondaki bir örneği kendi anahtarınızla çalıştırın.",
      ),
      action: text("Open the docs", "Dokümantasyonu aç"),
    },
    ship: {
      title: text("Ship a validation key", "Ürününüze bir doğrulama anahtarı koyun"),
      text: text(
        "It can only validate purchases, release sites and create download links, so it is safe inside a product.",
        "Yalnızca satın almaları doğrular, site bırakır ve indirme bağlantısı oluşturur; ürününüzün içine güvenle konur.",
      ),
      action: text("Create a validation key", "Doğrulama anahtarı oluştur"),
    },
  },
  requests: text("Requests", "İstekler"),
  noRequests: text("No requests on these days.", "Bu günlerde istek yok."),
  chart: filled<[total: number, ok: number]>(
    "{total request|requests}, {ok} successful.",
    "{total} istek; {ok} tanesi başarılı.",
  ),
  groups: {
    ok: text("Successful", "Başarılı"),
    invalidCodes: text("Invalid codes", "Geçersiz kod"),
    clientErrors: text("Client errors", "İstemci hatası"),
    serverErrors: text("Server errors", "Sunucu hatası"),
  },
  day: text("Day", "Gün"),
  asTable: text("Show as a table", "Tablo olarak göster"),
  today: text("Today", "Bugün"),
  attention: text("Needs attention", "İlgilenmeniz gerekenler"),
  moreAttention: filled<[n: number]>("{n} more", "{n} tane daha"),
  shipped: filled<[name: string, ipRanges: number]>(
    "“{name}” looks shipped in a product: it was used from {ipRanges IP range|IP ranges} this week.",
    "“{name}” bir ürünün içinde kullanılıyor gibi görünüyor: bu hafta {ipRanges} IP aralığından kullanıldı.",
  ),
  expires: filled<[name: string, when: string]>(
    "“{name}” expires on {when}.",
    "“{name}” anahtarının süresi {when} tarihinde doluyor.",
  ),
  stillUsed: filled(
    "“{name}” was rotated, but the old key was used in the last 24 hours.",
    "“{name}” yenisiyle değiştirildi ama eski anahtar son 24 saat içinde kullanıldı.",
  ),
  seeKey: text("Open the key", "Anahtara git"),
  errorRise: filled<[rate: string, before: string]>(
    "Error rate since yesterday: {rate}; in the week before: {before}.",
    "Dünden beri hata oranı: {rate}; önceki hafta: {before}.",
  ),
  seeErrors: text("Show errors", "Hataları göster"),
  topErrors: text("Failed requests by error", "Hataya göre başarısız istekler"),
  allErrors: text("All failed requests", "Tüm başarısız istekler"),
  noErrors: text("No failed requests on these days.", "Bu günlerde başarısız istek yok."),
  busiestKeys: text("Busiest keys", "En yoğun anahtarlar"),
  asJson: text("API response", "API yanıtı"),
}

/** Why a request failed, and what the author can do. */
type Explanation = Readonly<{ what: Text<string>; todo: Text<string> }>
type Explanations = Readonly<Record<Failure, Explanation>>

type RequestErrors = Readonly<{
  errors: Explanations
  /** Valid codes are never rate limited. */
  validationErrors: Partial<Explanations>
  /** Error codes with another meaning for releases. None of them says whether the purchase is valid. */
  releaseErrors: Partial<Explanations>
}>

const requestErrors: RequestErrors = {
  errors: {
    unknown_code: {
      what: text("Unknown code", "Bilinmeyen kod"),
      todo: text(
        "Expected: no purchase of your items has this code. Ask the buyer to copy it again.",
        "Beklenen sonuç: ürünlerinizin hiçbir satışında bu kod yok. Alıcıdan kodu yeniden kopyalamasını isteyin.",
      ),
    },
    revoked_code: {
      what: text("Refunded code", "İade edilmiş kod"),
      todo: text(
        "Expected: the purchase was refunded or charged back. No action is needed.",
        "Beklenen sonuç: satış iade ya da ters ibraz edildi. Bir şey yapmanız gerekmez.",
      ),
    },
    expired_code: {
      what: text("Expired code", "Süresi dolmuş kod"),
      todo: text(
        "Expected: the subscription ended. The code is valid again when the buyer renews it.",
        "Beklenen sonuç: abonelik sona erdi. Alıcı yenilediğinde kod yeniden geçerli olur.",
      ),
    },
    no_download: {
      what: text("No download", "İndirme yok"),
      todo: text(
        "The marketplace has no file for this item. Ask it to add a download URL.",
        "Pazaryerinde bu ürünün dosyası yok. İndirme URL’si eklemesini isteyin.",
      ),
    },
    site_limit: {
      what: text("Site limit reached", "Site sınırı doldu"),
      todo: text(
        "Release one of its sites under Check a code, or raise the site limit on the item’s page.",
        "Kod sorgula sayfasında sitelerinden birini bırakın ya da ürünün sayfasında site sınırını yükseltin.",
      ),
    },
    revoked_key: {
      what: text("Revoked key", "İptal edilmiş anahtar"),
      todo: text(
        "If the requests are yours, replace the key with a valid one.",
        "İstekleri siz gönderiyorsanız geçerli bir anahtar kullanın.",
      ),
    },
    expired_key: {
      what: text("Expired key", "Süresi dolmuş anahtar"),
      todo: text(
        "If the requests are yours, replace the key with the rotated or a new one.",
        "İstekleri siz gönderiyorsanız yenilenen anahtarı ya da yeni bir anahtarı kullanın.",
      ),
    },
    account_suspended: {
      what: text("Your account is suspended", "Hesabınız askıda"),
      todo: text("Contact your marketplace.", "Pazaryerinize başvurun."),
    },
    key_not_allowed: {
      what: text("Key not allowed", "Anahtarın yetkisi yok"),
      todo: text(
        "A validation key can only validate purchases, release sites and create download links. Use a secret key, on your server, whose scope allows the operation. For a purchase: its item has moved to another author.",
        "Doğrulama anahtarı yalnızca satın alma doğrular, site bırakır ve indirme bağlantısı oluşturur. Sunucunuzda, kapsamı bu işleme izin veren bir gizli anahtar kullanın. Satın almalarda: ürün başka bir yazara taşınmıştır.",
      ),
    },
    missing_parameter: {
      what: text("Missing parameter", "Eksik parametre"),
      todo: text(
        "Compare the request with the sample in the docs. A common cause is an empty code field.",
        "İsteği dokümantasyondaki örnekle karşılaştırın. Sık görülen neden, boş bırakılan kod alanıdır.",
      ),
    },
    invalid_parameter: {
      what: text("Invalid parameter", "Geçersiz parametre"),
      todo: text(
        "Compare the request with the sample in the docs. A code has at most 255 characters.",
        "İsteği dokümantasyondaki örnekle karşılaştırın. Bir kod en çok 255 karakterdir.",
      ),
    },
    no_items: {
      what: text("No published items", "Yayında ürün yok"),
      todo: text(
        "Publish an item, or ignore this error.",
        "Bir ürün yayımlayın ya da bu hatayı yok sayın.",
      ),
    },
    unknown_item: {
      what: text("Unknown item", "Bilinmeyen ürün"),
      todo: text(
        "Check the item ID. The item may be hidden or belong to another author.",
        "Ürün ID’sini kontrol edin. Ürün yayında olmayabilir ya da başka bir yazarın olabilir.",
      ),
    },
    rate_limited: {
      what: text("Rate limit exceeded", "İstek sınırı aşıldı"),
      todo: text(
        "Wait for Retry-After seconds and send fewer requests. Cache valid responses for a day.",
        "Retry-After saniye bekleyin ve daha az istek gönderin. Geçerli yanıtları bir gün önbellekte tutun.",
      ),
    },
    unavailable: {
      what: text("Service unavailable", "Hizmet kullanılamıyor"),
      todo: text(
        "The server had a temporary error. Retry, and keep the last result until then.",
        "Sunucuda geçici bir hata oluştu. Yeniden deneyin, o zamana kadar son sonucu koruyun.",
      ),
    },
    missing_key: {
      what: text("Missing key", "Anahtar gönderilmedi"),
      todo: text("Send the key with every request.", "Her istekte anahtarı gönderin."),
    },
    unknown_key: {
      what: text("Unknown key", "Bilinmeyen anahtar"),
      todo: text(
        "Check that the key was copied completely.",
        "Anahtarın eksiksiz kopyalandığını kontrol edin.",
      ),
    },
    unknown_path: {
      what: text("Unknown path", "Bilinmeyen yol"),
      todo: text("Compare the path with the docs.", "Yolu dokümantasyonla karşılaştırın."),
    },
    method_not_allowed: {
      what: text("Method not allowed", "Yanlış yöntem"),
      todo: text("Compare the request with the docs.", "İsteği dokümantasyonla karşılaştırın."),
    },
    too_large: {
      what: text("Request too large", "İstek çok büyük"),
      todo: text("Send a shorter body.", "Daha kısa bir gövde gönderin."),
    },
  },
  validationErrors: {
    rate_limited: {
      what: text(
        "Too many invalid codes, keys or sites",
        "Çok fazla geçersiz kod, anahtar ya da site",
      ),
      todo: text(
        "This IP address sent many invalid codes with this key, its IP range sent invalid keys, or the purchase was rejected on 20 sites within a day. Wait for Retry-After seconds and find the sender.",
        "Bu IP adresi bu anahtarla çok sayıda geçersiz kod gönderdi, IP aralığı geçersiz anahtarlar gönderdi ya da satın alma bir günde 20 sitede reddedildi. Retry-After saniye bekleyin ve göndereni bulun.",
      ),
    },
  },
  releaseErrors: {
    unknown_code: {
      what: text("Unknown site or code", "Bilinmeyen site ya da kod"),
      todo: text(
        "The code is not active on this site, or no purchase of your items has it: see Check a code. Do not lock the product.",
        "Kod bu sitede etkin değil ya da ürünlerinizin hiçbir satışında yok; Kod sorgula sayfasına bakın. Ürünü kilitlemeyin.",
      ),
    },
    rate_limited: {
      what: text("Too many releases or invalid codes", "Çok fazla site bırakma ya da geçersiz kod"),
      todo: text(
        "Wait for Retry-After seconds. An IP range can release sites of a purchase five times in 30 days, and not for some seconds after many invalid codes. You can always release sites under Check a code.",
        "Retry-After saniye bekleyin. Bir IP aralığı, bir satın almanın sitelerini 30 günde beş kez bırakabilir; çok sayıda geçersiz koddan sonra birkaç saniye bırakamaz. Siz Kod sorgula sayfasında her zaman bırakabilirsiniz.",
      ),
    },
  },
}

export const log = {
  title: text("Failed requests", "Başarısız istekler"),
  tabs: {
    all: text("All", "Tümü"),
    codes: text("Invalid codes", "Geçersiz kodlar"),
    errors: text("Errors", "Hatalar"),
  },
  choices: text("Type of failure", "Hata türü"),
  allKeys: text("All except test keys", "Test anahtarları dışında tümü"),
  allErrors: text("All errors", "Tüm hatalar"),
  allIpRanges: text("All IP ranges", "Tüm IP aralıkları"),
  none: text("No failed requests match.", "Eşleşen başarısız istek yok."),
  search: text("Code, key or IP range", "Kod, anahtar veya IP aralığı"),
  share: text("Share", "Pay"),
  keys: text("Keys", "Anahtar"),
  todo: text("What to do", "Ne yapmalı"),
  first: text("First request", "İlk istek"),
  operation: text("Operation", "İşlem"),
  severalIpRanges: text("several", "birden çok"),
  otherItem: {
    what: text("Item outside the key’s scope", "Ürün, anahtarın kapsamında değil"),
    todo: text(
      "The code is yours, but this key cannot validate its item.",
      "Kod sizin ama bu anahtar o ürünü doğrulayamaz.",
    ),
  },
  listed: text(
    (calls: number, listed: number) =>
      `${count(calls, "failed request", "failed requests")}${listed >= calls ? "." : `; ${listed.toLocaleString("en")} of them are listed. The log keeps 7 days and 500 entries.`} Codes of other authors are masked.`,
    (calls, listed) =>
      `${formatNumber(calls)} başarısız istek${listed >= calls ? "." : `; ${formatNumber(listed)} tanesi listeleniyor. Kayıtlar 7 gün ve 500 satırla sınırlıdır.`} Başka yazarların kodları maskelenir.`,
  ),
  seeWhy: text("Show failed requests", "Başarısız istekleri göster"),
  ...requestErrors,
}
