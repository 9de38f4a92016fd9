import type { Words } from "./en.ts"

export const landing: Words["landing"] = {
  heading: "Satın alma kodlarını kendi kodunuzdan doğrulayın",
  intro: (site) =>
    `${site} yazar API'si: bir satın alma kodunun geçerli olup olmadığını öğrenin, hesap ve ürün bilgilerinizi kod yazdığınız her yerden alın.`,
  open: "Çalışma alanını aç",
  docs: "Dokümantasyonu oku",
  call: "Çalışan bir istek",
  callNote: "Kopyalayıp çalıştırın. İçindeki anahtar, herkese açık bir test anahtarıdır.",
  answer: "Yanıtı",
  facts: [
    {
      title: "Güvenle dağıtılan anahtarlar",
      text: "Doğrulama anahtarı yalnızca seçtiğiniz ürünlerin satın almalarını doğrular, başka bir şey yapamaz. Sattığınız ürünün içine koyabilirsiniz.",
    },
    {
      title: "Test için kodlar",
      text: "Geçerli, iade edilmiş, bilinmeyen, yanıtsız: her test kodu hep aynı yanıtı alır, gerçek satışlara dokunulmaz.",
    },
    {
      title: "Her dilde",
      text: "HTTP ve JSON. curl, PHP, JavaScript, Python ve Java örnekleri; PHP ve TypeScript için hazır istemciler.",
    },
  ],
}
