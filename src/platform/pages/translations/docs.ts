import type { Failure } from "../../error.ts"
import { filled, text } from "./text.ts"

/** Labels of the documentation. Its texts are Markdown files in http/docs/text. */
export const docs = {
  allPages: text("all pages as one text", "bütün sayfalar tek metin olarak"),
  contents: text("Contents", "İçindekiler"),
  search: text("Search the documentation", "Belgelerde ara"),
  noMatch: text("No page matches.", "Eşleşen sayfa yok."),
  didYouMean: text("Did you mean:", "Bunu mu demek istediniz:"),
  start: text("Get started", "Başlangıç"),
  guides: text("Guides", "Rehberler"),
  reference: text("API reference", "API başvurusu"),
  operators: text("Operators", "Pazaryeri yöneticileri"),
  parameters: text("Parameters", "Parametreler"),
  name: text("Name", "Ad"),
  type: text("Type", "Tür"),
  presence: text("Presence", "Bulunma durumu"),
  meaning: text("Meaning", "Anlamı"),
  required: text("required", "zorunlu"),
  optional: text("optional", "isteğe bağlı"),
  always: text("always", "her zaman"),
  samples: filled("Code samples: {title}", "Kod örnekleri: {title}"),
  run: text("Run", "Çalıştır"),
  runWith: {
    purchase_code: text("Test code", "Test kodu"),
    item_id: text("Item", "Ürün"),
    code: text("Test code", "Test kodu"),
  },
  runFailed: text("The request failed: no response.", "İstek başarısız: yanıt gelmedi."),
  responses: text("Responses", "Yanıtlar"),
  response: text("Response", "Yanıt"),
  sampleResponse: text("Sample response", "Örnek yanıt"),
  commonResponses: filled<[statuses: readonly string[]]>(
    "{statuses}: see Error codes",
    "{statuses}: Hata kodları sayfasına bakın",
  ),
  status: text("HTTP status", "HTTP durumu"),
  retry: text("Retry", "Yeniden deneme"),
  retryLater: text("after `Retry-After` seconds", "`Retry-After` saniye sonra"),
  retryNever: text("no", "hayır"),
  action: text("What to do", "Ne yapmalı"),
  /** The recommended action per error code. */
  actions: text(
    {
      missing_key: "Send an API key in the header `X-Api-Key`.",
      unknown_key: "Check that the key was copied completely and belongs to this marketplace.",
      revoked_key:
        "Replace it with a valid key from the workspace. Products keep their last state.",
      expired_key:
        "Replace it with the rotated key or create a new one. Products keep their last state.",
      key_not_allowed:
        "Use a secret key, on your own server only, whose scope allows the operation. A validation key can only validate purchases, release sites and create download links. If the item has moved to another author, use a key of that author; products keep their last state.",
      account_suspended: "Contact the marketplace. Products keep their last state.",
      missing_parameter: "Add the required parameter. Empty values count as missing.",
      invalid_parameter:
        "Correct the value. A purchase code has at most 255 characters, an item ID is an integer, and a nonce has 16 to 128 letters, digits, `-` or `_`.",
      no_items: "Publish an item, or use the key of the account that owns the items.",
      unknown_item: "Check the item ID. Hidden items and items of other authors are not returned.",
      unknown_code:
        "Treat the code as invalid and ask the buyer to copy it again from the order e-mail. If a release request returned this error, the purchase can still be valid: keep the last state.",
      revoked_code: "Treat the code as invalid and disable the features that it unlocked.",
      expired_code: "Treat the code as invalid until the buyer renews the subscription.",
      no_download: "Ask the marketplace for the file: the item has no `download_url`.",
      site_limit:
        "Treat the code as invalid on this site. Let the buyer [release another site](/docs/site-limits).",
      method_not_allowed: "Use a method from the header `Allow`.",
      unknown_path: "Compare the path with the [operations](/docs/validate_purchase).",
      too_large: "Send a body of at most 64 KB.",
      rate_limited:
        "Keep the last state and wait. See [rate limits](/docs/rate-limits). After a release, only releases have to wait.",
      unavailable: "Keep the last state and retry. The error is not about the key or the code.",
    } satisfies Readonly<Record<Failure, string>>,
    {
      missing_key: "API anahtarını `X-Api-Key` başlığında gönderin.",
      unknown_key: "Anahtarın eksiksiz kopyalandığını ve bu pazaryerine ait olduğunu kontrol edin.",
      revoked_key:
        "Çalışma alanından geçerli bir anahtar alıp yerine koyun. Ürünler son durumu korur.",
      expired_key:
        "Yenilenen anahtarı kullanın ya da yeni bir anahtar oluşturun. Ürünler son durumu korur.",
      key_not_allowed:
        "Yalnızca kendi sunucunuzda, kapsamı bu işleme izin veren bir gizli anahtar kullanın. Doğrulama anahtarı yalnızca satın alma doğrular, site bırakır ve indirme bağlantısı oluşturur. Ürün başka bir yazara taşındıysa o yazarın anahtarını kullanın; ürünler son durumu korur.",
      account_suspended: "Pazaryerine başvurun. Ürünler son durumu korur.",
      missing_parameter: "Zorunlu parametreyi ekleyin. Boş değer eksik sayılır.",
      invalid_parameter:
        "Değeri düzeltin. Satın alma kodu en çok 255 karakterdir, ürün ID değeri tam sayıdır, nonce 16 ile 128 arasında harf, rakam, `-` ya da `_` içerir.",
      no_items: "Bir ürün yayımlayın ya da ürünlerin sahibi olan hesabın anahtarını kullanın.",
      unknown_item:
        "Ürün ID değerini kontrol edin. Yayında olmayan ürünler ve başka yazarların ürünleri döndürülmez.",
      unknown_code:
        "Kodu geçersiz sayın ve alıcıdan kodu sipariş e-postasından yeniden kopyalamasını isteyin. Bu hatayı site bırakma isteği döndürdüyse satın alma hâlâ geçerli olabilir: son durumu koruyun.",
      revoked_code: "Kodu geçersiz sayın ve açtığı özellikleri kapatın.",
      expired_code: "Alıcı aboneliği yenileyene kadar kodu geçersiz sayın.",
      no_download: "Dosyayı pazaryerinden isteyin: ürünün `download_url` alanı yok.",
      site_limit:
        "Kodu bu sitede geçersiz sayın. Alıcının [başka bir siteyi bırakmasını](/docs/site-limits) sağlayın.",
      method_not_allowed: "`Allow` başlığındaki yöntemlerden birini kullanın.",
      unknown_path: "Yolu [işlemlerle](/docs/validate_purchase) karşılaştırın.",
      too_large: "En çok 64 KB'lik bir gövde gönderin.",
      rate_limited:
        "Son durumu koruyun ve bekleyin. [İstek sınırlarına](/docs/rate-limits) bakın. Site bırakma isteğinden sonra yalnızca bırakma istekleri bekler.",
      unavailable:
        "Son durumu koruyun ve yeniden deneyin. Hatanın anahtarla ya da kodla ilgisi yoktur.",
    },
  ),
  asMarkdown: text("This page as Markdown", "Bu sayfa Markdown olarak"),
  openapi: text("OpenAPI document", "OpenAPI tanımı"),
  forModels: text("For language models: llms.txt", "Dil modelleri için: llms.txt"),
}

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
        text: "A validation key can only validate purchases of the items you choose, release sites and create download links. It is safe inside a product.",
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
        text: "Doğrulama anahtarı yalnızca seçtiğiniz ürünlerin satın almalarını doğrular, site bırakır ve indirme bağlantısı oluşturur. Ürünün içinde güvenle dağıtılabilir.",
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
