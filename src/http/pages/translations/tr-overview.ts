import type { PageTexts } from "./en.ts"
import { formatNumber } from "./plurals.ts"

export const overview: PageTexts["overview"] = {
  title: "Genel bakış",
  figures: {
    today: "Bugünkü istekler (UTC)",
    todayNote: (n) => `son 30 günde ${formatNumber(n)}`,
    valid: "Geçerli kodlar",
    codesNote: "bulunamayan, iade edilen ya da çok fazla sitede olan kodlarla istek; son 7 gün",
    errorsNote: "çalışan anahtarlarla yapılan diğer başarısız istekler, son 7 gün",
    stopped: "Durdurulan anahtarlarla istek",
    stoppedNote: "anahtar durdurulmuş, süresi dolmuş ya da hesap askıya alınmış; son 7 gün",
    week: "son 7 günde başarılı doğrulama",
    keys: "Çalışan anahtarlar",
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
      text: "Yeni anahtarınızın sayfasındaki isteği çalıştırın ya da dokümantasyondaki bir örneği kendi anahtarınızla gönderin.",
      action: "Dokümantasyonu aç",
    },
    ship: {
      title: "Ürününüze bir doğrulama anahtarı koyun",
      text: "Yalnızca satın almaları doğrular ve sitelerini bırakır; ürününüzün içine güvenle konur.",
      action: "Doğrulama anahtarı oluştur",
    },
  },
  calls: "İstekler",
  noneThen: "Bu günlerde istek yok.",
  chart: (total, ok) => `${formatNumber(total)} istek; ${formatNumber(ok)} tanesi başarılı.`,
  groups: { ok: "Başarılı", refused: "Geçersiz kod", failed: "Hata" },
  day: "Gün",
  asTable: "Tablo olarak göster",
  countedCalls:
    "Geçersiz kod: bulunamayan kodlar ve siteler, iade edilmiş kodlar ve çok fazla sitede kullanılan kodlar. Hata: diğer tüm başarısız istekler. Son 7 günün sütunları o günün başarısız isteklerini açar. Test anahtarlarıyla ve artık çalışmayan anahtarlarla yapılan istekler sayılmaz.",
  testCalls: "Genel bakış, test anahtarlarıyla yapılan istekleri saymaz.",
  soFar: "Bugün",
  attention: "İlgilenmeniz gerekenler",
  moreAttention: (n) => `${formatNumber(n)} tane daha`,
  shipped: (name, ipRanges) =>
    `“${name}” bir ürünün içinde kullanılıyor gibi görünüyor: bu hafta ${formatNumber(ipRanges)} ağdan kullanıldı.`,
  expires: (name, when) => `“${name}” anahtarının süresi ${when} tarihinde doluyor.`,
  stillUsed: (name) =>
    `“${name}” yenisiyle değiştirildi ama eski anahtar bundan sonra da, son 24 saat içinde istek aldı.`,
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
