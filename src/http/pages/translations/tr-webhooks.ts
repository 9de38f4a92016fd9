import type { PageTexts } from "./en.ts"
import { formatNumber } from "./plurals.ts"

/** What the sender says in English; anything else is a name of the system, as ECONNREFUSED. */
const problems: Readonly<Record<string, string>> = {
  "no answer within 10 s": "10 saniye içinde yanıt gelmedi",
  "the connection was closed without an answer": "bağlantı yanıt gelmeden kapandı",
  "the answer is not HTTP": "yanıt HTTP değil",
  "the server stopped": "sunucu durduruldu",
  "the URL must begin with https://": "URL https:// ile başlamalı",
  "the host does not resolve to an allowed address":
    "sunucu adı çözümlenemedi ya da izin verilmeyen bir adrese gidiyor",
}

export const webhooks: PageTexts["webhooks"] = {
  title: "Webhook'lar",
  intro:
    "Satış, iade veya sızan anahtar gibi olaylarda sunucunuza bildirim gönderilir. Her olay, aşağıdaki adreslerden onu seçmiş olanlara gider.",
  introOperator:
    "Mağazanın kendi sunucusu; bütün yazarların olaylarını, davetleri, başarısız içe aktarmaları ve geciken veritabanı çekmelerini öğrenir.",
  docs: "Olaylar ve doğrulanmaları",
  none: "Henüz webhook yok. Hiçbir şey gönderilmiyor.",
  add: "Webhook ekle",
  urlHint: "https:// ile başlamalı ve internetten erişilebilir olmalıdır.",
  events: "Olaylar",
  eventsHint: "Seçim yapmazsanız yeni çıkacaklar dahil hepsi gönderilir.",
  allEvents: "Bütün olaylar",
  enabled: "Açık",
  disabled: "Kapalı",
  failing: "Başarısız",
  pending: "Bekleyen",
  created: "Eklenme",
  failingSince: (when) =>
    `${when} tarihinden beri bu adres hiçbir iletiyi kabul etmedi. Denemeler beş gün boyunca başarısız olursa kapatılır.`,
  reasons: {
    owner: "Elle kapatıldı. Bekleyenler, açtığınızda gönderilir; bu sırada olanlar bildirilmez.",
    gone: "Adres 410 yanıtını verdiği için kapatıldı. Adresi kontrol edip yeniden açın.",
    failing:
      "Denemeler beş gün boyunca başarısız olduğu için kapatıldı. Bu adresteki sunucuyu düzeltip yeniden açın: bekleyenler gönderilir.",
    full: "Çok fazla ileti beklediği için kapatıldı (1.000.000 ya da bir saatlik başarısız denemeden sonra 100.000). Bu adresteki sunucuyu düzeltip yeniden açın: bekleyen iletiler artık gönderilmez.",
  },
  attention: (address) => `${address} webhook'u kapatıldı: ona hiçbir şey gönderilmiyor.`,
  see: "Nedenini gör",
  urlProblems: {
    protocol: "Adres https:// ile başlamalı.",
    length: "Adres fazla uzun.",
    password: "Adrese kullanıcı adı ve parola yazmayın.",
    network: "Bu adrese internetten ulaşılamıyor.",
  },
  tooMany: (max) => `Zaten ${formatNumber(max)} webhook var. Önce birini silin.`,
  unknownEvent: "Böyle bir olay yok. Listeden seçin.",
  /** After a change, by its name. */
  done: {
    made: "Webhook eklendi. İmza anahtarını sunucunuza yazın, sonra bir deneme olayı gönderin.",
    changed: "Webhook değiştirildi.",
    replaced: "İmza anahtarı değiştirildi. Yenisini bir gün içinde sunucunuza yazın.",
    turnedOn: "Webhook açık.",
    turnedOff: "Webhook kapalı. Bekleyenler saklanır; bu sırada olanlar bildirilmez.",
    removed: "Webhook silindi.",
    tested: "Deneme olayı yola çıktı. Yanıtı görmek için sayfayı yeniden yükleyin.",
    resent: "İleti aynı ID ile yeniden yola çıktı.",
  },
  edit: "Değiştir",
  editTitle: "Webhook'u değiştir",
  secret: "İmza anahtarı",
  secretHint: "Sunucunuz, bir iletinin buradan geldiğini bununla doğrular.",
  reveal: "Göster",
  hide: "Gizle",
  revealTitle: "İmza anahtarı gösterilsin mi?",
  revealText: "İmza anahtarını göstermek için parolanız istenir.",
  rotate: "İmza anahtarını değiştir",
  rotateTitle: "İmza anahtarı değiştirilsin mi?",
  rotateText:
    "Yeni bir imza anahtarı alırsınız. Sunucunuz geçiş yapabilsin diye iletiler bir gün boyunca ya da yeniden değiştirene kadar ikisiyle de imzalanır. Sonra eskisi işe yaramaz.",
  bothUntil: (when) => `İletiler ${when} tarihine kadar önceki imza anahtarıyla da imzalanır.`,
  enable: "Yeniden aç",
  disable: "Kapat",
  remove: "Sil",
  removeTitle: "Webhook silinsin mi?",
  removeText: (address, waiting) =>
    `${address} adresine artık hiçbir şey gönderilmez${waiting === 0 ? "" : ` ve bekleyen ${formatNumber(waiting)} ileti kaybolur`}. Gönderileri ve imza anahtarı silinir. Bu geri alınamaz.`,
  test: "Deneme olayı gönder",
  tooManyTests: (max) =>
    `Dakikada en çok ${formatNumber(max)} deneme olayı gönderebilirsiniz. Bir dakika bekleyip yeniden deneyin.`,
  deliveries: "Son 30 günün gönderileri, en çok 1.000",
  noDeliveries: "Henüz bir şey gönderilmedi.",
  event: "Olay",
  createdAt: "Oluşma",
  states: { waiting: "Bekliyor", delivered: "Ulaştı", failed: "Ulaşmadı" },
  attempts: "Deneme",
  response: "Yanıt",
  noResponse: "Henüz yanıt yok",
  emptyResponse: "Yanıt boştu.",
  nextAttempt: "Sonraki deneme",
  immediately: "Hemen",
  lastAttempt: "Son deneme",
  redeliver: "Yeniden gönder",
  isDisabled: "Webhook kapalı. Önce açın.",
  delivery: "Gönderi",
  messageId: "İleti ID'si",
  body: "Gövde",
  responseHint: "En çok ilk bir kilobaytı saklanır.",
  hiddenBody: "Gövdede yalnızca alıcısının görebileceği bir bağlantı var.",
  older: "Daha eski",
  problem: (text) => problems[text] ?? text,
}
