import type { PageTexts } from "./en.ts"
import { formatNumber } from "./plurals.ts"

const errors: PageTexts["log"]["errors"] = {
  unknown_code: {
    what: "Bilinmeyen kod",
    todo: "Beklenen sonuç: ürünlerinizin hiçbir satışında bu kod yok. Alıcıdan kodu yeniden kopyalamasını isteyin.",
  },
  revoked_code: {
    what: "İade edilmiş kod",
    todo: "Beklenen sonuç: satış iade ya da ters ibraz edildi. Bir şey yapmanız gerekmez.",
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
    todo: "Doğrulama anahtarı yalnızca satın alma doğrular ve site bırakır. Sunucunuzda bir gizli anahtar kullanın.",
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
}

const validationErrors: PageTexts["log"]["validationErrors"] = {
  rate_limited: {
    what: "Çok fazla geçersiz kod ya da anahtar",
    todo: "Bu IP adresi bu anahtarla çok sayıda geçersiz kod ya da IP aralığı geçersiz anahtarlar gönderdi. Retry-After saniye bekleyin ve göndereni bulun.",
  },
}

const releaseErrors: PageTexts["log"]["releaseErrors"] = {
  unknown_code: {
    what: "Bilinmeyen site ya da kod",
    todo: "Kod bu sitede etkin değil ya da ürünlerinizin hiçbir satışında yok; Kod sorgula sayfasına bakın. Ürünü kilitlemeyin.",
  },
  rate_limited: {
    what: "Çok fazla site bırakma ya da geçersiz kod",
    todo: "Retry-After saniye bekleyin. Bir ürün, bir satın almanın sitelerini 30 günde beş kez bırakabilir; çok sayıda geçersiz koddan sonra birkaç saniye bırakamaz. Siz Kod sorgula sayfasında her zaman bırakabilirsiniz.",
  },
}

export const log: PageTexts["log"] = {
  title: "Başarısız istekler",
  intro: "Son 7 gün, en çok 500 kayıt. Bir günün değerleri aynı olan istekleri tek kayıttır.",
  tabs: {
    all: "Tümü",
    codes: "Geçersiz kodlar",
    errors: "Hatalar",
    stopped: "Devre dışı anahtarlar",
  },
  choices: "Hata türü",
  allDays: "7 günün tümü",
  allKeys: "Tüm anahtarlar",
  allOperations: "Tüm işlemler",
  none: "Eşleşen başarısız istek yok.",
  expired: "Bu günün üzerinden 7 günden fazla geçti. Kayıtlar 7 gün saklanır.",
  when: "Zaman",
  first: "İlk istek",
  operation: "İşlem",
  keyAndOperation: "Anahtar, işlem",
  reason: "Hata ve ne yapmalı",
  since: (when) => `ilki ${when}`,
  severalIpRanges: "birden çok",
  noCode: "–",
  otherItem: {
    what: "Ürün, anahtarın kapsamında değil",
    todo: "Kod sizin ama bu anahtar o ürünü doğrulayamaz.",
  },
  masked: "Size ait olmayan kodlar maskelenir.",
  testKeys: "Test anahtarıyla gönderilen istekler yalnızca o anahtarı seçerseniz listelenir.",
  entries: (n) => `${formatNumber(n)} kayıt`,
  seeWhy: "Başarısız istekleri göster",
  errors,
  validationErrors,
  releaseErrors,
}

export const inactiveKeyRequests: PageTexts["inactiveKeyRequests"] = {
  title: "Hâlâ kim kullanıyor?",
  pill: "Hâlâ kullanılıyor",
  summary: (calls) =>
    `Bu anahtar devre dışı ama son 7 günde onunla ${formatNumber(calls)} istek gönderildi. Hepsi reddedildi.`,
  none: "Devre dışı kaldığından beri ya da son 7 günde bu anahtarla istek gönderilmedi.",
  attention: (name, calls) =>
    `“${name}” devre dışı ama hâlâ kullanılıyor: son 7 günde ${formatNumber(calls)} istek.`,
  see: "Kimin kullandığını göster",
}
