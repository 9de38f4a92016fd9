import type { PageTexts } from "./en.ts"

export const activation: PageTexts["activation"] = {
  title: "Çevrimdışı etkinleştirme",
  intro:
    "Bu sunucuya bağlanamayan ürünler için. Satın alma kodunuzu girin, etkinleştirme belgesini ürünün ayarlarına yapıştırın.",
  site: "Belge yalnızca şu site için geçerlidir:",
  submit: "Belge al",
  receipt: "Etkinleştirme belgesi",
  pasteSoon: "Belgeyi kısa sürede yapıştırın; sınırlı bir süre geçerlidir.",
  outcomes: {
    no_script: "Bu sayfa JavaScript gerektirir. Etkinleştirip bağlantıyı yeniden açın.",
    no_link: "Bu URL eksik. Ürünün ayarlarındaki bağlantıyı yeniden açın.",
    validating: "Kod doğrulanıyor…",
    ok: "Kod geçerli. Belgeyi kopyalayın ve ürününüze yapıştırın.",
    unknown_code: "Bu satın alma kodu geçersiz. Kodu kontrol edin.",
    revoked_code: "Bu satın alma iade ya da ters ibraz edildi.",
    site_limit:
      "Bu satın alma kodunun site sınırı dolu. Başka bir siteyi, oradaki ürünün ayarlarından bırakın ya da ürünün yazarına danışın. 30 gün görülmeyen bir sitenin etkinleştirme hakkı kendiliğinden boşalır.",
    key: "Ürünün anahtarı artık geçerli değil. Ürünü güncelleyin ya da yazarına danışın.",
    unknown:
      "Kod şu anda doğrulanamıyor. Kod yine de geçerli olabilir. Birkaç dakika sonra yeniden deneyin.",
  },
}
