import type { UrlProblem } from "../../../domain/events/endpoint.ts"
import { count, formatNumber } from "./plurals.ts"

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

const en = {
  title: "Webhooks",
  intro:
    "Pazar sends events such as sales, refunds and leaked keys to your server. Each webhook receives the events that you select.",
  introOperator:
    "Pazar sends events of all authors, invitations, failed imports and overdue database syncs to your server.",
  docs: "Events and signature verification",
  none: "No webhooks yet.",
  add: "Add a webhook",
  urlHint: "It must begin with https:// and be reachable from the internet.",
  events: "Events",
  eventsHint: "Leave empty to receive all events, including future ones.",
  allEvents: "All events",
  enabled: "Enabled",
  disabled: "Disabled",
  failing: "Failing",
  pending: "Pending",
  failingSince: (when: string) =>
    `All attempts have failed since ${when}. After five days of failed attempts, the webhook is disabled.`,
  reasons: {
    owner:
      "Disabled manually. Pending messages are sent when you enable it. Events that occur until then are not delivered.",
    gone: "Disabled because the server returned 410 (Gone). Check the URL, then enable the webhook.",
    failing:
      "Disabled because all attempts failed for five days. Fix the server, then enable the webhook: pending messages are sent.",
    full: "Disabled because too many messages were pending (1,000,000, or 100,000 after an hour of failed attempts). Fix the server, then enable the webhook: pending messages fail permanently.",
  },
  attention: (url: string) => `The webhook ${url} was disabled.`,
  see: "Show why",
  urlProblems: {
    protocol: "The URL must begin with https://",
    length: "The URL is too long.",
    password: "Remove the username and password from the URL.",
    privateAddress: "This URL cannot be reached from the internet.",
  } satisfies Readonly<Record<UrlProblem, string>>,
  tooMany: (max: number) =>
    `You have ${count(max, "webhook", "webhooks")}, the maximum. Delete one first.`,
  unknownEvent: "Unknown event. Choose from the list.",
  /** Notices, by the query parameter `done`. */
  done: {
    created:
      "The webhook was created. Configure its secret on your server, then send a test event.",
    changed: "The webhook was updated.",
    rotated: "The secret was rotated. Configure the new one on your server within a day.",
    enabled: "The webhook was enabled.",
    disabled: "The webhook was disabled. Pending messages are kept; new events are not delivered.",
    removed: "The webhook was deleted.",
    tested: "The test event was queued. Reload this page to see the response.",
    redelivered: "The message was queued again, with the same ID.",
  },
  edit: "Edit",
  editTitle: "Edit the webhook",
  secret: "Signing secret",
  secretHint: "Your server verifies the webhook signature with it.",
  reveal: "Reveal",
  revealTitle: "Reveal the secret?",
  revealText: "Revealing the secret requires your password.",
  rotate: "Rotate the secret",
  rotateTitle: "Rotate the secret?",
  rotateText:
    "You get a new secret. Messages are signed with both secrets for a day, or until you rotate again.",
  bothUntil: (when: string) => `Messages are also signed with the previous secret until ${when}.`,
  enable: "Enable",
  disable: "Disable",
  remove: "Delete",
  removeTitle: "Delete the webhook?",
  removeText: (url: string, pending: number) =>
    `Pazar stops sending events to ${url} and deletes its secret and deliveries${pending === 0 ? "" : `, including ${count(pending, "pending message", "pending messages")}`}. You cannot undo this.`,
  test: "Send a test event",
  tooManyTests: (max: number) =>
    `The limit is ${count(max, "test event", "test events")} per minute. Wait a minute, then try again.`,
  deliveries: "Deliveries of the last 30 days, at most 1,000",
  noDeliveries: "No deliveries yet.",
  event: "Event",
  states: { waiting: "Pending", delivered: "Delivered", failed: "Failed" },
  attempts: "Attempts",
  response: "Response",
  noResponse: "No response yet",
  emptyResponse: "The response body is empty.",
  nextAttempt: "Next attempt",
  immediately: "Now",
  lastAttempt: "Last attempt",
  redeliver: "Redeliver",
  isDisabled: "The webhook is disabled. Enable it first.",
  delivery: "Delivery",
  messageId: "Message ID",
  body: "Body",
  responseHint: "Only the first kilobyte is stored.",
  hiddenBody: "The body is hidden: it contains a link for its recipient only.",
  older: "Older",
  /** Translates the error of an attempt that got no response. */
  problem: (text: string): string => text,
}

const tr: typeof en = {
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

export const webhooks = { en, tr }
