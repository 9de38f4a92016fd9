import type { PageTexts } from "./en.ts"
import { formatNumber } from "./plurals.ts"

export const range: PageTexts["range"] = {
  label: "Gösterilecek günler",
  days: (n) => `${n} gün`,
  own: "Başka günler",
  ends: { from: "Başlangıç", to: "Bitiş" },
  show: "Göster",
  shown: (from, to) => (from === to ? `${from}.` : `${from} – ${to}.`),
  inUtc: (when) => `Günler UTC’ye göredir; sonuncusunun başlangıcı: ${when}.`,
  longest: (n) => `En çok ${n} gün gösterilir.`,
  kept: (n) => `İstekler ${n} gün saklanır.`,
}

export const sales: PageTexts["sales"] = {
  title: "Satışlar",
  search: "Herhangi bir satışın kodu ya da alıcı adının bir bölümü",
  everyItem: "Tüm ürünler",
  itemHint: "Ürünün ID’si; ürünün sayfasından da buraya gelebilirsiniz.",
  noItem: "Bu ID’ye sahip bir ürününüz yok.",
  everyState: "Tüm durumlar",
  states: { valid: "Geçerli", refunded: "İade edildi" },
  all: "Tüm zamanlar",
  none: "Henüz satış yok. Pazaryeriniz bir satışı gönderir göndermez burada görünür.",
  noMatch: "Burada satış yok.",
  noneSoFar: "Şu ana kadar bakılan satışlarda eşleşme yok.",
  showAll: "Tüm satışları göster",
  buyerAndLicense: "Alıcı, lisans",
  date: "Satış tarihi",
  supportEnd: "Destek bitişi",
  noSupport: "Yok",
  sites: "Site",
  older: "Daha eski satışlar",
  newest: "En yeni satışlar",
  searched: (n) => `Bu ad için ${formatNumber(n)} satışa bakıldı. Daha eskileri de var.`,
  searchOlder: "Daha eski satışlarda ara",
  chart: (total, valid) => `${formatNumber(total)} satış; ${formatNumber(valid)} tanesi geçerli.`,
  noChart: (n) => `Bir grafikte en çok ${n} gün gösterilir.`,
  tooMany: (n) =>
    `${formatNumber(n)} satıştan fazla: günlere göre görmek için daha az gün ya da tek bir ürün seçin.`,
  ofItem: "Son satışlar",
  allOfItem: "Bu ürünün tüm satışları",
  noneOfItem: "Bu ürün henüz satılmadı.",
}
