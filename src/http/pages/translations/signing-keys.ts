const en = {
  title: "Signing keys",
  intro:
    "The current key signs validation responses. Products pin it and the next one, and follow endorsements to later keys.",
  keySet: "Published keys",
  states: { current: "Current", next: "Next", retired: "Retired" },
  since: "Signs since",
  retired: "Retired",
  rotate: {
    title: "Rotate the signing key?",
    text: "The next key signs from now on, and a new next key is created. Products keep working: the retired key stays published. If a key was compromised, run “pazar signing-key rotate --compromised ID” instead.",
    submit: "Rotate the signing key",
  },
}

const tr: typeof en = {
  title: "İmza anahtarları",
  intro:
    "Doğrulama yanıtlarını geçerli anahtar imzalar. Ürünler onu ve sonrakini sabitler, daha sonraki anahtarlara onaylarla ulaşır.",
  keySet: "Yayımlanan anahtarlar",
  states: { current: "Geçerli", next: "Sonraki", retired: "Eski" },
  since: "İmzalamaya başladı",
  retired: "Kullanımdan kalktı",
  rotate: {
    title: "İmza anahtarı yenilensin mi?",
    text: "Bundan sonra sonraki anahtar imzalar ve yeni bir sonraki anahtar oluşturulur. Ürünler çalışmaya devam eder: eski anahtar yayında kalır. Anahtar ele geçirildiyse bunun yerine “pazar signing-key rotate --compromised ID” komutunu çalıştırın.",
    submit: "İmza anahtarını yenile",
  },
}

export const signingKeys = { en, tr }
