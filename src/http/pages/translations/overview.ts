import { count, filled, formatNumber, text } from "./text.ts"

/** Texts of the overview and its chart. */
export const overview = {
  title: text("Overview", "Genel bakış"),
  tiles: {
    requests: text("Requests", "İstekler"),
    successRate: text("Success rate", "Başarı oranı"),
    codes: text("Invalid codes", "Geçersiz kodlar"),
    errors: text("Errors", "Hatalar"),
    parts: text(
      (client: string, server: string) => `${client} client, ${server} server`,
      (client, server) => `${client} istemci, ${server} sunucu`,
    ),
    change: text(
      (change: string, days: number) => `${change} vs. ${count(days, "day", "days")} before`,
      (change, days) => `önceki ${formatNumber(days)} güne göre ${change}`,
    ),
    noneBefore: text(
      (days: number) => `none in the ${count(days, "day", "days")} before`,
      (days) => `önceki ${formatNumber(days)} günde yok`,
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
        "Yalnızca satın almaları doğrular ve site bırakır; ürününüzün içine güvenle konur.",
      ),
      action: text("Create a validation key", "Doğrulama anahtarı oluştur"),
    },
  },
  requests: text("Requests", "İstekler"),
  noRequests: text("No requests on these days.", "Bu günlerde istek yok."),
  chart: text(
    (total: number, ok: number) =>
      `${count(total, "request", "requests")}, ${ok.toLocaleString("en")} successful.`,
    (total, ok) => `${formatNumber(total)} istek; ${formatNumber(ok)} tanesi başarılı.`,
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
  moreAttention: text(
    (n: number) => `${n.toLocaleString("en")} more`,
    (n) => `${formatNumber(n)} tane daha`,
  ),
  shipped: text(
    (name: string, ipRanges: number) =>
      `“${name}” looks shipped in a product: it was used from ${count(ipRanges, "IP range", "IP ranges")} this week.`,
    (name, ipRanges) =>
      `“${name}” bir ürünün içinde kullanılıyor gibi görünüyor: bu hafta ${formatNumber(ipRanges)} IP aralığından kullanıldı.`,
  ),
  expires: text(
    (name: string, when: string) => `“${name}” expires on ${when}.`,
    (name, when) => `“${name}” anahtarının süresi ${when} tarihinde doluyor.`,
  ),
  stillUsed: filled(
    "“{name}” was rotated, but the old key was used in the last 24 hours.",
    "“{name}” yenisiyle değiştirildi ama eski anahtar son 24 saat içinde kullanıldı.",
  ),
  seeKey: text("Open the key", "Anahtara git"),
  errorRise: text(
    (rate: string, before: string) =>
      `Error rate since yesterday: ${rate}; in the week before: ${before}.`,
    (rate, before) => `Dünden beri hata oranı: ${rate}; önceki hafta: ${before}.`,
  ),
  seeErrors: text("Show errors", "Hataları göster"),
  topErrors: text("Failed requests by error", "Hataya göre başarısız istekler"),
  allErrors: text("All failed requests", "Tüm başarısız istekler"),
  noErrors: text("No failed requests on these days.", "Bu günlerde başarısız istek yok."),
  busiestKeys: text("Busiest keys", "En yoğun anahtarlar"),
  asJson: text("API response", "API yanıtı"),
}
