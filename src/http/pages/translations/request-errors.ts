import type { Failure } from "../../../domain/values/error.ts"

/** Why a request failed, and what the author can do. */
type Explanation = Readonly<{ what: string; todo: string }>
type Explanations = Readonly<Record<Failure, Explanation>>

type RequestErrors = Readonly<{
  errors: Explanations
  /** Valid codes are never rate limited. */
  validationErrors: Partial<Explanations>
  /** Error codes with another meaning for releases. None of them says whether the purchase is valid. */
  releaseErrors: Partial<Explanations>
}>

const en: RequestErrors = {
  errors: {
    unknown_code: {
      what: "Unknown code",
      todo: "Expected: no purchase of your items has this code. Ask the buyer to copy it again.",
    },
    revoked_code: {
      what: "Refunded code",
      todo: "Expected: the purchase was refunded or charged back. No action is needed.",
    },
    expired_code: {
      what: "Expired code",
      todo: "Expected: the subscription ended. The code is valid again when the buyer renews it.",
    },
    no_download: {
      what: "No download",
      todo: "The marketplace has no file for this item. Ask it to add a download URL.",
    },
    site_limit: {
      what: "Site limit reached",
      todo: "Release one of its sites under Check a code, or raise the site limit on the item’s page.",
    },
    revoked_key: {
      what: "Revoked key",
      todo: "If the requests are yours, replace the key with a valid one.",
    },
    expired_key: {
      what: "Expired key",
      todo: "If the requests are yours, replace the key with the rotated or a new one.",
    },
    account_suspended: {
      what: "Your account is suspended",
      todo: "Contact your marketplace.",
    },
    key_not_allowed: {
      what: "Key not allowed",
      todo: "A validation key can only validate purchases, release sites and create download links. Use a secret key, on your server.",
    },
    missing_parameter: {
      what: "Missing parameter",
      todo: "Compare the request with the sample in the docs. A common cause is an empty code field.",
    },
    invalid_parameter: {
      what: "Invalid parameter",
      todo: "Compare the request with the sample in the docs. A code has at most 255 characters.",
    },
    no_items: { what: "No published items", todo: "Publish an item, or ignore this error." },
    unknown_item: {
      what: "Unknown item",
      todo: "Check the item ID. The item may be hidden or belong to another author.",
    },
    rate_limited: {
      what: "Rate limit exceeded",
      todo: "Wait for Retry-After seconds and send fewer requests. Cache valid responses for a day.",
    },
    unavailable: {
      what: "Service unavailable",
      todo: "The server had a temporary error. Retry, and keep the last result until then.",
    },
    missing_key: { what: "Missing key", todo: "Send the key with every request." },
    unknown_key: { what: "Unknown key", todo: "Check that the key was copied completely." },
    unknown_path: { what: "Unknown path", todo: "Compare the path with the docs." },
    method_not_allowed: {
      what: "Method not allowed",
      todo: "Compare the request with the docs.",
    },
    too_large: { what: "Request too large", todo: "Send a shorter body." },
  },
  validationErrors: {
    rate_limited: {
      what: "Too many invalid codes or keys",
      todo: "This IP address sent many invalid codes with this key, or its IP range sent invalid keys. Wait for Retry-After seconds and find the sender.",
    },
  },
  releaseErrors: {
    unknown_code: {
      what: "Unknown site or code",
      todo: "The code is not active on this site, or no purchase of your items has it: see Check a code. Do not lock the product.",
    },
    rate_limited: {
      what: "Too many releases or invalid codes",
      todo: "Wait for Retry-After seconds. A product can release sites of a purchase five times in 30 days, and not for some seconds after many invalid codes. You can always release sites under Check a code.",
    },
  },
}

