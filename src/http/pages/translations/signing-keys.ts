import { text } from "./text.ts"

export const signingKeys = {
  title: text("Signing keys", "İmza anahtarları"),
  intro: text(
    "The current key signs validation responses. Products pin it and the next one, and follow endorsements to later keys.",
    "Doğrulama yanıtlarını geçerli anahtar imzalar. Ürünler onu ve sonrakini sabitler, daha sonraki anahtarlara onaylarla ulaşır.",
  ),
  keySet: text("Published keys", "Yayımlanan anahtarlar"),
  states: {
    current: text("Current", "Geçerli"),
    next: text("Next", "Sonraki"),
    retired: text("Retired", "Eski"),
  },
  since: text("Signs since", "İmzalamaya başladı"),
  retired: text("Retired", "Kullanımdan kalktı"),
  rotate: {
    title: text("Rotate the signing key?", "İmza anahtarı yenilensin mi?"),
    text: text(
      "The next key signs from now on, and a new next key is created. Products keep working: the retired key stays published. If a key was compromised, run “pazar signing-key rotate --compromised ID” instead.",
      "Bundan sonra sonraki anahtar imzalar ve yeni bir sonraki anahtar oluşturulur. Ürünler çalışmaya devam eder: eski anahtar yayında kalır. Anahtar ele geçirildiyse bunun yerine “pazar signing-key rotate --compromised ID” komutunu çalıştırın.",
    ),
    submit: text("Rotate the signing key", "İmza anahtarını yenile"),
  },
}
