import type { PageTexts } from "./en.ts"
import { formatNumber } from "./plurals.ts"

/** By the English error of the sender. Other errors are system codes such as ECONNREFUSED. */
const problems: Readonly<Record<string, string>> = {
  "no response within 10 s": "10 saniye içinde yanıt gelmedi",
  "the connection was closed without a response": "bağlantı yanıt gelmeden kapandı",
  "the response is not HTTP": "yanıt HTTP değil",
  "the server stopped": "sunucu durduruldu",
  "the URL must begin with https://": "URL https:// ile başlamalı",
  "the host does not resolve to an allowed address":
    "sunucu adı çözümlenemedi ya da izin verilmeyen bir adrese gidiyor",
}

export const webhooks: PageTexts["webhooks"] = {
  title: "Webhook'lar",
  intro:
    "Pazar; satış, iade ve sızan anahtar gibi olayları sunucunuza gönderir. Her webhook, seçtiğiniz olayları alır.",
  introOperator:
    "Pazar; bütün yazarların olaylarını, davetleri, başarısız içe aktarmaları ve geciken veritabanı eşitlemelerini sunucunuza gönderir.",
  docs: "Olaylar ve imza doğrulama",
  none: "Henüz webhook yok.",
  add: "Webhook ekle",
  urlHint: "https:// ile başlamalı ve internetten erişilebilir olmalıdır.",
  events: "Olaylar",
  eventsHint: "Seçim yapmazsanız yeni çıkacaklar dahil hepsi gönderilir.",
  allEvents: "Bütün olaylar",
  enabled: "Etkin",
  disabled: "Devre dışı",
  failing: "Başarısız",
  pending: "Bekleyen",
  failingSince: (when) =>
    `${when} tarihinden beri bütün denemeler başarısız. Beş gün başarısız denemeden sonra webhook devre dışı bırakılır.`,
  reasons: {
    owner:
      "Elle devre dışı bırakıldı. Bekleyen iletiler, etkinleştirdiğinizde gönderilir. O zamana kadarki olaylar gönderilmez.",
    gone: "Sunucu 410 (Gone) döndürdüğü için devre dışı bırakıldı. URL'yi kontrol edip etkinleştirin.",
    failing:
      "Bütün denemeler beş gün boyunca başarısız olduğu için devre dışı bırakıldı. Sunucuyu düzeltip etkinleştirin: bekleyen iletiler gönderilir.",
    full: "Çok fazla ileti beklediği için devre dışı bırakıldı (1.000.000 ya da bir saatlik başarısız denemeden sonra 100.000). Sunucuyu düzeltip etkinleştirin: bekleyen iletiler kalıcı olarak başarısız olur.",
  },
  attention: (url) => `${url} webhook'u devre dışı bırakıldı.`,
  see: "Nedenini gör",
  urlProblems: {
    protocol: "URL https:// ile başlamalı.",
    length: "URL fazla uzun.",
    password: "URL'den kullanıcı adını ve parolayı çıkarın.",
    privateAddress: "Bu URL'ye internetten ulaşılamıyor.",
  },
  tooMany: (max) => `En çok ${formatNumber(max)} webhook ekleyebilirsiniz. Önce birini silin.`,
  unknownEvent: "Bilinmeyen olay. Listeden seçin.",
  done: {
    created: "Webhook oluşturuldu. İmza anahtarını sunucunuza yazıp bir test olayı gönderin.",
    changed: "Webhook güncellendi.",
    rotated: "İmza anahtarı yenilendi. Yenisini bir gün içinde sunucunuza yazın.",
    enabled: "Webhook etkinleştirildi.",
    disabled: "Webhook devre dışı bırakıldı. Bekleyen iletiler saklanır; yeni olaylar gönderilmez.",
    removed: "Webhook silindi.",
    tested: "Test olayı kuyruğa alındı. Yanıtı görmek için sayfayı yeniden yükleyin.",
    redelivered: "İleti aynı ID ile yeniden kuyruğa alındı.",
  },
  edit: "Düzenle",
  editTitle: "Webhook'u düzenle",
  secret: "İmza anahtarı",
  secretHint: "Sunucunuz webhook imzasını bununla doğrular.",
  reveal: "Göster",
  revealTitle: "İmza anahtarı gösterilsin mi?",
  revealText: "İmza anahtarını göstermek için parolanız gerekir.",
  rotate: "İmza anahtarını yenile",
  rotateTitle: "İmza anahtarı yenilensin mi?",
  rotateText:
    "Yeni bir imza anahtarı alırsınız. İletiler bir gün boyunca ya da yeniden yenileyene kadar ikisiyle de imzalanır.",
  bothUntil: (when) => `İletiler ${when} tarihine kadar önceki imza anahtarıyla da imzalanır.`,
  enable: "Etkinleştir",
  disable: "Devre dışı bırak",
  remove: "Sil",
  removeTitle: "Webhook silinsin mi?",
  removeText: (url, pending) =>
    `Pazar artık ${url} URL'sine olay göndermez; imza anahtarını ve gönderilerini siler${pending === 0 ? "" : `, bekleyen ${formatNumber(pending)} ileti dahil`}. Bu işlem geri alınamaz.`,
  test: "Test olayı gönder",
  tooManyTests: (max) =>
    `Dakikada en çok ${formatNumber(max)} test olayı gönderebilirsiniz. Bir dakika bekleyip yeniden deneyin.`,
  deliveries: "Son 30 günün gönderileri, en çok 1.000",
  noDeliveries: "Henüz gönderi yok.",
  event: "Olay",
  states: { waiting: "Bekliyor", delivered: "Teslim edildi", failed: "Başarısız" },
  attempts: "Deneme",
  response: "Yanıt",
  noResponse: "Henüz yanıt yok",
  emptyResponse: "Yanıt gövdesi boş.",
  nextAttempt: "Sonraki deneme",
  immediately: "Hemen",
  lastAttempt: "Son deneme",
  redeliver: "Yeniden gönder",
  isDisabled: "Webhook devre dışı. Önce etkinleştirin.",
  delivery: "Gönderi",
  messageId: "İleti ID'si",
  body: "Gövde",
  responseHint: "Yalnızca ilk kilobaytı saklanır.",
  hiddenBody: "Gövde gizli: yalnızca alıcısına özel bir bağlantı içeriyor.",
  older: "Daha eski",
  problem: (text) => problems[text] ?? text,
}