const tr: RequestErrors = {
  errors: {
    unknown_code: {
      what: "Bilinmeyen kod",
      todo: "Beklenen sonuç: ürünlerinizin hiçbir satışında bu kod yok. Alıcıdan kodu yeniden kopyalamasını isteyin.",
    },
    revoked_code: {
      what: "İade edilmiş kod",
      todo: "Beklenen sonuç: satış iade ya da ters ibraz edildi. Bir şey yapmanız gerekmez.",
    },
    expired_code: {
      what: "Süresi dolmuş kod",
      todo: "Beklenen sonuç: abonelik sona erdi. Alıcı yenilediğinde kod yeniden geçerli olur.",
    },
    no_download: {
      what: "İndirme yok",
      todo: "Pazaryerinde bu ürünün dosyası yok. İndirme URL’si eklemesini isteyin.",
    },
    site_limit: {
      what: "Site sınırı doldu",
      todo: "Kod sorgula sayfasında sitelerinden birini bırakın ya da ürünün sayfasında site sınırını yükseltin.",
    },
    revoked_key: {
      what: "İptal edilmiş anahtar",
      todo: "İstekleri siz gönderiyorsanız geçerli bir anahtar kullanın.",
    },
    expired_key: {
      what: "Süresi dolmuş anahtar",
      todo: "İstekleri siz gönderiyorsanız yenilenen anahtarı ya da yeni bir anahtarı kullanın.",
    },
    account_suspended: { what: "Hesabınız askıda", todo: "Pazaryerinize başvurun." },
    key_not_allowed: {
      what: "Anahtarın yetkisi yok",
      todo: "Doğrulama anahtarı yalnızca satın alma doğrular, site bırakır ve indirme bağlantısı oluşturur. Sunucunuzda bir gizli anahtar kullanın.",
    },
    missing_parameter: {
      what: "Eksik parametre",
      todo: "İsteği dokümantasyondaki örnekle karşılaştırın. Sık görülen neden, boş bırakılan kod alanıdır.",
    },
    invalid_parameter: {
      what: "Geçersiz parametre",
      todo: "İsteği dokümantasyondaki örnekle karşılaştırın. Bir kod en çok 255 karakterdir.",
    },
    no_items: { what: "Yayında ürün yok", todo: "Bir ürün yayımlayın ya da bu hatayı yok sayın." },
    unknown_item: {
      what: "Bilinmeyen ürün",
      todo: "Ürün ID’sini kontrol edin. Ürün yayında olmayabilir ya da başka bir yazarın olabilir.",
    },
    rate_limited: {
      what: "İstek sınırı aşıldı",
      todo: "Retry-After saniye bekleyin ve daha az istek gönderin. Geçerli yanıtları bir gün önbellekte tutun.",
    },
    unavailable: {
      what: "Hizmet kullanılamıyor",
      todo: "Sunucuda geçici bir hata oluştu. Yeniden deneyin, o zamana kadar son sonucu koruyun.",
    },
    missing_key: { what: "Anahtar gönderilmedi", todo: "Her istekte anahtarı gönderin." },
    unknown_key: {
      what: "Bilinmeyen anahtar",
      todo: "Anahtarın eksiksiz kopyalandığını kontrol edin.",
    },
    unknown_path: { what: "Bilinmeyen yol", todo: "Yolu dokümantasyonla karşılaştırın." },
    method_not_allowed: {
      what: "Yanlış yöntem",
      todo: "İsteği dokümantasyonla karşılaştırın.",
    },
    too_large: { what: "İstek çok büyük", todo: "Daha kısa bir gövde gönderin." },
  },
  validationErrors: {
    rate_limited: {
      what: "Çok fazla geçersiz kod ya da anahtar",
      todo: "Bu IP adresi bu anahtarla çok sayıda geçersiz kod ya da IP aralığı geçersiz anahtarlar gönderdi. Retry-After saniye bekleyin ve göndereni bulun.",
    },
  },
  releaseErrors: {
    unknown_code: {
      what: "Bilinmeyen site ya da kod",
      todo: "Kod bu sitede etkin değil ya da ürünlerinizin hiçbir satışında yok; Kod sorgula sayfasına bakın. Ürünü kilitlemeyin.",
    },
    rate_limited: {
      what: "Çok fazla site bırakma ya da geçersiz kod",
      todo: "Retry-After saniye bekleyin. Bir ürün, bir satın almanın sitelerini 30 günde beş kez bırakabilir; çok sayıda geçersiz koddan sonra birkaç saniye bırakamaz. Siz Kod sorgula sayfasında her zaman bırakabilirsiniz.",
    },
  },
}

export const requestErrors = { en, tr }
