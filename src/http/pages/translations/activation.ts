/** Texts of the page for offline activation. */
const en = {
  title: "Offline activation",
  intro:
    "For products that cannot connect to this server. Enter your purchase code, then paste the receipt into the product’s settings.",
  site: "The receipt is for this site only:",
  submit: "Get a receipt",
  receipt: "Receipt",
  pasteSoon: "Paste it soon. It is valid for a limited time.",
  license: "See your license and its sites",
  outcomes: {
    no_script: "This page requires JavaScript. Enable it and open the link again.",
    no_link: "This URL is incomplete. Open the link in the product’s settings again.",
    validating: "Checking the code…",
    ok: "The code is valid. Copy the receipt and paste it into your product.",
    unknown_code: "This purchase code is invalid. Check it.",
    revoked_code: "This purchase was refunded or charged back.",
    site_limit:
      "This purchase code has reached its site limit. See your license below to release another site. A site not seen for 30 days frees its slot.",
    key: "The product’s key is no longer valid. Update the product, or ask its author.",
    unknown:
      "The code cannot be validated right now. It may still be valid. Try again in a few minutes.",
  },
}

const tr: typeof en = {
  title: "Çevrimdışı etkinleştirme",
  intro:
    "Bu sunucuya bağlanamayan ürünler için. Satın alma kodunuzu girin, etkinleştirme belgesini ürünün ayarlarına yapıştırın.",
  site: "Belge yalnızca şu site için geçerlidir:",
  submit: "Belge al",
  receipt: "Etkinleştirme belgesi",
  pasteSoon: "Belgeyi kısa sürede yapıştırın; sınırlı bir süre geçerlidir.",
  license: "Lisansınızı ve sitelerini görün",
  outcomes: {
    no_script: "Bu sayfa JavaScript gerektirir. Etkinleştirip bağlantıyı yeniden açın.",
    no_link: "Bu URL eksik. Ürünün ayarlarındaki bağlantıyı yeniden açın.",
    validating: "Kod doğrulanıyor…",
    ok: "Kod geçerli. Belgeyi kopyalayın ve ürününüze yapıştırın.",
    unknown_code: "Bu satın alma kodu geçersiz. Kodu kontrol edin.",
    revoked_code: "Bu satın alma iade ya da ters ibraz edildi.",
    site_limit:
      "Bu satın alma kodunun site sınırı dolu. Başka bir siteyi bırakmak için aşağıdan lisansınızı açın. 30 gün görülmeyen bir sitenin etkinleştirme hakkı kendiliğinden boşalır.",
    key: "Ürünün anahtarı artık geçerli değil. Ürünü güncelleyin ya da yazarına danışın.",
    unknown:
      "Kod şu anda doğrulanamıyor. Kod yine de geçerli olabilir. Birkaç dakika sonra yeniden deneyin.",
  },
}

export const activation = { en, tr }
