import { count, formatNumber } from "./plurals.ts"

const en = {
  title: "Imports",
  none: "No imports yet. Run “pazar import FILE” on the server.",
  allWays: "All sources",
  ways: { file: "Files", pull: "Database syncs", push: "API pushes" },
  started: "Started",
  finished: "Finished",
  notFinished: "Interrupted or running",
  failed: "Failed",
  succeeded: "Succeeded",
  notReadToEnd: "The input could not be read completely:",
  nothingSaved: "Nothing was saved:",
  restNotSaved: "Only the batches before the error were saved:",
  clockAhead: "Clock ahead",
  codesRepeated: "Duplicate codes",
  repeated: (records: number, lines: readonly number[]) =>
    `${count(records, "row has", "rows have")} the purchase code of an earlier row. First rows: ${lines.map((line) => line.toLocaleString("en")).join("; ")}. A revoked row takes precedence, otherwise the last one. Return each code once in the SELECT.`,
  ahead: (records: number, seconds: number) =>
    `The clock of the source or of this server was up to ${count(seconds, "second", "seconds")} ahead. The current time replaced the timestamps of ${count(records, "record", "records")}.`,
  linesRejected: (n: number) => `${count(n, "line", "lines")} rejected`,
  source: "Source",
  accepted: "Accepted",
  adjusted: "Normalized",
  waiting: "Pending",
  rejected: "Rejected",
  removed: "Removed",
  revoked: "Revoked",
  restored: "Restored",
  pendingTitle: "Pending records",
  pendingHint:
    "These records were sent, but not what they refer to. Import the missing records; until then the codes are unknown.",
  missing: "Missing",
  pendingRecords: (missing: "account" | "item", n: number) =>
    missing === "account" ? count(n, "item", "items") : count(n, "purchase", "purchases"),
  pendingSince: "Since",
  sync: "Database sync",
  interval: "Interval",
  manual: "manual",
  lastSuccess: "Last success",
  overdue: "Overdue",
  runTitle: (id: number) => `Import ${id}`,
  lines: "Lines read",
  nothingRemoved: "Nothing removed",
  records: {
    account: "author",
    item: "item",
    purchase: "purchase",
    key: "key",
    password: "password",
  },
  causes: {
    itself: {
      title: "Rejected lines",
      advice: "Correct these fields at the source and import again. Accepted lines are kept.",
    },
    "another line": {
      title: "Rejected because of another line",
      advice: "These lines need a record that was rejected. Correct the lines above.",
    },
    unknown: {
      title: "Rejected because a record is missing",
      advice: "The records that these lines need were rejected or never sent. Import them first.",
    },
  },
  linesOf: (n: number) => count(n, "line:", "lines:"),
  line: (line: number) => `line ${line.toLocaleString("en")}`,
  others: (kinds: number, problems: number) =>
    `${count(kinds, "more kind", "more kinds")} of problems, ${count(problems, "line", "lines")}.`,
  again: "Import again",
}

const tr: typeof en = {
  title: "İçe aktarmalar",
  none: "Henüz içe aktarma yok. Sunucuda “pazar import DOSYA” komutunu çalıştırın.",
  allWays: "Tüm kaynaklar",
  ways: { file: "Dosyalar", pull: "Veritabanı eşitlemeleri", push: "API gönderimleri" },
  started: "Başladı",
  finished: "Bitti",
  notFinished: "Yarıda kaldı ya da sürüyor",
  failed: "Başarısız",
  succeeded: "Başarılı",
  notReadToEnd: "Girdi sonuna kadar okunamadı:",
  nothingSaved: "Hiçbir şey kaydedilmedi:",
  restNotSaved: "Yalnızca hatadan önceki bölümler kaydedildi:",
  clockAhead: "Saat ileride",
  codesRepeated: "Yinelenen kodlar",
  repeated: (records, lines) =>
    `${formatNumber(records)} satırda daha önceki bir satırın satın alma kodu var. İlk satırlar: ${lines.map(formatNumber).join("; ")}. İptal edilmiş satır, yoksa son satır geçerli olur. SELECT her kodu bir kez döndürsün.`,
  ahead: (records, seconds) =>
    `Kaynağın ya da bu sunucunun saati en çok ${formatNumber(seconds)} saniye ileriydi. ${formatNumber(records)} kaydın zaman damgası yerine şimdiki zaman kullanıldı.`,
  linesRejected: (n) => `${formatNumber(n)} satır reddedildi`,
  source: "Kaynak",
  accepted: "Kabul edilen",
  adjusted: "Düzeltilen",
  waiting: "Bekleyen",
  rejected: "Reddedilen",
  removed: "Silinen",
  revoked: "İptal edilen",
  restored: "Yeniden geçerli",
  pendingTitle: "Bekleyen kayıtlar",
  pendingHint:
    "Bu kayıtlar gönderildi, ama bağlı oldukları kayıtlar eksik. Eksik kayıtları içe aktarın; o zamana kadar kodlar bilinmez.",
  missing: "Eksik",
  pendingRecords: (missing, n) => `${formatNumber(n)} ${missing === "account" ? "ürün" : "satış"}`,
  pendingSince: "Bekleme başlangıcı",
  sync: "Veritabanı eşitlemesi",
  interval: "Aralık",
  manual: "elle",
  lastSuccess: "Son başarı",
  overdue: "Gecikti",
  runTitle: (id) => `İçe aktarma ${id}`,
  lines: "Okunan satır",
  nothingRemoved: "Hiçbir kayıt silinmedi",
  records: {
    account: "yazar",
    item: "ürün",
    purchase: "satış",
    key: "anahtar",
    password: "parola",
  },
  causes: {
    itself: {
      title: "Reddedilen satırlar",
      advice: "Bu alanları kaynakta düzeltip yeniden içe aktarın. Kabul edilen satırlar kalır.",
    },
    "another line": {
      title: "Başka bir satır yüzünden reddedilenler",
      advice: "Bu satırların bağlı olduğu kayıt reddedildi. Yukarıdaki satırları düzeltin.",
    },
    unknown: {
      title: "Eksik kayıt yüzünden reddedilenler",
      advice:
        "Bu satırların bağlı olduğu kayıtlar reddedildi ya da hiç gönderilmedi. Önce onları içe aktarın.",
    },
  },
  linesOf: (n) => `${formatNumber(n)} satır:`,
  line: (line) => `${formatNumber(line)}. satır`,
  others: (kinds, problems) =>
    `${formatNumber(kinds)} sorun türü daha, ${formatNumber(problems)} satır.`,
  again: "Yeniden içe aktarma",
}

export const imports = { en, tr }
