import { filled, text } from "./text.ts"

export const landing = {
  heading: text(
    "Validate purchase codes from your own code",
    "Satın alma kodlarını kendi kodunuzdan doğrulayın",
  ),
  intro: filled(
    "The author API of {site}: validate purchase codes, and read your account and your items.",
    "{site} yazar API'si: satın alma kodlarını doğrulayın, hesap ve ürün bilgilerinizi okuyun.",
  ),
  open: text("Open workspace", "Çalışma alanını aç"),
  docs: text("Read the docs", "Dokümantasyonu oku"),
  request: text("Request", "İstek"),
  requestNote: text(
    "Run it: it contains a public test key.",
    "Çalıştırın: içinde herkese açık bir test anahtarı var.",
  ),
  response: text("Response", "Yanıt"),
  facts: text(
    [
      {
        title: "Keys you can ship",
        text: "A validation key can only validate purchases of the items you choose and release sites. It is safe inside a product.",
      },
      {
        title: "Test codes",
        text: "Valid, refunded, unknown, unavailable: one test code each, separate from real sales.",
      },
      {
        title: "Any language",
        text: "HTTP and JSON. Samples in curl, PHP, JavaScript, Python, Java, Go and C#, and clients for PHP and TypeScript.",
      },
    ],
    [
      {
        title: "Ürününüze koyabileceğiniz anahtarlar",
        text: "Doğrulama anahtarı yalnızca seçtiğiniz ürünlerin satın almalarını doğrular ve site bırakır. Ürünün içinde güvenle dağıtılabilir.",
      },
      {
        title: "Test kodları",
        text: "Geçerli, iade edilmiş, bilinmeyen, hizmet dışı: her biri için bir test kodu, gerçek satışlardan ayrı.",
      },
      {
        title: "Her dilde",
        text: "HTTP ve JSON. curl, PHP, JavaScript, Python, Java, Go ve C# örnekleri; PHP ve TypeScript için hazır istemciler.",
      },
    ],
  ),
}
