import type { PageTexts } from "./en.ts"
import { formatNumber } from "./plurals.ts"
import { activation } from "./tr-activation.ts"
import { keyPages, keys } from "./tr-keys.ts"
import { inactiveKeyRequests, log } from "./tr-log.ts"
import { overview } from "./tr-overview.ts"
import { range, sales } from "./tr-sales.ts"
import { sites } from "./tr-sites.ts"
import { twoFactor } from "./tr-two-factor.ts"
import { webhooks } from "./tr-webhooks.ts"

const docs: PageTexts["docs"] = {
  allPages: "bütün sayfalar tek metin olarak",
  contents: "İçindekiler",
  search: "Belgelerde ara",
  noMatch: "Eşleşen sayfa yok.",
  start: "Başlangıç",
  guides: "Rehberler",
  reference: "API başvurusu",
  parameters: "Parametreler",
  name: "Ad",
  type: "Tür",
  presence: "Bulunma durumu",
  meaning: "Anlamı",
  required: "zorunlu",
  optional: "isteğe bağlı",
  always: "her zaman",
  sometimes: "isteğe bağlı",
  samples: (title) => `Kod örnekleri: ${title}`,
  run: "Çalıştır",
  runWith: { purchase_code: "Test kodu", item_id: "Ürün", code: "Test kodu" },
  runFailed: "İstek başarısız: yanıt gelmedi.",
  responses: "Yanıtlar",
  response: "Yanıt",
  sampleResponse: "Örnek yanıt",
  commonResponses: (statuses) => `${statuses.join(", ")}: Hata kodları sayfasına bakın`,
  status: "HTTP durumu",
  retry: "Yeniden deneme",
  retryLater: "`Retry-After` saniye sonra",
  retryNever: "hayır",
  action: "Ne yapmalı",
  actions: {
    missing_key: "API anahtarını `X-Api-Key` başlığında gönderin.",
    unknown_key: "Anahtarın eksiksiz kopyalandığını ve bu pazaryerine ait olduğunu kontrol edin.",
    revoked_key:
      "Çalışma alanından geçerli bir anahtar alıp yerine koyun. Ürünler son durumu korur.",
    expired_key:
      "Yenilenen anahtarı kullanın ya da yeni bir anahtar oluşturun. Ürünler son durumu korur.",
    key_not_allowed:
      "Yalnızca kendi sunucunuzda gizli anahtar kullanın. Doğrulama anahtarı yalnızca satın alma doğrular ve site bırakır.",
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
  asMarkdown: "Bu sayfa Markdown olarak",
  openapi: "OpenAPI tanımı",
  forModels: "Dil modelleri için: llms.txt",
}

const check: PageTexts["check"] = {
  title: "Kod sorgula",
  intro: "Satışı görmek için satın alma kodunu ya da kodun geçtiği mesajı yapıştırın.",
  label: "Satın alma kodu",
  example: "Örneğin 8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21.",
  submit: "Sorgula",
  results: {
    valid: "Geçerli",
    refunded: "İade edilmiş",
    test: "Test kodu",
    unknown: "Bilinmeyen kod",
  },
  problems: {
    invalid: "Bu, satın alma kodu olamayacak kadar uzun.",
    empty: "Önce bir kod yapıştırın.",
  },
  explanations: {
    refunded: "Bu satış iade ya da ters ibraz edilmiş. Kod geçersiz.",
    test: "Yalnızca test anahtarlarıyla çalışır. Bu kod hiçbir alıcıya verilmemiştir.",
    unknown:
      "Ürünlerinizin hiçbir satışında bu kod yok. Bir mesaj yapıştırdıysanız yalnızca kodu yapıştırın. Ya da alıcıdan kodu sipariş e-postasından yeniden kopyalamasını isteyin.",
  },
  supportEnded: (day) => `Destek süresi doldu: ${day}`,
  inText: "Kod, yapıştırdığınız metnin içinde bulundu.",
  others: "Metinde size ait başka kodlar da var:",
  normalized: (parts) => `Düzeltilenler: ${parts.join(", ")}.`,
  normalizations: {
    whitespace: "baştaki ve sondaki boşluklar",
    invisible: "görünmez karakterler",
    dashes: "uzun çizgiler",
    lookalikes: "bitişik ve benzer karakterler",
    case: "büyük harfler",
  },
  licenses: { Regular: "Normal", Extended: "Genişletilmiş" },
  support: "Destek bitişi",
  noSupport: "Destek yok",
  downloaded: "İndirildi",
  bought: "Satın alma tarihi",
}

const items: PageTexts["items"] = {
  title: "Ürünler",
  search: "Ada veya ID'ye göre arayın",
  sort: "Sırala",
  sorts: { newest: "Önce en yeni", oldest: "Önce en eski", name: "Ad", price: "Fiyat" },
  published: "Yayımlanma",
  hidden: "Yayında değil",
  total: (n) => `${formatNumber(n)} ürün`,
  matches: (n, text) => `“${text}” ile eşleşen ${formatNumber(n)} ürün var.`,
  none: "Henüz ürün yok. Pazaryeriniz içe aktardığında burada görünür.",
  noMatch: (text) => `“${text}” ile eşleşen ürün yok.`,
  showAll: "Bütün ürünleri göster",
  previous: "Önceki",
  next: "Sonraki",
  page: (page, pages) => `Sayfa ${page} / ${pages}`,
  back: "Bütün ürünler",
  backToSearch: (text) => `“${text}” için arama sonuçları`,
  regular: "Normal lisans",
  extended: "Genişletilmiş lisans",
  category: "Kategori",
  tags: "Etiketler",
  id: "ID",
  demo: "Demoyu aç",
  preview: (name) => `Ön izleme: ${name}`,
  screenshot: (n) => `Ekran görüntüsü ${n}`,
  hiddenNote:
    "API, yayında olmayan ürünleri döndürmez. Bu ürünlerin satın alma kodları geçerli kalır.",
  asJson: "Bu ürünün API yanıtı",
}

const landing: PageTexts["landing"] = {
  heading: "Satın alma kodlarını kendi kodunuzdan doğrulayın",
  intro: (site) =>
    `${site} yazar API'si: satın alma kodlarını doğrulayın, hesap ve ürün bilgilerinizi okuyun.`,
  open: "Çalışma alanını aç",
  docs: "Dokümantasyonu oku",
  request: "İstek",
  requestNote: "Çalıştırın: içinde herkese açık bir test anahtarı var.",
  response: "Yanıt",
  facts: [
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
}

const search: PageTexts["search"] = {
  title: "Ara",
  label: "Kod, ürün, anahtar veya sayfa arayın",
  intro:
    "Bir satın alma kodu veya onu içeren bir mesaj; bir ürünün adı veya ID'si; bir anahtar, adı veya son dört karakteri; ya da bir sayfanın adını yazın. Pazar anahtarı saklamaz.",
  pages: "Sayfalar",
  none: "Sonuç yok.",
  more: (n) => `Her türden yalnızca ilk ${n} sonuç gösteriliyor. Aramanızı daraltın.`,
}

const countWait = (seconds: number) =>
  seconds < 60
    ? `${formatNumber(seconds)} saniye`
    : `${formatNumber(Math.ceil(seconds / 60))} dakika`

export const tr: PageTexts = {
  search,
  language: "Türkçe",
  skip: "İçeriğe geç",
  navigation: {
    label: "Çalışma alanı",
    settings: "Ayarlar",
    docs: "Dokümantasyon",
    signOut: "Çıkış yap",
    menu: "Menü",
  },
  csv: { download: "CSV olarak indir", inUtc: (head) => `${head} (UTC)` },
  columns: {
    url: "URL",
    buyer: "Alıcı",
    requests: "İstek",
    code: "Kod",
    item: "Ürün",
    key: "Anahtar",
    lastRequest: "Son istek",
    lastSeen: "Son görülme",
    license: "Lisans",
    name: "Ad",
    ipRange: "IP aralığı",
    price: "Fiyat",
    reason: "Hata",
    state: "Durum",
    version: "Sürüm",
  },
  never: "Hiç",
  yes: "Evet",
  no: "Hayır",
  copy: "Kopyala",
  copied: "Kopyalandı",
  save: "Kaydet",
  cancel: "Vazgeç",
  support: "Yardım iste",
  requests: (n) => `${formatNumber(n)} istek`,
  landing,
  signIn: {
    title: "Giriş yap",
    name: "Kullanıcı adı veya e-posta",
    password: "Parola",
    passwordAgain: "Parolanızı en son beş dakikadan uzun süre önce girdiğiniz için gerekli.",
    show: "Parolayı göster",
    sessionEnded:
      "Oturumunuz sona erdiği için hiçbir şey değişmedi. Giriş yapıp formu yeniden gönderin.",
    noName: "Kullanıcı adınızı veya e-postanızı yazın.",
    noPassword: "Parolanızı yazın.",
    wrong: "Kullanıcı adı veya parola hatalı. İki adımlı doğrulama kullanıyorsanız kodu da girin.",
    slow: (seconds) => `Çok fazla deneme yapıldı. ${countWait(seconds)} bekleyip yeniden deneyin.`,
    help: "Parolanız yok mu ya da unuttunuz mu? Pazaryeriniz size bir davet bağlantısı gönderebilir.",
    through: (site) => `${site} ile giriş yap`,
    or: "Veya parolanızla giriş yapın:",
    helpThrough: (site) => `Parolanız yok mu ya da unuttunuz mu? ${site} ile giriş yapın.`,
  },
  invitation: {
    title: "Parola belirleyin",
    hello: (name) => `Hoş geldiniz, ${name}. Giriş yaparken kullanacağınız parolayı belirleyin.`,
    password: "Yeni parola",
    repeat: "Yeni parola (tekrar)",
    submit: "Parolayı kaydet",
    goneTitle: "Bu bağlantı artık çalışmıyor",
    gone: "Daha önce kullanılmış veya süresi dolmuş. Pazaryerinizden yenisini isteyin.",
  },
  link: {
    replaces: (name) =>
      `Bu tarayıcıda ${name} olarak giriş yapılmış. Devam ederseniz o yazarın oturumu kapanır.`,
    hello: (name, site) => `${site}: ${name} olarak giriş yapıyorsunuz.`,
    submit: "Devam et",
  },
  suspended: {
    title: "Hesap askıya alındı",
    text: "Pazaryeriniz bu hesabı askıya aldı. Giriş yapamazsınız ve API anahtarlarınız reddedilir. Hiçbir veri silinmedi.",
  },
  passwordProblems: {
    tooShort: (min) => `En az ${min} karakter kullanın.`,
    tooLong: (max) => `En çok ${max} karakter kullanın.`,
    common:
      "Bu parola kolay tahmin edilir. Bunun yerine birbiriyle ilgisiz birkaç sözcük kullanın.",
    ownName:
      "Kullanıcı adınız ve e-posta adresiniz kolay tahmin edilir. Bunun yerine birbiriyle ilgisiz birkaç sözcük kullanın.",
    different: "Parolalar eşleşmiyor.",
    wrong: "Parola hatalı.",
    hint: (min) => `En az ${min} karakter. Birbiriyle ilgisiz birkaç sözcük kolay akılda kalır.`,
  },
  activation,
  overview,
  range,
  sales,
  log,
  inactiveKeyRequests,
  items,
  check,
  sites,
  webhooks,
  keys,
  keyPages,
  twoFactor,
  profile: {
    title: "Profil",
    intro: "API'nin hakkınızda döndürdüğü bilgiler. Pazaryerinizden değiştirebilirsiniz.",
    username: "Kullanıcı adı",
    email: "E-posta",
    heading: "Başlık",
    description: "Açıklama",
    contact: "İletişim",
    links: "Bağlantılar",
    noLinks: "Yok",
  },
  security: {
    title: "Güvenlik",
    password: "Parolayı değiştir",
    current: "Mevcut parola",
    changed: "Parolanız değiştirildi, diğer bütün oturumlarınız kapatıldı.",
    ends: "Parola değişince diğer bütün oturumlarınız kapanır.",
    sessions: "Açık oturumlarınız",
    browser: "Tarayıcı",
    since: "Giriş",
    thisOne: "Bu tarayıcı",
    setPassword: "Parola belirleyin",
    setHint: "Parolanız olursa buradan doğrudan da giriş yapabilirsiniz.",
    noPassword:
      "Hesabınızda parola yok. Parola belirlemek için pazaryerinizden yeniden giriş yapın ve beş dakika içinde bu sayfaya dönün.",
    signOut: "Oturumu kapat",
    signOutAll: "Her yerden çıkış yap",
    signOutAllHint: "Bu oturum dahil bütün oturumları kapatır.",
    signedOutAll: "Bütün oturumlarınız kapatıldı.",
    unknownDevice: "Bilinmeyen tarayıcı",
  },
  languagePage: {
    title: "Dil",
    label: "Bu sayfaların dili",
    note: "API yanıtının dilini istek belirler.",
    saved: "Dil değiştirildi.",
  },
  activity: {
    title: "İşlem geçmişi",
    intro: "Anahtarlarınızla ilgili son işlemler, en yeniden eskiye.",
    none: "Anahtarlarınızla ilgili henüz bir işlem yapılmadı.",
    what: "İşlem",
    from: "Nereden",
    operator: "pazaryeriniz",
    actions: {
      created: "Oluşturuldu",
      revealed: "Gösterildi",
      renamed: "Yeniden adlandırıldı",
      replaced: "Yenisiyle değiştirildi",
      revoked: "İptal edildi",
    },
  },
  docs,
  errors: {
    403: {
      title: "İzin verilmedi",
      text: "Form başka bir siteden gönderildi ya da çok uzun süre açık kaldı. Geri dönüp sayfayı yenileyin ve yeniden deneyin.",
    },
    404: {
      title: "Bulunamadı",
      text: "Bu sayfa yok ya da erişiminiz yok. URL'yi kontrol edin ya da buradan devam edin:",
    },
    405: {
      title: "Bu istek desteklenmiyor",
      text: "Bu URL bu tür istekleri kabul etmez. Geri dönüp yeniden deneyin.",
    },
    413: {
      title: "Çok büyük",
      text: "Gönderdiğiniz veri bu sayfa için çok büyük. Kısaltıp yeniden deneyin.",
    },
    421: {
      title: "Yanlış sunucu adı",
      text: "Bu sayfaların URL'si başka. Sayfaları size gönderilen bağlantıdan açın.",
    },
    500: {
      title: "Bir hata oluştu",
      text: "Sunucuda bir hata oluştu. Birazdan yeniden deneyin.",
    },
    503: {
      title: "Şu anda kullanılamıyor",
      text: "Hizmet şu anda yanıt veremiyor. Birazdan yeniden deneyin.",
    },
    home: "Ana sayfaya git",
    overview: "Genel bakışa git",
  },
}
