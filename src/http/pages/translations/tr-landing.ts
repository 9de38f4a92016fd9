import type { Words } from "./en.ts"

export const landing: Words["landing"] = {
  heading: "Satın alma kodlarını kendi kodunuzdan doğrulayın",
  intro: (site) =>
    `${site} yazar API'si: bir satın alma kodunun geçerli olup olmadığını öğrenin, hesap ve ürün bilgilerinizi kod yazdığınız her yerden alın.`,
  open: "Çalışma alanını aç",
  docs: "Dokümantasyonu oku",
  call: "İstek",
  callNote: "Kopyalayıp çalıştırın. İçindeki anahtar, herkese açık bir test anahtarıdır.",
  answer: "Yanıt",
  facts: [
    {
      title: "Ürününüze koyabileceğiniz anahtarlar",
      text: "Doğrulama anahtarı yalnızca seçtiğiniz ürünlerin satın almalarını doğrular, başka bir şey yapamaz. Bu yüzden güvenle dağıtılabilir.",
    },
    {
      title: "Test kodları",
      text: "Geçerli, iade edilmiş, bilinmeyen, hizmet dışı: her test kodu hep aynı yanıtı alır, gerçek satışlara dokunulmaz.",
    },
    {
      title: "Her dilde",
      text: "HTTP ve JSON. curl, PHP, JavaScript, Python ve Java örnekleri; PHP ve TypeScript için hazır istemciler.",
    },
  ],
}
