import type { Texts } from "./problem.ts"
import type { Params } from "./problem-texts.ts"

const count = (value: string | number | undefined) => Number(value).toLocaleString("tr")

const nouns: Readonly<Record<string, string>> = {
  account: "hesap",
  item: "ürün",
  purchase: "satış",
  accounts: "hesap",
  items: "ürün",
  purchases: "satış",
}

const megabytes = (bytes: string | number | undefined) =>
  `${count(Math.floor(Number(bytes) / 1000 ** 2))} MB`

const kilobytes = (bytes: string | number | undefined) =>
  `${count(Math.ceil((Number(bytes) / 1024) * 10) / 10)} KB`

const share = ({ type, records, total }: Params) =>
  `${count(total)} ${nouns[`${type}`]} içinden ${count(records)} tanesi (%${Number(((Number(records) / Number(total)) * 100).toPrecision(4))})`

/** `1% (en az 20, en çok 100)`, unless the limit was set. */
function limit({ allowed, atLeast, atMost }: Params): string {
  const bounds = [
    atLeast === undefined ? [] : `en az ${count(atLeast)}`,
    atMost === undefined ? [] : `en çok ${count(atMost)}`,
  ].flat()
  return bounds.length === 0 ? `${allowed}` : `${allowed} (${bounds.join(", ")})`
}

const waitingEmails = ({ count: emails, since, until }: Params) =>
  Number(emails) === 1
    ? `1 e-posta ${since} tarihinden beri bekliyor ve ${until} tarihine kadar denenecek`
    : `${count(emails)} e-posta ${since} tarihinden beri bekliyor; ilki ${until} tarihine kadar denenecek`

