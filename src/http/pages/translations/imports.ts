import { count, counted, filled, formatNumber, text } from "./text.ts"

export const imports = {
  title: text("Imports", "İçe aktarmalar"),
  none: text(
    "No imports yet. Run “pazar import FILE” on the server.",
    "Henüz içe aktarma yok. Sunucuda “pazar import DOSYA” komutunu çalıştırın.",
  ),
  allWays: text("All sources", "Tüm kaynaklar"),
  ways: {
    file: text("File", "Dosya"),
    pull: text("Database sync", "Veritabanı eşitlemesi"),
    push: text("API push", "API gönderimi"),
  },
  started: text("Started", "Başladı"),
  finished: text("Finished", "Bitti"),
  notFinished: text("Interrupted or running", "Yarıda kaldı ya da sürüyor"),
  failed: text("Failed", "Başarısız"),
  succeeded: text("Succeeded", "Başarılı"),
  notReadToEnd: text("The input could not be read completely:", "Girdi sonuna kadar okunamadı:"),
  nothingSaved: text("Nothing was saved:", "Hiçbir şey kaydedilmedi:"),
  restNotSaved: text(
    "No deletion or revocation was saved. Other changes were saved:",
    "Hiçbir silme ya da iptal kaydedilmedi. Öteki değişiklikler kaydedildi:",
  ),
  clockAhead: text("Clock ahead", "Saat ileride"),
  codesRepeated: text("Duplicate rows", "Yinelenen satırlar"),
  repeated: text(
    (records: number, lines: readonly number[]) =>
      `${count(records, "row repeats", "rows repeat")} an earlier one. First rows: ${lines.map((line) => line.toLocaleString("en")).join("; ")}. A revoked row takes precedence, otherwise the first one. Return each record once.`,
    (records, lines) =>
      `${formatNumber(records)} satır daha önceki bir satırı yineliyor. İlk satırlar: ${lines.map(formatNumber).join("; ")}. İptal edilmiş satır, yoksa ilk satır geçerli olur. Her kayıt bir kez geçsin.`,
  ),
  ahead: filled<[seconds: number, records: number]>(
    "The clock of the source or of this server was up to {seconds second|seconds} ahead. The current time replaced the timestamps of {records record|records}.",
    "Kaynağın ya da bu sunucunun saati en çok {seconds} saniye ileriydi. {records} kaydın zaman damgası yerine şimdiki zaman kullanıldı.",
  ),
  linesRejected: filled<[n: number]>("{n line|lines} rejected", "{n} satır reddedildi"),
  source: text("Source", "Kaynak"),
  accepted: text("Accepted", "Kabul edilen"),
  adjusted: text("Normalized", "Düzeltilen"),
  waiting: text("Pending", "Bekleyen"),
  rejected: text("Rejected", "Reddedilen"),
  removed: text("Removed", "Silinen"),
  revoked: text("Revoked", "İptal edilen"),
  restored: text("Restored", "Yeniden geçerli"),
  pendingTitle: text("Pending records", "Bekleyen kayıtlar"),
  pendingHint: text(
    "These records were sent, but not what they refer to. Import the missing records; until then the codes are unknown.",
    "Bu kayıtlar gönderildi, ama bağlı oldukları kayıtlar eksik. Eksik kayıtları içe aktarın; o zamana kadar kodlar bilinmez.",
  ),
  missing: text("Missing", "Eksik"),
  pendingRecords: text(
    (missing: "account" | "item", n: number) =>
      missing === "account" ? count(n, "item", "items") : count(n, "purchase", "purchases"),
    (missing, n) => `${formatNumber(n)} ${missing === "account" ? "ürün" : "satış"}`,
  ),
  pendingSince: text("Since", "Bekleme başlangıcı"),
  interval: text("Interval", "Aralık"),
  manual: text("manual", "elle"),
  lastSuccess: text("Last success", "Son başarı"),
  overdue: text("Overdue", "Gecikti"),
  runTitle: text(
    (id: number) => `Import ${id}`,
    (id) => `İçe aktarma ${id}`,
  ),
  lines: text("Lines read", "Okunan satır"),
  nothingRemoved: text("Nothing removed", "Hiçbir kayıt silinmedi"),
  records: {
    account: text("author", "yazar"),
    item: text("item", "ürün"),
    purchase: text("purchase", "satış"),
    key: text("key", "anahtar"),
    password: text("password", "parola"),
  },
  causes: {
    itself: {
      title: text("Rejected lines", "Reddedilen satırlar"),
      advice: text(
        "Correct these fields at the source and import again. Accepted lines are kept.",
        "Bu alanları kaynakta düzeltip yeniden içe aktarın. Kabul edilen satırlar kalır.",
      ),
    },
    "another line": {
      title: text("Rejected because of another line", "Başka bir satır yüzünden reddedilenler"),
      advice: text(
        "These lines need a record that was rejected. Correct the lines above.",
        "Bu satırların bağlı olduğu kayıt reddedildi. Yukarıdaki satırları düzeltin.",
      ),
    },
    unknown: {
      title: text("Rejected because a record is missing", "Eksik kayıt yüzünden reddedilenler"),
      advice: text(
        "The records that these lines need were rejected or never sent. Import them first.",
        "Bu satırların bağlı olduğu kayıtlar reddedildi ya da hiç gönderilmedi. Önce onları içe aktarın.",
      ),
    },
  },
  linesOf: counted("line:", "lines:", "satır:"),
  line: filled<[line: number]>("line {line}", "{line}. satır"),
  others: filled<[kinds: number, problems: number]>(
    "{kinds more kind|more kinds} of problems, {problems line|lines}.",
    "{kinds} sorun türü daha, {problems} satır.",
  ),
  again: text("Import again", "Yeniden içe aktarma"),
}
