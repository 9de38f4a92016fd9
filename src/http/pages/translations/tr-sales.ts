import type { PageTexts } from "./en.ts"
import { formatNumber } from "./plurals.ts"

export const range: PageTexts["range"] = {
  label: "Tarih aralığı",
  days: (n) => `${n} gün`,
  custom: "Özel aralık",
  ends: { from: "Başlangıç", to: "Bitiş" },
  show: "Göster",
  shown: (from, to) => (from === to ? `${from}.` : `${from} – ${to}.`),
  inUtc: (when) => `Günler UTC’ye göredir; sonuncusunun başlangıcı: ${when}.`,
  daysMax: (n) => `En çok ${n} gün.`,
  retention: (n) => `Sayılar ${n} gün saklanır.`,
}

export const sales: PageTexts["sales"] = {
  title: "Satışlar",
  search: "Satın alma kodu ya da alıcı adının bir bölümü",
  allItems: "Tüm ürünler",
  itemHint: "Ürün ID’si. Ürünün sayfasında da buraya bağlantı vardır.",
  noItem: "Bu ID’ye sahip bir ürününüz yok.",
  allStates: "Tüm durumlar",
  states: { valid: "Geçerli", refunded: "İade edildi" },
  anyTime: "Tüm zamanlar",
  none: "Henüz satış yok. Pazaryeriniz bir satışı içe aktardığında burada görünür.",
  noMatch: "Eşleşen satış yok.",
  noneSoFar: "Şu ana kadar aranan satışlarda eşleşme yok.",
  showAll: "Tüm satışları göster",
  buyerAndLicense: "Alıcı, lisans",
  date: "Satış tarihi",
  supportEnd: "Destek bitişi",
  noSupport: "Yok",
  sites: "Site",
  older: "Daha eski satışlar",
  newest: "En yeni satışlar",
  searched: (n) => `${formatNumber(n)} satış arandı. Daha eski satışlar aranmadı.`,
  searchOlder: "Daha eski satışlarda ara",
  chart: (total, valid) => `${formatNumber(total)} satış; ${formatNumber(valid)} tanesi geçerli.`,
  noChart: (n) => `Grafik en çok ${n} gün gösterir.`,
  tooMany: (n) =>
    `${formatNumber(n)} satıştan fazla. Grafik için daha az gün ya da tek bir ürün seçin.`,
  latestOfItem: "Son satışlar",
  allOfItem: "Bu ürünün tüm satışları",
  noneOfItem: "Bu ürün henüz satılmadı.",
}
