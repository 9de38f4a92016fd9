import { text } from "./text.ts"
/** Texts of the days of a list or chart. */
export const range = {
  label: text("Date range", "Tarih aralığı"),
  last: text(
    (n: number) => (n === 1 ? "Today" : `Last ${n} days`),
    (n) => (n === 1 ? "Bugün" : `Son ${n} gün`),
  ),
  anyTime: text("Any time", "Tüm zamanlar"),
  custom: text("Custom range", "Özel aralık"),
  ends: {
    from: text("From", "Başlangıç"),
    to: text("To", "Bitiş"),
  },
}
