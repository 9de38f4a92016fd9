import { number } from "../../pages/translations/counting.ts"
import type { imports as en } from "./en-imports.ts"
import { translateProblem } from "./tr-problems.ts"
import { translateReason } from "./tr-reasons.ts"

export const imports: typeof en = {
  title: "İçe aktarmalar",
  none: "Henüz bir şey içe aktarılmadı.",
  ways: { file: "Dosyalar", pull: "Veritabanından çekilenler", push: "Gönderilenler" },
  noneOfWay: "Henüz yok.",
  started: "Başladı",
  finished: "Bitti",
  notFinished: "Yarıda kaldı ya da hâlâ sürüyor",
  failed: "Başarısız",
  notReadToEnd: "Sonuna kadar okunamadı:",
  source: "Kaynak",
  accepted: "Kabul edilen",
  adjusted: "Düzeltilen",
  waiting: "Bekleyen",
  rejected: "Reddedilen",
  removed: "Silinen",
  waitingTitle: "Bekleyen kayıtlar",
  waitingHint: (items, purchases) =>
    `${number(items)} ürün ve ${number(purchases)} satış, depoda olmayan bir kayda gerek duyuyor. O kayıt gelince alınırlar; o zamana kadar kodları bilinmez. En çok kaydı bekleten en üsttedir.`,
  missing: "Eksik",
  needs: { account: "yazar", item: "ürün" },
  waiters: (missing, n) => `${number(n)} ${missing === "account" ? "ürün" : "satış"}`,
  waitingSince: "Bekleme başlangıcı",
  unknown: "Sayıları kaydetmeyen eski bir sürümle tamamlandı.",
  runTitle: (id) => `İçe aktarma ${id}`,
  lines: "Okunan satır",
  nothingRemoved: "Hiçbir şey silinmedi:",
  problems: "Satırlar neden reddedildi",
  noProblems: "Reddedilen satır yok.",
  record: "Kayıt",
  problem: "Sorun",
  reason: translateReason,
  told: translateProblem,
  records: {
    account: "hesap",
    item: "ürün",
    purchase: "satış",
    key: "anahtar",
    password: "parola",
  },
  cause: "Nedeni",
  causes: {
    itself: "bu satır",
    "another line": "gerek duyduğu kayıt reddedildi",
    unknown: "gerek duyduğu kayıt yok",
  },
  count: "Satır",
  first: "İlki",
  line: (line) => `${number(line)}. satır`,
  others: (kinds, problems) => `${number(kinds)} sorun türü daha, toplam ${number(problems)} kez.`,
  report: "Raporu indir",
  reportHint:
    "Rapor, veri deposunun bu içe aktarmadan sakladıklarını içerir. Reddedilen bütün satırları almak için içe aktarmayı “--report FILE” ile çalıştırın.",
}
