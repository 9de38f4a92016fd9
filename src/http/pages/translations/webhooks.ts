import type { UrlProblem } from "../../../domain/events/endpoint.ts"
import { count, formatNumber } from "./plurals.ts"

const en = {
  title: "Webhooks",
  webhook: "Webhook",
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
  endpointStates: { active: "Active", failing: "Failing", disabled: "Disabled" },
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
  failing: (url: string, when: string) => `Deliveries to ${url} have failed since ${when}.`,
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
  },
  actions: { edit: "Edit", reveal: "Reveal", replace: "Rotate the secret", remove: "Delete" },
  editTitle: "Edit the webhook",
  secret: "Signing secret",
  bothUntil: (when: string) => `Messages are also signed with the previous secret until ${when}.`,
  enable: "Enable",
  disable: "Disable",
  confirm: {
    reveal: { title: "Reveal the secret?", text: () => "This requires your password." },
    replace: {
      title: "Rotate the secret?",
      text: () =>
        "You get a new secret. Messages are signed with both secrets for a day, or until you rotate again.",
    },
    remove: {
      title: "Delete the webhook?",
      text: (url: string, pending: number) =>
        `Pazar stops sending events to ${url} and deletes its secret and deliveries${pending === 0 ? "" : `, including ${count(pending, "pending message", "pending messages")}`}. You cannot undo this.`,
    },
  },
  test: "Send a test event",
  tooManyTests: (max: number) =>
    `The limit is ${count(max, "test event", "test events")} per minute. Wait a minute, then try again.`,
  deliveries: "Deliveries",
  noDeliveries: "No deliveries yet.",
  event: "Event",
  states: {
    pending: "Pending",
    retrying: "Retrying",
    delivered: "Delivered",
    failed: "Failed",
  },
  attempts: "Attempts",
  attemptedAt: "Time",
  duration: "Duration",
  waiting: "Waiting for the response…",
  reload: "Reload",
  response: "Response",
  nextAttempt: (nth: number, when: string) => `attempt ${nth}, ${when}`,
  lastAttempt: "Last attempt",
  redeliver: "Redeliver",
  isDisabled: "The webhook is disabled. Enable it first.",
  messageId: "Message ID",
  body: "Body",
  hiddenBody: "The body is hidden: it contains a link for its recipient only.",
}

const tr: typeof en = {
  title: "Webhook'lar",
  webhook: "Webhook",
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
  endpointStates: { active: "Etkin", failing: "Başarısız", disabled: "Devre dışı" },
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
  failing: (url, when) => `${url} adresine gönderimler ${when} tarihinden beri başarısız.`,
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
  },
  actions: { edit: "Düzenle", reveal: "Göster", replace: "İmza anahtarını yenile", remove: "Sil" },
  editTitle: "Webhook'u düzenle",
  secret: "İmza anahtarı",
  bothUntil: (when) => `İletiler ${when} tarihine kadar önceki imza anahtarıyla da imzalanır.`,
  enable: "Etkinleştir",
  disable: "Devre dışı bırak",
  confirm: {
    reveal: { title: "İmza anahtarı gösterilsin mi?", text: () => "Bunun için parolanız gerekir." },
    replace: {
      title: "İmza anahtarı yenilensin mi?",
      text: () =>
        "Yeni bir imza anahtarı alırsınız. İletiler bir gün boyunca ya da yeniden yenileyene kadar ikisiyle de imzalanır.",
    },
    remove: {
      title: "Webhook silinsin mi?",
      text: (url, pending) =>
        `Pazar artık ${url} URL'sine olay göndermez; imza anahtarını ve gönderilerini siler${pending === 0 ? "" : `, bekleyen ${formatNumber(pending)} ileti dahil`}. Bu işlem geri alınamaz.`,
    },
  },
  test: "Test olayı gönder",
  tooManyTests: (max) =>
    `Dakikada en çok ${formatNumber(max)} test olayı gönderebilirsiniz. Bir dakika bekleyip yeniden deneyin.`,
  deliveries: "Gönderiler",
  noDeliveries: "Henüz gönderi yok.",
  event: "Olay",
  states: {
    pending: "Bekliyor",
    retrying: "Yeniden deneniyor",
    delivered: "Teslim edildi",
    failed: "Başarısız",
  },
  attempts: "Denemeler",
  attemptedAt: "Zaman",
  duration: "Süre",
  waiting: "Yanıt bekleniyor…",
  reload: "Yeniden yükle",
  response: "Yanıt",
  nextAttempt: (nth, when) => `${nth}. deneme, ${when}`,
  lastAttempt: "Son deneme",
  redeliver: "Yeniden gönder",
  isDisabled: "Webhook devre dışı. Önce etkinleştirin.",
  messageId: "İleti ID'si",
  body: "Gövde",
  hiddenBody: "Gövde gizli: yalnızca alıcısına özel bir bağlantı içeriyor.",
}

export const webhooks = { en, tr }
