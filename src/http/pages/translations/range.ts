/** Texts of the days of a list or chart. */
const en = {
  label: "Date range",
  last: (n: number) => (n === 1 ? "Today" : `Last ${n} days`),
  anyTime: "Any time",
  custom: "Custom range",
  ends: { from: "From", to: "To" },
}

const tr: typeof en = {
  label: "Tarih aralığı",
  last: (n) => (n === 1 ? "Bugün" : `Son ${n} gün`),
  anyTime: "Tüm zamanlar",
  custom: "Özel aralık",
  ends: { from: "Başlangıç", to: "Bitiş" },
}

export const range = { en, tr }
