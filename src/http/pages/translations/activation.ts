import { text } from "./text.ts"
/** Texts of the page for offline activation. */
export const activation = {
  title: text("Offline activation", "Çevrimdışı etkinleştirme"),
  intro: text(
    "For products that cannot connect to this server. Enter your purchase code, then paste the receipt into the product’s settings.",
    "Bu sunucuya bağlanamayan ürünler için. Satın alma kodunuzu girin, etkinleştirme belgesini ürünün ayarlarına yapıştırın.",
  ),
  site: text("The receipt is for this site only:", "Belge yalnızca şu site için geçerlidir:"),
  submit: text("Get a receipt", "Belge al"),
  receipt: text("Receipt", "Etkinleştirme belgesi"),
  pasteSoon: text(
    "Paste it soon. It is valid for a limited time.",
    "Belgeyi kısa sürede yapıştırın; sınırlı bir süre geçerlidir.",
  ),
  license: text("See your license and its sites", "Lisansınızı ve sitelerini görün"),
  outcomes: {
    no_script: text(
      "This page requires JavaScript. Enable it and open the link again.",
      "Bu sayfa JavaScript gerektirir. Etkinleştirip bağlantıyı yeniden açın.",
    ),
    no_link: text(
      "This URL is incomplete. Open the link in the product’s settings again.",
      "Bu URL eksik. Ürünün ayarlarındaki bağlantıyı yeniden açın.",
    ),
    validating: text("Checking the code…", "Kod doğrulanıyor…"),
    ok: text(
      "The code is valid. Copy the receipt and paste it into your product.",
      "Kod geçerli. Belgeyi kopyalayın ve ürününüze yapıştırın.",
    ),
    unknown_code: text(
      "This purchase code is invalid. Check it.",
      "Bu satın alma kodu geçersiz. Kodu kontrol edin.",
    ),
    revoked_code: text(
      "This purchase was refunded or charged back.",
      "Bu satın alma iade ya da ters ibraz edildi.",
    ),
    site_limit: text(
      "This purchase code has reached its site limit. See your license below to release another site. A site not seen for 30 days frees its slot.",
      "Bu satın alma kodunun site sınırı dolu. Başka bir siteyi bırakmak için aşağıdan lisansınızı açın. 30 gün görülmeyen bir sitenin etkinleştirme hakkı kendiliğinden boşalır.",
    ),
    key: text(
      "The product’s key is no longer valid. Update the product, or ask its author.",
      "Ürünün anahtarı artık geçerli değil. Ürünü güncelleyin ya da yazarına danışın.",
    ),
    unknown: text(
      "The code cannot be validated right now. It may still be valid. Try again in a few minutes.",
      "Kod şu anda doğrulanamıyor. Kod yine de geçerli olabilir. Birkaç dakika sonra yeniden deneyin.",
    ),
  },
}
