import { number } from "./counting.ts"
import type { Words } from "./en.ts"

export const overview: Words["overview"] = {
  title: "Genel bakış",
  figures: {
    today: "Bugünkü istekler",
    todayNote: (n) => `son 30 günde ${number(n)}`,
    success: "Başarı oranı",
    successNote: (rejected, errors) => `${number(rejected)} reddedilen, ${number(errors)} hata`,
    codes: "Sorgulanan kodlar",
    codesNote: "son 30 günde",
    keys: "Etkin anahtarlar",
    keysNote: (n) => `${number(n)} tanesi üründe dağıtılabilir`,
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
      text: "Dokümantasyondan bir örnek alın, anahtarınızı yazıp çalıştırın.",
      action: "Dokümantasyonu aç",
    },
    ship: {
      title: "Bir doğrulama anahtarı dağıtın",
      text: "Yalnızca satın almaları doğrular; ürününüzün içinde güvendedir.",
      action: "Doğrulama anahtarı oluştur",
    },
  },
  calls: "Son 30 günün istekleri",
  noCalls: "Henüz istek yok. Bir anahtar oluşturup ilk isteği gönderin.",
  chart: (total, ok) => `Son 30 günde ${number(total)} istek; ${number(ok)} tanesi başarılı.`,
  ok: "Başarılı",
  refused: "Reddedilen",
  failed: "Hata",
  day: "Gün",
  asTable: "Tablo olarak göster",
  countedCalls: "Gün 00.00 UTC'de başlar. Test anahtarlarıyla yapılan istekler sayılmaz.",
  attention: "İlgilenmeniz gerekenler",
  moreAttention: (n) => `${number(n)} tane daha`,
  shipped: (name) =>
    `“${name}” bir ürünün içinde dağıtılmış görünüyor: bu hafta pek çok ağdan kullanıldı.`,
  makeValidation: "Bunun yerine doğrulama anahtarı oluştur",
  expires: (name, when) => `“${name}” anahtarının süresi ${when} tarihinde doluyor.`,
  stillUsed: (name, n) => `“${name}” değiştirildi, ama son 24 saatte hâlâ ${number(n)} istek aldı.`,
  seeKey: "Anahtara git",
  account: "Hesabınız",
  balance: "Bakiye",
  registered: "Üyelik başlangıcı",
  items: "Ürünler",
  itemCount: (visible, hidden) =>
    hidden === 0
      ? `${number(visible)} görünür`
      : `${number(visible)} görünür, ${number(hidden)} gizli`,
  asJson: "API'nin döndürdüğü",
}
