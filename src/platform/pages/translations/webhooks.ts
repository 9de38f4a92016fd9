import type { UrlProblem } from "../../../webhooks/endpoint.ts"
import { count, filled, formatNumber, text } from "./text.ts"

export const webhooks = {
  title: text("Webhooks", "Webhook'lar"),
  webhook: text("Webhook", "Webhook"),
  intro: text(
    "Pazar sends events such as sales, refunds and leaked keys to your server. Each webhook receives the events that you select.",
    "Pazar; satış, iade ve sızan anahtar gibi olayları sunucunuza gönderir. Her webhook, seçtiğiniz olayları alır.",
  ),
  introOperator: text(
    "Pazar sends events of all authors, invitations, failed imports and overdue database syncs to your server.",
    "Pazar; bütün yazarların olaylarını, davetleri, başarısız içe aktarmaları ve geciken veritabanı eşitlemelerini sunucunuza gönderir.",
  ),
  docs: text("Events and signature verification", "Olaylar ve imza doğrulama"),
  none: text("No webhooks yet.", "Henüz webhook yok."),
  add: text("Add a webhook", "Webhook ekle"),
  urlHint: text(
    "It must begin with https:// and be reachable from the internet.",
    "https:// ile başlamalı ve internetten erişilebilir olmalıdır.",
  ),
  events: text("Events", "Olaylar"),
  eventsHint: text(
    "Leave empty to receive all events, including future ones.",
    "Seçim yapmazsanız yeni çıkacaklar dahil hepsi gönderilir.",
  ),
  allEvents: text("All events", "Bütün olaylar"),
  endpointStates: {
    active: text("Active", "Etkin"),
    failing: text("Failing", "Hata veriyor"),
    disabled: text("Disabled", "Devre dışı"),
  },
  pending: text("Pending", "Bekleyen"),
  failingSince: filled(
    "All attempts have failed since {when}. After five days of failed attempts, the webhook is disabled.",
    "{when} tarihinden beri bütün denemeler başarısız. Beş gün başarısız denemeden sonra webhook devre dışı bırakılır.",
  ),
  reasons: {
    owner: text(
      "Disabled manually. Pending messages are sent when you enable it. Events that occur until then are not delivered.",
      "Elle devre dışı bırakıldı. Bekleyen iletiler, etkinleştirdiğinizde gönderilir. O zamana kadarki olaylar gönderilmez.",
    ),
    gone: text(
      "Disabled because the server returned 410 (Gone). Check the URL, then enable the webhook.",
      "Sunucu 410 (Gone) döndürdüğü için devre dışı bırakıldı. URL'yi kontrol edip etkinleştirin.",
    ),
    failing: text(
      "Disabled because all attempts failed for five days. Fix the server, then enable the webhook: pending messages are sent.",
      "Bütün denemeler beş gün boyunca başarısız olduğu için devre dışı bırakıldı. Sunucuyu düzeltip etkinleştirin: bekleyen iletiler gönderilir.",
    ),
    full: text(
      "Disabled because too many messages were pending (1,000,000, or 100,000 after an hour of failed attempts). Fix the server, then enable the webhook: pending messages fail permanently.",
      "Çok fazla ileti beklediği için devre dışı bırakıldı (1.000.000 ya da bir saatlik başarısız denemeden sonra 100.000). Sunucuyu düzeltip etkinleştirin: bekleyen iletiler kalıcı olarak başarısız olur.",
    ),
  },
  attention: filled("The webhook {url} was disabled.", "{url} webhook'u devre dışı bırakıldı."),
  failing: filled<[url: string, when: string]>(
    "Deliveries to {url} have failed since {when}.",
    "{url} adresine gönderiler {when} tarihinden beri başarısız.",
  ),
  see: text("Show why", "Nedenini gör"),
  urlProblems: text(
    {
      protocol: "The URL must begin with https://",
      length: "The URL is too long.",
      password: "Remove the username and password from the URL.",
      privateAddress: "This URL cannot be reached from the internet.",
    } satisfies Readonly<Record<UrlProblem, string>>,
    {
      protocol: "URL https:// ile başlamalı.",
      length: "URL fazla uzun.",
      password: "URL'den kullanıcı adını ve parolayı çıkarın.",
      privateAddress: "Bu URL'ye internetten ulaşılamıyor.",
    },
  ),
  tooMany: filled<[max: number]>(
    "You have {max webhook|webhooks}, the maximum. Delete one first.",
    "En çok {max} webhook ekleyebilirsiniz. Önce birini silin.",
  ),
  unknownEvent: text("Unknown event. Choose from the list.", "Bilinmeyen olay. Listeden seçin."),
  actions: {
    edit: text("Edit", "Düzenle"),
    reveal: text("Reveal", "Göster"),
    replace: text("Rotate the secret", "İmza anahtarını yenile"),
    remove: text("Delete", "Sil"),
  },
  editTitle: text("Edit the webhook", "Webhook'u düzenle"),
  secret: text("Signing secret", "İmza anahtarı"),
  bothUntil: filled(
    "Messages are also signed with the previous secret until {when}.",
    "İletiler {when} tarihine kadar önceki imza anahtarıyla da imzalanır.",
  ),
  enable: text("Enable", "Etkinleştir"),
  disable: text("Disable", "Devre dışı bırak"),
  confirm: {
    reveal: {
      title: text("Reveal the secret?", "İmza anahtarı gösterilsin mi?"),
      text: filled<[url: string, pending: number]>(
        "This requires your password.",
        "Bunun için parolanız gerekir.",
      ),
    },
    replace: {
      title: text("Rotate the secret?", "İmza anahtarı yenilensin mi?"),
      text: filled<[url: string, pending: number]>(
        "You get a new secret. Messages are signed with both secrets for a day, or until you rotate again.",
        "Yeni bir imza anahtarı alırsınız. İletiler bir gün boyunca ya da yeniden yenileyene kadar ikisiyle de imzalanır.",
      ),
    },
    remove: {
      title: text("Delete the webhook?", "Webhook silinsin mi?"),
      text: text(
        (url: string, pending: number) =>
          `Pazar stops sending events to ${url} and deletes its secret and deliveries${pending === 0 ? "" : `, including ${count(pending, "pending message", "pending messages")}`}. You cannot undo this.`,
        (url, pending) =>
          `Pazar artık ${url} URL'sine olay göndermez; imza anahtarını ve gönderilerini siler${pending === 0 ? "" : `, bekleyen ${formatNumber(pending)} ileti dahil`}. Bu işlem geri alınamaz.`,
      ),
    },
  },
  test: text("Send a test event", "Test olayı gönder"),
  tooManyTests: filled<[max: number]>(
    "The limit is {max test event|test events} per minute. Wait a minute, then try again.",
    "Dakikada en çok {max} test olayı gönderebilirsiniz. Bir dakika bekleyip yeniden deneyin.",
  ),
  deliveries: text("Deliveries", "Gönderiler"),
  noDeliveries: text("No deliveries yet.", "Henüz gönderi yok."),
  event: text("Event", "Olay"),
  states: {
    pending: text("Pending", "Bekliyor"),
    retrying: text("Retrying", "Yeniden deneniyor"),
    delivered: text("Delivered", "Teslim edildi"),
    failed: text("Failed", "Başarısız"),
  },
  attempts: text("Attempts", "Denemeler"),
  attemptedAt: text("Time", "Zaman"),
  duration: text("Duration", "Süre"),
  waiting: text("Waiting for the response…", "Yanıt bekleniyor…"),
  reload: text("Reload", "Yeniden yükle"),
  response: text("Response", "Yanıt"),
  nextAttempt: filled<[nth: number, when: string]>(
    "attempt {nth}, {when}",
    "{nth}. deneme, {when}",
  ),
  lastAttempt: text("Last attempt", "Son deneme"),
  redeliver: text("Redeliver", "Yeniden gönder"),
  isDisabled: text(
    "The webhook is disabled. Enable it first.",
    "Webhook devre dışı. Önce etkinleştirin.",
  ),
  messageId: text("Message ID", "İleti ID'si"),
  body: text("Body", "Gövde"),
  hiddenBody: text(
    "The body is hidden: it contains a link for its recipient only.",
    "Gövde gizli: yalnızca alıcısına özel bir bağlantı içeriyor.",
  ),
}
