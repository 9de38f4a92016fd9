/** The texts of all problems in Turkish. */
import type { Params } from "./en.ts"
import type { Texts } from "./problem.ts"

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

const share = ({ type, records, total }: Params) =>
  `${count(total)} ${nouns[`${type}`]} içinden ${count(records)} tanesi (%${Number(((Number(records) / Number(total)) * 100).toPrecision(4))})`

export const tr: Texts = {
  missing: "eksik",
  empty: "boş olmamalı",
  empty_list: "boş bir liste olmamalı; öğe yoksa alanı hiç yazmayın",
  not_an_object: "bir nesne olmalı",
  not_a_list: "bir liste olmalı",
  not_a_string: "bir metin olmalı",
  not_a_number: "bir sayı olmalı",
  not_a_boolean: "true ya da false olmalı",
  not_an_integer: ({ min, max }) => `${min} ile ${max} arasında bir tam sayı olmalı`,
  not_a_url: "bir http veya https URL'si olmalı",
  not_a_currency: "üç harf olmalı",
  not_a_version: "noktalı bir sürüm numarası olmalı: major.minor.patch",
  not_a_timestamp: "saat dilimi olan bir ISO 8601 zaman damgası olmalı",
  no_time_zone:
    "saat dilimi yok (içe aktarmada --timezone, eşitleme dosyasında timezone ile verin)",
  no_such_time: "var olmayan bir gün ya da saat",
  before_1970: "1970'ten önce",
  not_a_username: ({ max }) => `başında ve sonunda boşluk olmayan 1–${max} karakter olmalı`,
  not_a_code: ({ max }) =>
    `normal biçimde 1–${max} karakter olmalı (NFKC, düz tireler, görünmeyen karakter yok, başında ve sonunda boşluk yok)`,
  placeholder: ({ value }) =>
    `${value === undefined ? "değer" : JSON.stringify(value)} bir yer tutucu`,
  untrimmed: "başında ve sonunda boşluk olmamalı",
  issued_key: ({ prefix }) =>
    `${prefix ?? "ön ek"} ile başlıyor; bu, burada oluşturulan anahtarların biçimi`,
  damaged_text: "bozuk metin işareti (U+FFFD) içeriyor",
  invalid_character: "NUL karakteri ya da yarım bir karakter içeriyor",
  too_long: ({ max }) => `en çok ${count(max)} karakter olabilir`,
  too_many_entries: ({ max }) => `en çok ${count(max)} öğe içerebilir`,
  too_many_digits: "bir sayının tutabileceğinden çok basamaklı",
  duplicate_field: "iki kez verilmiş",
  unknown_field: "bilinmeyen bir alan",
  unknown_type: "account, item veya purchase olmalı",
  not_removable: "gerekli: bir yama onu kaldıramaz",
  patch_of_deleted: "silinen bir kayıtta bulunmamalı",

  line_too_long: ({ max }) => `en çok ${count(max)} bayt olabilir`,
  invalid_json: "geçerli JSON değil",
  invalid_utf8: "geçerli UTF-8 değil",
  too_deep: "fazla iç içe",

  unknown_account: ({ username }) =>
    username === undefined ? "böyle bir hesap yok" : `${username} adlı hesap yok`,
  unknown_item: ({ id }) => (id === undefined ? "böyle bir ürün yok" : `${id} numaralı ürün yok`),
  unknown_purchase: ({ code }) =>
    code === undefined ? "böyle bir satış yok" : `${code} kodlu satış yok`,
  too_many_pending: ({ max }) => `gerek duyduğu kayıt yok ve şu anda ${count(max)} kayıt beklemede`,
  has_items: "hesabın hâlâ ürünleri var",
  has_purchases: "ürünün hâlâ satışları var",
  key_of_other_account:
    "başka bir hesaba ait; hesabın adı değiştiyse eski adı `was` alanında verin",
  both_accounts_exist: "her iki adla da birer hesap var",
  item_of_other_author: "ürün başka bir yazara ait",
  code_of_other_author: ({ item }) =>
    `kod, başka bir yazarın ${item === undefined ? "bir" : `${item} numaralı`} ürününe ait`,

  too_many_deletes: (params) =>
    `silmeden önce durduruldu: ${share(params)}; ${params.option} sınırı her tür için ${params.allowed}. Silinmeleri isteniyorsa daha yüksek bir ${params.option} ile yeniden çalıştırın`,
  too_many_revokes: (params) =>
    `iptal etmeden önce durduruldu: ${share(params)}; ${params.option} sınırı ${params.allowed}. İptalleri isteniyorsa daha yüksek bir ${params.option} ile yeniden çalıştırın`,
  too_many_missing: (params) =>
    `beslemede eksik: ${share(params)}; ${params.option} sınırı her tür için ${params.allowed}. Gerçekten silinmişlerse ${params.option} ${params.needed} ile yeniden içe aktarın`,
  unnamed_record: ({ line }) => `${line}. satır hangi kayıt olduğunu belirtmiyor`,
  no_end_line: "beslemenin bitiş satırı yok; yarıda kesilmiş olabilir",
  records_after_end: "beslemede bitiş satırından sonra kayıtlar var",
  wrong_end_count: ({ type, expected, found }) =>
    `bitiş satırı ${expected} ${nouns[`${type}`]} sayıyor, oysa beslemede ${found} tane var`,
  rejected_strictly:
    "bazı satırlar ya da silmeler reddedildi; --strict bu durumda hiçbir şey saklamaz",
  internal_error: "programda bir hata oldu; komutun çıktısında yazıyor",
  other: ({ text }) => `${text}`,

  // What `pazar doctor` and the console find.
  standby: "veritabanı birincil sunucu değil, bir kopya (standby); yazma kabul etmiyor",
  name_primary:
    "DATABASE_URL birincil sunucuyu göstermeli; tek başına ya da birkaç sunucu arasında.",
  read_only: "veritabanı yazma kabul etmiyor: salt okunur olarak ayarlanmış",
  allow_writes:
    "Rolün, veritabanının ve sunucunun default_transaction_read_only ayarına bakın. Bazı sağlayıcılar disk dolduğunda bu ayarı açar.",
  key_not_needed: "önceki anahtara artık gerek yok",
  remove_previous_key:
    "PAZAR_MASTER_KEY_PREVIOUS ve PAZAR_MASTER_KEY_PREVIOUS_FILE değişkenlerini bütün sunucuların ayarlarından kaldırın.",
  key_still_needed: "verilerin bir kısmı önceki anahtarla şifrelenmiş",
  run_reseal:
    "Bütün sunucuları iki anahtarla başlatın, ardından `pazar master-key reseal` komutunu çalıştırın.",
  put_back_key:
    "Anahtar kaybolduysa ya da bu başka bir anahtarsa, başka bir yerde sakladığınız kopyayı geri koyun. Çalışan sunucular onu hâlâ bellekte tutuyor, ama onsuz yeniden başlayamaz.",
  import_failed: ({ id, source }) => `${source} kaynağından ${id}. içe aktarma başarısız oldu`,
  import_interrupted: ({ id, source, line }) =>
    `${source} kaynağından ${id}. içe aktarma ${line}. satırdan sonra yarıda kaldı`,
  import_rejected: ({ id, source, lines }) =>
    `${source} kaynağından ${id}. içe aktarma ${count(lines)} satırı reddetti`,
  import_removed_nothing: ({ id, source }) =>
    `${source} kaynağından ${id}. içe aktarma hiçbir şey silmedi`,
  see_import:
    "Ayrıntıları `pazar imports NUMARA` gösterir. Bu kaynaktan bir içe aktarma başarılı olana kadar, en çok 7 gün burada kalır.",
  pull_overdue: ({ name, at }) =>
    `${name} gecikti: ${at === undefined ? "hiç başarılı olmadı" : `en son ${at} tarihinde başarılı oldu`}`,
  see_pull: "Onu çalıştıran hizmete bakın: o zamandan beri yapılan satışlar eksik.",
  older_server: ({ host, own, newest }) =>
    `${host} üzerindeki sunucu ${own} sürümünü çalıştırıyor, oysa ${newest} sürümü var`,
  install_newest: "Oraya en yeni sürümü kurun ve sunucuyu yeniden başlatın.",
  no_backup: "hiç yok",
  set_up_backups:
    "PAZAR_BACKUP_DIR ayarını yapın ya da `pazar backup` komutunu düzenli olarak çalıştırın; bkz. docs/backup.md.",
  backup_age: ({ hours }) =>
    Number(hours) < 48
      ? `en yenisi ${hours} saatlik`
      : `en yenisi ${Math.floor(Number(hours) / 24)} günlük`,
  repair_backups:
    "Onları alan sunucuya ya da zamanlayıcıya bakın ve `pazar backup` komutunu elle çalıştırın.",
  backup_failed: ({ text }) => `sunucu yedek alamadı: ${text}`,
  backup_retried:
    "On dakikada bir yeniden dener. PAZAR_BACKUP_DIR klasöründe yer var mı, sunucu oraya yazabiliyor mu?",
  records_wait: ({ records, type, identity }) =>
    records === 1
      ? `1 kayıt bir günden uzun süredir bekliyor: ${identity} (${nouns[`${type}`]})`
      : `${count(records)} kayıt bekliyor, bazıları bir günden uzun süredir; çoğunun beklediği: ${identity} (${nouns[`${type}`]})`,
  find_needed:
    "Bekledikleri kaydın neden reddedildiğini ya da neden gelmediğini `pazar imports` ile bulun.",
  endpoint_off: ({ id, owner }) =>
    `${owner === undefined ? "yöneticilerin" : `${owner} yazarının`} ${id} webhook adresi kapatıldı`,
  endpoint_gone: "adresi 410 yanıtı verdi",
  endpoint_failing: "denemeler beş gün boyunca başarısız oldu",
  endpoint_full: "çok fazla ileti bekliyordu",
  endpoint_owner: "Sunucusu iletileri yeniden kabul ettiğinde sahibi açar.",
  not_https: "PAZAR_PUBLIC_URL bir https adresi değil",
  use_tls: "Önüne bir TLS vekil sunucusu koyun: anahtarlar ve kodlar ağdan şifresiz geçmemeli.",
  no_trusted_proxies:
    "PAZAR_TRUSTED_PROXIES ayarlanmamış; bütün istekler vekil sunucudan geliyor gibi görünüyor",
  set_proxies: "Bu ayara TLS vekil sunucusunun adresini yazın.",
  disk_space: ({ free, used }) => `${megabytes(free)} boş, veritabanı ${megabytes(used)} kaplıyor`,
  free_disk:
    "Yer açın: veritabanının yanına alınan bir yedek ya da yapılan bir yükseltme, veritabanı kadar yer ister.",
  file_limit: ({ max }) => `burada bir program en çok ${count(max)} dosya açabilir`,
  raise_file_limit:
    "Sınırı sunucunun başlatıldığı yerde yükseltin: `ulimit -n 65536` ya da systemd için LimitNOFILE.",
  open_to_all: ({ path }) => `${path} bu makinenin her kullanıcısına açık`,
  open_to_group: ({ path }) => `${path} kendi grubuna açık`,
  open_folder: ({ path }) => `${path} klasörüne herkes yazabiliyor`,
  run_chmod: ({ mode, path }) => `Şu komutu çalıştırın: chmod ${mode} ${path}`,
  clock_behind: ({ now, newest }) =>
    `${now} gösteriyor, oysa veritabanında ${newest} tarihli bir kayıt var`,
  clock_differs: ({ seconds }) => `veritabanının saatinden ${seconds} saniye farklı`,
  sync_clocks:
    "Saatleri NTP ile doğru tutun: geçerlilik süreleri, oturumlar ve imzalar onlara bağlıdır.",
}
