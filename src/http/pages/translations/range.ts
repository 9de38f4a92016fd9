/** Texts of the date range of a chart. */
const en = {
  label: "Date range",
  days: (n: number) => `${n} days`,
  last: (n: number) => (n === 1 ? "Today" : `Last ${n} days`),
  anyTime: "Any time",
  custom: "Custom range",
  ends: { from: "From", to: "To" },
  show: "Show",
  shown: (from: string, to: string) => (from === to ? `${from}.` : `${from} – ${to}.`),
  inUtc: (when: string) => `Days are in UTC; the last one begins on ${when}.`,
  daysMax: (n: number) => `At most ${n} days.`,
  retention: (n: number) => `Counts are kept for ${n} days.`,
}

const tr: typeof en = {
  label: "Tarih aralığı",
  days: (n) => `${n} gün`,
  last: (n) => (n === 1 ? "Bugün" : `Son ${n} gün`),
  anyTime: "Tüm zamanlar",
  custom: "Özel aralık",
  ends: { from: "Başlangıç", to: "Bitiş" },
  show: "Göster",
  shown: (from, to) => (from === to ? `${from}.` : `${from} – ${to}.`),
  inUtc: (when) => `Günler UTC’ye göredir; sonuncusunun başlangıcı: ${when}.`,
  daysMax: (n) => `En çok ${n} gün.`,
  retention: (n) => `Sayılar ${n} gün saklanır.`,
}

export const range = { en, tr }
