import type { PageTexts } from "./en.ts"
import { formatNumber } from "./plurals.ts"

const reasons: PageTexts["log"]["reasons"] = {
  unknown_code: {
    what: "Böyle bir kod yok",
    todo: "Yanıt doğru: hiçbir ürününüz bu kodla satılmadı. Alıcıdan kodu yeniden kopyalamasını isteyin.",
  },
  revoked_code: {
    what: "İade edilmiş kod",
    todo: "Yanıt doğru: satış iade ya da ters ibraz edildi. Bir şey yapmanız gerekmez.",
  },
  site_limit: {
    what: "Kod çok fazla sitede kullanılıyor",
    todo: "Kod sorgula sayfasında sitelerinden birini bırakın ya da ürünün sayfasında daha çok siteye izin verin.",
  },
  revoked_key: {
    what: "Anahtar iptal edilmiş",
    todo: "İsteği siz gönderiyorsanız yerine çalışan bir anahtar koyun.",
  },
  expired_key: {
    what: "Anahtar artık çalışmıyor",
    todo: "İsteği siz gönderiyorsanız yerine yenisini koyun.",
  },
  account_suspended: { what: "Hesabınız askıya alınmış", todo: "Pazaryerinize sorun." },
  key_not_allowed: {
    what: "Anahtarın buna yetkisi yok",
    todo: "Doğrulama anahtarı yalnızca kod doğrular ve site bırakır. Sunucunuzda bir gizli anahtar kullanın.",
  },
  missing_parameter: {
    what: "İstekte eksik var",
    todo: "İsteği dokümantasyondaki örnekle karşılaştırın. Boş bırakılan kod alanı sık görülen bir nedendir.",
  },
  invalid_parameter: {
    what: "İstekte geçersiz bir değer var",
    todo: "İsteği dokümantasyondaki örnekle karşılaştırın. Bir kod en çok 255 karakterdir.",
  },
  no_items: { what: "Yayında ürün yok", todo: "Bir ürün yayımlayın ya da bunu göz ardı edin." },
  unknown_item: {
    what: "Böyle bir ürün yok",
    todo: "Ürünün ID’sini kontrol edin. Ürün yayında olmayabilir ya da başka bir yazarın olabilir.",
  },
  rate_limited: {
    what: "Çok sık istek gönderildi",
    todo: "Retry-After süresi kadar bekleyin ve daha seyrek sorun. Geçerli bir yanıtı bir gün saklayın.",
  },
  unavailable: {
    what: "Hizmet yanıt veremedi",
    todo: "Hata bizden kaynaklandı. Yeniden deneyin, o zamana kadar son yanıtı koruyun.",
  },
  missing_key: { what: "Anahtar gönderilmedi", todo: "Her istekte anahtarı gönderin." },
  unknown_key: {
    what: "Bilinmeyen anahtar",
    todo: "Anahtarın eksiksiz kopyalandığını kontrol edin.",
  },
  unknown_path: {
    what: "Böyle bir adres yok",
    todo: "Adresi dokümantasyonla karşılaştırın.",
  },
  method_not_allowed: {
    what: "Yanlış yöntem",
    todo: "İsteği dokümantasyonla karşılaştırın.",
  },
  too_large: { what: "İstek çok uzun", todo: "Daha kısa bir istek gönderin." },
}

const validationReasons: PageTexts["log"]["validationReasons"] = {
  rate_limited: {
    what: "Çok fazla yanlış kod ya da anahtar gönderildi",
    todo: "Bu adresten bu anahtarla çok sayıda yanlış kod ya da aynı ağdan yanlış anahtarlar geldi. Retry-After süresi kadar bekleyin ve bunları neyin gönderdiğini bulun.",
  },
}

const releaseReasons: PageTexts["log"]["releaseReasons"] = {
  unknown_code: {
    what: "Böyle bir site ya da kod yok",
    todo: "Kod bu sitede kullanılmıyor ya da hiçbir ürününüz bu kodla satılmadı. Hangisi olduğunu Kod sorgula sayfası gösterir. Bu yanıt yüzünden ürünü kilitlemeyin.",
  },
  rate_limited: {
    what: "Çok sık site bırakıldı ya da çok fazla yanlış kod gönderildi",
    todo: "Retry-After süresi kadar bekleyin. Bir ürün, bir satın almanın sitelerini 30 günde beş kez bırakabilir; çok sayıda yanlış koddan sonra birkaç saniye hiç bırakamaz. Siz Kod sorgula sayfasında her zaman bırakabilirsiniz.",
  },
}

export const log: PageTexts["log"] = {
  title: "İstekler neden başarısız oldu?",
  intro:
    "Son 7 günün başarısız istekleri, en çok 500 kayıt. Bir günün burada aynı görünen istekleri tek kayıttır.",
  tabs: {
    all: "Tüm başarısız istekler",
    codes: "Geçersiz kodlar",
    errors: "Hatalar",
    stopped: "Artık çalışmayan anahtarlar",
  },
  choices: "Neler listelensin?",
  everyDay: "7 günün tümü",
  everyKey: "Tüm anahtarlar",
  everyCall: "Tüm işlemler",
  none: "Burada başarısız istek yok.",
  old: "Bu günün üzerinden 7 günden fazla geçti. Kayıtlar 7 gün saklanır.",
  when: "Ne zaman",
  first: "İlk istek",
  call: "İşlem",
  keyAndCall: "Anahtar ve işlem",
  reason: "Nedeni ve yapılacak iş",
  since: (when) => `ilki ${when}`,
  several: "birden çok, ayrı yazılmadı",
  noCode: "–",
  otherItem: {
    what: "Bu anahtarın ürünü değil",
    todo: "Kod sizin, ama bu anahtar onun ürününü doğrulayamaz.",
  },
  masked: "Sizin olmayan bir kodun yalnızca bir bölümü gösterilir.",
  testKeys:
    "Bir test anahtarıyla yapılan başarısız istekler yalnızca o anahtarı seçerseniz listelenir.",
  entries: (n) => `${formatNumber(n)} kayıt`,
  seeWhy: "İsteklerin neden başarısız olduğunu göster",
  reasons,
  validationReasons,
  releaseReasons,
}

export const inactiveKeyRequests: PageTexts["stillCalled"] = {
  title: "Hâlâ kim kullanıyor?",
  pill: "Hâlâ istek alıyor",
  summary: (calls) =>
    `Bu anahtar artık çalışmıyor ama son 7 günde onunla ${formatNumber(calls)} istek geldi. Hepsi reddedildi.`,
  none: "Durdurulduğundan beri ya da son 7 günde onunla istek gelmedi.",
  attention: (name, calls) =>
    `“${name}” artık çalışmıyor ama hâlâ istek alıyor: son 7 günde ${formatNumber(calls)} istek.`,
  see: "Kimin kullandığını göster",
}
