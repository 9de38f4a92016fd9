import type { PageTexts } from "./en.ts"
import { formatNumber } from "./plurals.ts"

export const overview: PageTexts["overview"] = {
  title: "Genel bakış",
  figures: {
    today: "Bugünkü istekler (UTC)",
    todayNote: (n) => `son 30 günde ${formatNumber(n)}`,
    valid: "Geçerli kodlar",
    codesNote: "bilinmeyen, iade edilmiş ya da site sınırını aşan; son 7 gün",
    errorsNote: "geçerli anahtarlarla diğer başarısız istekler, son 7 gün",
    stopped: "Devre dışı anahtarlarla istek",
    stoppedNote: "anahtar iptal edilmiş, süresi dolmuş ya da hesap askıda; son 7 gün",
    week: "başarılı doğrulama, son 7 gün",
    keys: "Geçerli anahtarlar",
    keysNote: (validation, test) =>
      `${formatNumber(validation)} tanesi ürüne konabilir, ${formatNumber(test)} tanesi test`,
  },
  start: {
    title: "Başlarken",
    done: "Tamamlandı:",
    create: {
      title: "Bir anahtar oluşturun",
      text: "Kodunuz her istekte bu anahtarı gönderir.",
      action: "Anahtar oluştur",
    },
    call: {
      title: "Bir istek gönderin",
      text: "Yeni anahtarınızın sayfasındaki örneği ya da dokümantasyondaki bir örneği kendi anahtarınızla çalıştırın.",
      action: "Dokümantasyonu aç",
    },
    ship: {
      title: "Ürününüze bir doğrulama anahtarı koyun",
      text: "Yalnızca satın almaları doğrular ve site bırakır; ürününüzün içine güvenle konur.",
      action: "Doğrulama anahtarı oluştur",
    },
  },
  requests: "İstekler",
  noRequests: "Bu günlerde istek yok.",
  chart: (total, ok) => `${formatNumber(total)} istek; ${formatNumber(ok)} tanesi başarılı.`,
  groups: { ok: "Başarılı", rejected: "Geçersiz kod", failed: "Hata" },
  day: "Gün",
  asTable: "Tablo olarak göster",
  countedRequests:
    "Geçersiz kod: bilinmeyen kodlar ve siteler, iade edilmiş kodlar ve site sınırını aşan kodlar. Hata: diğer tüm başarısız istekler. Son 7 günün sütunları o günün başarısız isteklerini açar. Test anahtarlarıyla ve devre dışı anahtarlarla gönderilen istekler sayılmaz.",
  testRequests: "Genel bakış, test anahtarlarıyla gönderilen istekleri saymaz.",
  today: "Bugün",
  attention: "İlgilenmeniz gerekenler",
  moreAttention: (n) => `${formatNumber(n)} tane daha`,
  shipped: (name, ipRanges) =>
    `“${name}” bir ürünün içinde kullanılıyor gibi görünüyor: bu hafta ${formatNumber(ipRanges)} IP aralığından kullanıldı.`,
  expires: (name, when) => `“${name}” anahtarının süresi ${when} tarihinde doluyor.`,
  stillUsed: (name) =>
    `“${name}” yenisiyle değiştirildi ama eski anahtar son 24 saat içinde kullanıldı.`,
  seeKey: "Anahtara git",
  account: "Hesabınız",
  balance: "Bakiye",
  registered: "Üyelik başlangıcı",
  itemCount: (visible, hidden) =>
    hidden === 0
      ? `${formatNumber(visible)} yayında`
      : `${formatNumber(visible)} yayında, ${formatNumber(hidden)} yayında değil`,
  asJson: "API yanıtı",
}
