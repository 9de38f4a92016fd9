import type { PageTexts } from "./en.ts"

export const activation: PageTexts["activation"] = {
  title: "Elle etkinleştirme",
  intro:
    "Bu sunucuya kendisi ulaşamayan ürünler için. Satın alma kodunuzu girin, etkinleştirme belgesini kopyalayın ve ürünün ayarlarına yapıştırın.",
  site: "Belge yalnızca şu site için geçerlidir:",
  submit: "Belge al",
  receipt: "Etkinleştirme belgesi",
  pasteSoon: "Belgeyi kısa sürede yapıştırın; geçerlilik süresi o andan başlar.",
  outcomes: {
    no_script: "Bu sayfa JavaScript gerektirir. Lütfen etkinleştirin ve bağlantıyı yeniden açın.",
    no_link: "Bu adres eksik. Lütfen ürününüzün ayarlarındaki bağlantıyı yeniden açın.",
    validating: "Kod doğrulanıyor…",
    ok: "Kod geçerli. Belgeyi kopyalayın ve ürününüze yapıştırın.",
    unknown_code: "Bu satın alma kodu bilinmiyor. Lütfen kodu kontrol edin.",
    revoked_code: "Bu satın alma iade ya da ters ibraz edildi.",
    site_limit:
      "Bu satın alma kodu, lisansın izin verdiği sayıda sitede kullanılıyor. Kodu artık kullanmayan sitenin yerini, oradaki ürünün ayarlarından boşaltın ya da ürünün yazarına danışın. 30 gün boyunca görülmeyen bir sitenin yeri kendiliğinden boşalır.",
    key: "Ürünün anahtarı artık kabul edilmiyor. Lütfen ürünü güncelleyin ya da yazarına danışın.",
    unknown:
      "Kod şu anda doğrulanamıyor. Bu, kodun yanlış olduğu anlamına gelmez. Lütfen birkaç dakika sonra yeniden deneyin.",
  },
}