export const tr: Texts = {
  // A field.
  missing: "eksik",
  empty: "boş olmamalı",
  empty_list: "boş bir dizi olmamalı; alanı hiç göndermeyin",
  not_an_object: "bir nesne olmalı",
  not_a_list: "bir dizi olmalı",
  not_a_string: "bir metin olmalı",
  not_a_number: "bir sayı olmalı",
  not_a_boolean: "true ya da false olmalı",
  not_an_integer: ({ min, max }) => `${min} ile ${max} arasında bir tam sayı olmalı`,
  not_a_url: "bir http veya https URL'si olmalı",
  not_an_https_url: "bir https URL'si olmalı",
  signed_parameter: "Pazar'ın eklediği expires ve signature parametrelerini içermemeli",
  not_a_currency: "üç harfli bir para birimi kodu olmalı",
  not_a_version: "1.4.0 gibi bir sürüm numarası olmalı",
  not_a_timestamp:
    "saat dilimi içeren bir ISO 8601 zaman damgası olmalı, örneğin 2026-01-31T02:00:00Z",
  no_time_zone:
    "saat dilimi yok; ekleyin ya da --timezone seçeneğiyle veya eşitleme dosyasındaki timezone alanıyla belirtin",
  no_such_time: "var olmayan bir tarih ya da saat",
  before_1970: "1970'ten önce olmamalı",
  not_a_username: ({ max }) => `başında ve sonunda boşluk olmayan 1–${max} karakter olmalı`,
  not_a_code: ({ max }) =>
    `normal biçimde 1–${max} karakter olmalı (NFKC, düz tireler, görünmeyen karakter yok, başında ve sonunda boşluk yok)`,
  placeholder: ({ value }, field) =>
    `${value === undefined ? "değer" : JSON.stringify(value)} bir yer tutucu, ${field === "api_key" ? "API anahtarı değil; alanı hiç göndermeyin" : "satın alma kodu değil"}`,
  untrimmed: "başında ve sonunda boşluk olmamalı",
  issued_key: ({ prefix }) =>
    `Pazar'ın oluşturduğu anahtarlara ayrılmış ${prefix ?? "bir"} ön ekiyle başlıyor; alanı hiç göndermeyin`,
  damaged_text: "bozuk karakter (U+FFFD) içeriyor; kaynağın karakter kodlamasını denetleyin",
  invalid_character: "NUL karakteri ya da eşi olmayan bir vekil karakter içeriyor; kaldırın",
  too_long: ({ max }) => `en çok ${count(max)} karakter olabilir`,
  too_many_entries: ({ max }) => `en çok ${count(max)} öğe içerebilir`,
  too_many_digits: "bir sayının taşıyabileceğinden çok basamak içeriyor; yuvarlayın",
  duplicate_field: "iki kez geçiyor; birini kaldırın",
  unknown_field: "bilinen bir alan değil; düzeltin ya da kaldırın",
  unknown_type: "account, item veya purchase olmalı",
  not_removable: "zorunlu; yamayla kaldırılamaz",
  patch_of_deleted: "deleted ile birlikte kullanılamaz; birini kaldırın",

  // A line.
  line_too_long: ({ max }) => `en çok ${count(max)} bayt olabilir`,
  invalid_json: "geçerli JSON değil",
  item_too_large: ({ bytes, max }) =>
    `ürün en çok ${kilobytes(max)} olabilir${bytes === undefined ? "" : `, bu ürün ${kilobytes(bytes)}`}; metinlerini ya da listelerini kısaltın`,
  invalid_utf8: "geçerli UTF-8 değil",
  too_deep: "çok fazla iç içe düzey içeriyor",

  // Conflicts between a record and the database.
  unknown_account: ({ username }) =>
    `${username === undefined ? "hesap" : `${username} hesabı`} yok; önce onu içe aktarın`,
  unknown_item: ({ id }) =>
    `${id === undefined ? "ürün" : `${id} numaralı ürün`} yok; önce onu içe aktarın`,
  unknown_purchase: ({ code }) =>
    `${code === undefined ? "satış" : `${code} kodlu satış`} yok; önce onu içe aktarın`,
  too_many_pending: ({ max }) =>
    `bağlı olduğu kayıt yok ve ${count(max)} kayıt zaten beklemede; önce eksik kayıtları içe aktarın`,
  has_items:
    "hesabın hâlâ ürünleri ya da başka bir yazara taşınan ürünler için anahtarları var; önce ürünleri silin ya da taşıyın, anahtarları iptal edin",
  has_purchases: "ürünün hâlâ satışları var; önce onları silin",
  key_of_other_account:
    "başka bir hesaba ait; o hesabın adı değiştiyse eski adını `was` alanına yazın",
  both_accounts_exist:
    "iki adla da birer hesap var; `was` alanını kaldırın ya da hesaplardan birini silin",
  item_of_other_author: "ürün başka bir yazara ait; taşımak için `was_author` alanını ekleyin",
  code_of_other_author: ({ item }) =>
    `satın alma kodu başka bir yazarın ${item === undefined ? "bir" : `${item} numaralı`} ürününe ait; benzersiz bir kod kullanın`,

  // A run.
  too_many_deletes: (params) =>
    `silme işleminden önce durduruldu: ${share(params)}; ${params.option} tür başına ${limit(params)} silmeye izin veriyor; bunu istiyorsanız ${params.option} değerini yükseltip yeniden çalıştırın`,
  too_many_revokes: (params) =>
    `iptal işleminden önce durduruldu: ${share(params)}; ${params.option} ${limit(params)} iptale izin veriyor; bunu istiyorsanız ${params.option} değerini yükseltip yeniden çalıştırın`,
  too_many_missing: (params) =>
    `beslemede yok: ${share(params)}; ${params.option} tür başına ${limit(params)} silmeye izin veriyor; gerçekten silindilerse ${params.option} ${params.needed} ile yeniden içe aktarın`,
  unnamed_record: ({ line, row }) =>
    `${line}. satır hangi kayıt olduğunu belirtmiyor${row ? ` (${row})` : ""}; düzeltin`,
  no_end_line: "bitiş satırı yok; besleme yarıda kesilmiş olabilir",
  records_after_end: "bitiş satırından sonra kayıt var; bitiş satırını sona taşıyın",
  wrong_end_count: ({ type, expected, found }) =>
    `bitiş satırına göre ${expected} ${nouns[`${type}`]} olmalı, oysa beslemede ${found} tane var`,
  timestamps_ahead: ({ records, seconds }) =>
    `${count(records)} kaydın zaman damgası en çok ${count(seconds)} saniye ilerideydi ve şimdiki zaman sayıldı; kaynağın ve bu makinenin saatlerini eşitleyin`,
  records_repeated: ({ records }) =>
    `${count(records)} satır daha önceki bir satırı yineliyor; iptal edilmiş satır, yoksa ilk satır geçerli olur; her kaydı bir kez seçin`,
  rejected_strictly:
    "en az bir kayıt ya da silme reddedildi; --strict bu durumda hiçbir şey yazmaz",
  internal_error: "iç hata; komutun çıktısına bakın",
  other: ({ text }) => `${text}`,

  // An attempt to deliver a webhook.
  no_response: ({ seconds }) => `${seconds} saniye içinde yanıt gelmedi`,
  connection_closed: "bağlantı yanıt gelmeden kapandı",
  connection_failed: ({ reason }) => `bağlantı kurulamadı (${reason})`,
  not_http: "yanıt HTTP değil",
  url_without_tls: "URL https:// ile başlamalı",
  address_not_allowed: "sunucu adı çözümlenemedi ya da izin verilmeyen bir adrese gidiyor",

  // Findings of `pazar doctor` and the console.
  standby: "veritabanı bir yedek sunucu (standby) ve yazma kabul etmiyor",
  name_primary:
    "DATABASE_URL ayarına birincil sunucuyu yazın; tek başına ya da birkaç sunucudan biri olarak.",
  read_only: "veritabanı salt okunur",
  allow_writes:
    "Rolün, veritabanının ve sunucunun default_transaction_read_only ayarını denetleyin. Bazı sağlayıcılar disk dolunca bu ayarı açar.",
  key_not_needed: "önceki anahtara artık gerek yok",
  remove_previous_key:
    "PAZAR_MASTER_KEY_PREVIOUS ve PAZAR_MASTER_KEY_PREVIOUS_FILE değişkenlerini bütün sunucuların ayarlarından kaldırın.",
  key_still_needed: "verilerin bir kısmı önceki anahtarla şifrelenmiş",
  run_reseal:
    "Bütün sunucuları iki anahtarla başlatın, ardından `pazar master-key reseal` komutunu çalıştırın.",
  put_back_key:
    "Anahtar kaybolduysa ya da değiştiyse sakladığınız kopyadan geri yükleyin. Çalışan sunucular onu bellekte tutuyor, ama onsuz yeniden başlayamaz.",
  import_failed: ({ id, source }) => `${source} kaynağından ${id}. içe aktarma başarısız oldu`,
  import_interrupted: ({ id, source, line }) =>
    `${source} kaynağından ${id}. içe aktarma ${line}. satırdan sonra yarıda kaldı`,
  import_rejected: ({ id, source, lines }) =>
    `${source} kaynağından ${id}. içe aktarma ${count(lines)} satırı reddetti`,
  import_removed_nothing: ({ id, source }) =>
    `${source} kaynağından ${id}. içe aktarma hiçbir şey silmedi`,
  see_import: ({ id }) =>
    `Verileri ya da kaynağı düzeltip yeniden içe aktarın. Ayrıntıları \`pazar imports ${id}\` yazdırır.`,
  pull_overdue: ({ name, at }) =>
    `${name} gecikti: ${at === undefined ? "hiç başarılı olmadı" : `en son ${at} tarihinde başarılı oldu`}`,
  see_pull: "Veritabanı eşitlemesini çalıştıran hizmeti denetleyin: sonraki satışlar eksik.",
  older_server: ({ host, own, newest }) =>
    `${host} üzerindeki sunucu ${newest} sürümünden eski olan ${own} sürümünü çalıştırıyor`,
  install_newest: "Bu sunucuya en yeni sürümü kurun ve sunucuyu yeniden başlatın.",
  no_backup: "hiç yedek yok",
  set_up_backups:
    "PAZAR_BACKUP_DIR ayarını yapın ya da `pazar backup` komutunu düzenli olarak çalıştırın; bkz. docs/backup.md.",
  start_server: "Sunucuyu başlatın: ilk yedeği PAZAR_BACKUP_DIR klasörüne yazar.",
  backup_age: ({ hours }) =>
    Number(hours) < 48
      ? `en yenisi ${hours} saatlik`
      : `en yenisi ${Math.floor(Number(hours) / 24)} günlük`,
  repair_backups:
    "Yedekleri alan sunucuyu ya da zamanlayıcıyı denetleyin ve `pazar backup` komutunu elle çalıştırın.",
  backup_failed: ({ text }) => `sunucu yedek alamadı: ${text}`,
  backup_retried:
    "Sunucu on dakikada bir yeniden dener. PAZAR_BACKUP_DIR klasöründe boş yer olduğunu ve klasörün yazılabilir olduğunu denetleyin.",
  records_wait: ({ records, type, identity }) =>
    records === 1
      ? `1 kayıt bir günden uzun süredir beklemede; bağlı olduğu kayıt: ${identity} (${nouns[`${type}`]})`
      : `${count(records)} kayıt beklemede, bazıları bir günden uzun süredir; çoğunun bağlı olduğu kayıt: ${identity} (${nouns[`${type}`]})`,
  find_needed:
    "Bağlı oldukları kayıtların neden reddedildiğini ya da gönderilmediğini `pazar imports` ile görün.",
  endpoint_off: ({ url, owner }) =>
    `${owner === undefined ? "pazaryeri yöneticilerinin" : `${owner} hesabının`} ${url} webhook'u devre dışı bırakıldı`,
  endpoint_gone: "URL'si 410 yanıtı verdi",
  endpoint_failing: "bütün denemeler beş gün boyunca başarısız oldu",
  endpoint_full: "bekleyen ileti sayısı sınırı aştı",
  endpoint_failed: ({ url, at }) =>
    `yöneticilerin ${url} webhook'una gönderiler ${at} tarihinden beri başarısız`,
  check_receiver: "Sunucusunu denetleyin: süre dolmadan 2xx yanıtı vermelidir.",
  endpoint_owner: "Sunucusu iletileri yeniden kabul edince sahibi onu etkinleştirebilir.",
  mail_certificate: ({ server, reason }) =>
    `${server} posta sunucusunun sertifikası reddedildi: ${reason}`,
  mail_no_tls: ({ server }) => `${server} posta sunucusu TLS sunmuyor`,
  mail_credentials: ({ server, status }) =>
    `${server} posta sunucusu kullanıcıyı veya parolayı reddetti (${status})`,
  mail_host: ({ server }) => `${server} posta sunucusunun adı çözümlenemiyor`,
  mail_connection: ({ server, reason }) => `${server} posta sunucusu yanıt vermiyor (${reason})`,
  mail_response: ({ server, status }) =>
    `${server} posta sunucusu bir e-postayı reddetti (${status})`,
  mail_down: ({ at, ...waiting }) =>
    `${at} tarihinden beri e-posta gönderilemiyor${waiting.count === 0 ? "" : `; ${waitingEmails(waiting)}`}`,
  mail_delayed: (waiting) => waitingEmails(waiting),
  check_mail:
    "PAZAR_SMTP_URL ayarını ve posta sunucusunu denetleyin; `pazar doctor` bağlanmayı dener.",
  not_https: "PAZAR_PUBLIC_URL bir https URL'si değil",
  use_tls: "Önüne bir TLS vekil sunucusu koyun: anahtarlar ve kodlar ağdan şifresiz geçmemeli.",
  no_trusted_proxies:
    "PAZAR_TRUSTED_PROXIES ayarlanmamış; bütün istekler vekil sunucudan geliyor gibi görünüyor",
  set_proxies: "Bu ayara TLS vekil sunucusunun IP adresini yazın.",
  disk_space: ({ free, used }) => `${megabytes(free)} boş, veritabanı ${megabytes(used)} kaplıyor`,
  free_disk: "Diskte yer açın: yedek ya da yükseltme, veritabanı kadar yer gerektirir.",
  file_limit: ({ max }) => `bir süreç en çok ${count(max)} dosya açabilir`,
  raise_file_limit:
    "Sunucu sürecinin sınırını yükseltin: `ulimit -n 65536` ya da systemd için LimitNOFILE.",
  open_to_all: ({ path }) =>
    `bu makinenin her kullanıcısı ${path} dosyasını okuyabilir ya da yazabilir`,
  open_to_group: ({ path }) => `${path} dosyasını grubu okuyabilir ya da yazabilir`,
  open_folder: ({ path }) => `her kullanıcı ${path} klasörüne yazabilir`,
  run_chmod: ({ mode, path }) => `Şu komutu çalıştırın: \`chmod ${mode} ${path}\``,
  clock_behind: ({ now, newest }) =>
    `${now} gösteriyor, oysa veritabanındaki son kayıt ${newest} tarihli`,
  clock_differs: ({ seconds }) => `veritabanının saatinden ${seconds} saniye farklı`,
  sync_clocks:
    "Saatleri eşitleyin, örneğin `timedatectl set-ntp true` ile: geçerlilik süreleri, oturumlar ve imzalar onlara bağlıdır.",
  sync_clocks_behind:
    "Saatleri eşitleyin, örneğin `timedatectl set-ntp true` ile. Şu anda doğruysalar, bu uyarı bir sonraki içe aktarma veya değişiklikle kalkar.",
}
