/**
 * Sentences of `pazar doctor`, of pulls and of full feeds, which say them in English: the store keeps them, and
 * commands print them. `{}` is a value.
 */
/** Why a line of a feed was refused. The feed says it in English, as reports and commands do. */
const reasons: Readonly<Record<string, string>> = {
  "is missing": "eksik",
  "is missing (only audio items have none)": "eksik (yalnızca ses ürünlerinde bulunmaz)",
  "is missing (0000-00-00 is not a date)": "eksik (0000-00-00 bir tarih değil)",
  "is missing (was_author needs it)": "eksik (was_author için gerekli)",
  "is missing (a key that was replaced has an end)":
    "eksik (yenisiyle değiştirilen anahtarın bir bitişi olur)",
  "is required: a patch cannot remove it": "gerekli: bir yama onu kaldıramaz",
  "is an unknown field": "sözleşmenin tanımadığı bir alan",
  "is given twice": "iki kez verilmiş",
  "is before 1970": "1970'ten önce",
  "is too large for a number": "bir sayı için fazla büyük",
  "is a day or a time that does not exist": "var olmayan bir gün ya da saat",
  "is not valid JSON": "geçerli JSON değil",
  "is not valid UTF-8": "geçerli UTF-8 değil",
  "is nested too deeply": "fazla iç içe",
  "is no code: stores write it where there is none": "kod değil: mağazalar bunu kod yokken yazar",
  "is no key: stores write it where there is none":
    "anahtar değil: mağazalar bunu anahtar yokken yazar",
  "has more digits than a number can hold": "bir sayının tutabileceğinden çok basamaklı",
  "holds a blank": "boşluk içeriyor",
  "holds a NUL character": "NUL karakteri içeriyor",
  "holds half of a surrogate pair": "yarım bir karakter içeriyor",
  "holds the sign of damaged text, U+FFFD": "bozuk metin işareti (U+FFFD) içeriyor",
  "must be a list": "bir liste olmalı",
  "must be a string": "bir metin olmalı",
  "must be a number": "bir sayı olmalı",
  "must be an object": "bir nesne olmalı",
  "must be true or false": "true ya da false olmalı",
  "must be three letters": "üç harf olmalı",
  "must be base64": "base64 olmalı",
  "must be an http or https URL": "bir http veya https adresi olmalı",
  "must be an integer from 0 on": "0 veya daha büyük bir tam sayı olmalı",
  "must be an integer from 1 to 9007199254740991":
    "1 ile 9007199254740991 arasında bir tam sayı olmalı",
  "must be an ISO 8601 timestamp with a zone": "saat dilimi olan bir ISO 8601 zamanı olmalı",
  "must be a dotted version number, major.minor.patch":
    "noktalı bir sürüm numarası olmalı: major.minor.patch",
  "must be 1 to 255 characters with no white space at its ends":
    "başında ve sonunda boşluk olmayan 1–255 karakter olmalı",
  "must be 1 to 255 characters in normal form (NFKC, plain dashes, nothing invisible, no white space at its ends)":
    "normal biçimde 1–255 karakter olmalı (NFKC, düz tireler, görünmeyen karakter yok, başında ve sonunda boşluk yok)",
  "must be account, item or purchase": "account, item veya purchase olmalı",
  "must be left out of a record that is deleted": "silinen bir kayıtta bulunmamalı",
  "must have no white space at its ends": "başında ve sonunda boşluk olmamalı",
  "must hold at least one entry; leave it out when there is none":
    "en az bir öğe içermeli; öğe yoksa alanı hiç yazmayın",
  "must not be empty": "boş olmamalı",
  "belongs to another account; if it was renamed, give the old name in `was`":
    "başka bir hesaba ait; hesabın adı değiştiyse eski adı `was` alanında verin",
  "a code can belong to items of one author only":
    "bir kod yalnızca tek bir yazarın ürünlerine ait olabilir",
  "still has items": "hâlâ ürünleri var",
  "too many codes have its checksum": "aynı sağlama toplamına sahip çok fazla kod var",
  "the item belongs to another author": "ürün başka bir yazara ait",
  "the item still has purchases": "ürünün hâlâ satışları var",
  "there are two accounts": "iki hesap var",
  "there is no such account": "böyle bir hesap yok",
  "there is no such item": "böyle bir ürün yok",
  "there is no such purchase": "böyle bir satış yok",
}

/** English and Turkish. `{}` stands for a value, `$1` for the first one. */
type Sentences = readonly (readonly [english: string, turkish: string])[]

const sized: Sentences = [
  ["is longer than {} characters", "en çok $1 karakter olabilir"],
  ["is longer than {} bytes", "en çok $1 bayt olabilir"],
  ["must be at most {} characters", "en çok $1 karakter olabilir"],
  ["has more than {} entries", "en çok $1 öğe içerebilir"],
]

/** Null for a reason without a translation: the page then shows the English one, marked as such. */
export function translateReason(reason: string): string | null {
  const known = Object.hasOwn(reasons, reason) ? reasons[reason] : undefined
  return known ?? findSentence(sized, reason)
}

/** Null for a text that is none of these sentences. */
function findSentence(sentences: Sentences, text: string): string | null {
  for (const [english, turkish] of sentences) {
    const form = new RegExp(`^${RegExp.escape(english).replaceAll(escapedBraces, "(.+)")}$`, "s")
    const found = form.exec(text)
    if (found === null) continue
    return turkish.replaceAll(/\$(\d)/g, (_, at) => toTurkishValue(found[at] ?? ""))
  }
  return null
}

const escapedBraces = RegExp.escape("{}")

/** The numbers of a value: `1,234`, `1,234 MB`, `20 %`, `3 of 15 items (20 %) and 1 of 2 accounts (50 %)`. */
const toTurkishValue = (value: string) =>
  value
    .replace(/^\d{1,3}(,\d{3})+(?= MB$|$)/, (digits) => digits.replaceAll(",", "."))
    .replaceAll(/(\d+) of (\d+) (\w+) \(([\d.]+) %\)/g, "$3: $1 / $2 (%$4)")
    .replaceAll(/(?<=\(%[\d.]+\)) and /g, ", ")
    .replace(/^([\d.]+) %$/, "%$1")
    .replace(/^([\d.]+) % \(or (\d+)\)$/, "%$1 (en az $2)")

const sentences: Sentences = [
  ["configuration", "ayarlar"],
  ["disk", "disk"],
  ["file limit", "dosya sınırı"],
  ["permissions", "izinler"],
  ["clock", "saat"],
  ["waiting", "bekleyen kayıtlar"],
  ["imports", "içe aktarmalar"],
  ["pulls", "çekmeler"],
  ["webhooks", "webhook'lar"],
  ["backups", "yedekler"],
  ["upgrade", "yükseltme"],
  ["writes", "yazma"],
  ["purchases", "satışlar"],
  ["unknown codes", "bilinmeyen kodlar"],
  ["master key", "ana anahtar"],

  [
    "{} are valid, {} fewer than on {} ({})",
    "$1 satış geçerli; $3 tarihindeki sayıdan ($4) $2 daha az",
  ],
  [
    "Look for an import or a pull that deleted or revoked them: `pazar imports` lists the latest.",
    "Satışları silen ya da iptal eden bir içe aktarma veya çekme olup olmadığına bakın: son çalışanları `pazar imports` listeler.",
  ],
  [
    "{} of {} validations since yesterday, {} a week before",
    "dünden beri yapılan $2 doğrulamada oran $1; bir hafta önce $3 idi",
  ],
  [
    "Check that imports and pulls are complete and the clocks are correct. Guessed codes count, too.",
    "İçe aktarmaların ve çekmelerin eksiksiz, saatlerin doğru olduğundan emin olun. Deneme yoluyla girilen kodlar da sayılır.",
  ],

  [
    "the master key does not match this database: set the one that it has, or during a rotation the old one as PAZAR_MASTER_KEY_PREVIOUS_FILE",
    "ana anahtar bu veritabanının anahtarı değil: veritabanının anahtarını, anahtar yenilenirken de eskisini PAZAR_MASTER_KEY_PREVIOUS_FILE ile verin",
  ],
  ["the previous key is no longer needed", "önceki anahtara artık gerek yok"],
  [
    "Remove PAZAR_MASTER_KEY_PREVIOUS and PAZAR_MASTER_KEY_PREVIOUS_FILE from the settings of all servers.",
    "PAZAR_MASTER_KEY_PREVIOUS ve PAZAR_MASTER_KEY_PREVIOUS_FILE değişkenlerini bütün sunucuların ayarlarından kaldırın.",
  ],
  [
    "some data is encrypted with the previous key",
    "verilerin bir kısmı önceki anahtarla şifrelenmiş",
  ],
  [
    "Start all servers with both keys, then run `pazar master-key reseal`.",
    "Bütün sunucuları iki anahtarla başlatın, ardından `pazar master-key reseal` komutunu çalıştırın.",
  ],
  [
    "the master key file {} is open to every user of this machine: run chmod 600 {}",
    "$1 ana anahtar dosyası bu makinenin her kullanıcısına açık: chmod 600 $2 komutunu çalıştırın",
  ],
  [
    "the master key file {} must hold 32 bytes in base64",
    "$1 ana anahtar dosyasında base64 ile yazılmış 32 bayt bulunmalı",
  ],
  [
    "If the key is lost or another one, put back the copy that you keep elsewhere. Servers that run still hold it, and cannot start again without it.",
    "Anahtar kaybolduysa ya da bu başka bir anahtarsa, başka bir yerde sakladığınız kopyayı geri koyun. Çalışan sunucular onu hâlâ bellekte tutuyor, ama onsuz yeniden başlayamaz.",
  ],
  [
    "the database is a standby, and takes no writes",
    "veritabanı birincil sunucu değil, bir kopya (standby); yazma kabul etmiyor",
  ],
  [
    "DATABASE_URL must name the primary, alone or among several hosts.",
    "DATABASE_URL birincil sunucuyu göstermeli; tek başına ya da birkaç sunucu arasında.",
  ],
  [
    "the database takes no writes: it is set to read-only",
    "veritabanı yazma kabul etmiyor: salt okunur olarak ayarlanmış",
  ],
  [
    "Look for default_transaction_read_only of the role, the database and the server. Some providers set it when the disk is full.",
    "Rolün, veritabanının ve sunucunun default_transaction_read_only ayarına bakın. Bazı sağlayıcılar disk dolduğunda bu ayarı açar.",
  ],
  [
    "import {} from {} was interrupted after line {}",
    "$2 kaynağından $1. içe aktarma $3. satırdan sonra yarıda kaldı",
  ],
  ["import {} from {} refused 1 line", "$2 kaynağından $1. içe aktarma 1 satırı reddetti"],
  ["import {} from {} refused {} lines", "$2 kaynağından $1. içe aktarma $3 satırı reddetti"],
  [
    "`pazar imports ID` says more. It is listed until an import of this source succeeds, for at most 7 days.",
    "Ayrıntıları `pazar imports NUMARA` gösterir. Bu kaynaktan bir içe aktarma başarılı olana kadar, en çok 7 gün burada kalır.",
  ],
  ["its address answered 410", "adresi 410 yanıtı verdi"],
  ["every try failed for five days", "denemeler beş gün boyunca başarısız oldu"],
  ["too many messages waited for it", "çok fazla ileti bekliyordu"],
  [
    "Its owner turns it on when its server takes messages again.",
    "Sunucusu iletileri yeniden kabul ettiğinde sahibi açar.",
  ],
  ["{} is overdue: it never succeeded", "$1 gecikti: hiç başarılı olmadı"],
  ["{} is overdue: it last succeeded at {}", "$1 gecikti: en son $2 tarihinde başarılı oldu"],
  [
    "Look at the service that runs it: sales since then are missing.",
    "Onu çalıştıran hizmete bakın: o zamandan beri yapılan satışlar eksik.",
  ],
  [
    "the server on {} runs {}, and {} is there",
    "$1 üzerindeki sunucu $2 sürümünü çalıştırıyor, oysa $3 sürümü var",
  ],
  [
    "Install the newest version there, and start the server again.",
    "Oraya en yeni sürümü kurun ve sunucuyu yeniden başlatın.",
  ],
  ["there is none", "hiç yok"],
  [
    "Set PAZAR_BACKUP_DIR, or run `pazar backup` by a timer: docs/operating/backup-and-moving.md shows both.",
    "PAZAR_BACKUP_DIR ayarını yapın ya da `pazar backup` komutunu bir zamanlayıcıyla çalıştırın: docs/operating/backup-and-moving.md ikisini de anlatır.",
  ],
  ["the newest is {} hours old", "en yenisi $1 saatlik"],
  ["the newest is {} days old", "en yenisi $1 günlük"],
  ["the server could not make one: {}", "sunucu yedek alamadı: $1"],
  [
    "It tries again every ten minutes. Has PAZAR_BACKUP_DIR room, and may the server write there?",
    "On dakikada bir yeniden dener. PAZAR_BACKUP_DIR klasöründe yer var mı, sunucu oraya yazabiliyor mu?",
  ],
  [
    "Look at the server or the timer that makes them, and run `pazar backup` by hand.",
    "Onları alan sunucuya ya da zamanlayıcıya bakın ve `pazar backup` komutunu elle çalıştırın.",
  ],

  ["PAZAR_PUBLIC_URL is no https address", "PAZAR_PUBLIC_URL bir https adresi değil"],
  [
    "Put a TLS proxy in front: keys and codes must not cross a network in the clear.",
    "Önüne bir TLS vekil sunucusu koyun: anahtarlar ve kodlar ağdan şifresiz geçmemeli.",
  ],
  [
    "PAZAR_TRUSTED_PROXIES is not set, so all callers seem to come from the proxy",
    "PAZAR_TRUSTED_PROXIES ayarlanmamış; bütün istekler vekil sunucudan geliyor gibi görünüyor",
  ],
  ["Set it to the address of the TLS proxy.", "Bu ayara TLS vekil sunucusunun adresini yazın."],
  ["{} are free, and the store takes {}", "$1 boş, veri deposu $2 kaplıyor"],
  [
    "Free some room: a backup or an upgrade beside the store needs as much as the store.",
    "Yer açın: veri deposunun yanına alınan bir yedek ya da yapılan bir yükseltme, depo kadar yer ister.",
  ],
  ["a program may have {} files open here", "burada bir program en çok $1 dosya açabilir"],
  [
    "Raise it where the server is started: `ulimit -n 65536`, or LimitNOFILE in systemd.",
    "Sınırı sunucunun başlatıldığı yerde yükseltin: `ulimit -n 65536` ya da systemd için LimitNOFILE.",
  ],
  ["{} is open to every user of this machine", "$1 bu makinenin her kullanıcısına açık"],
  ["{} is open to its group", "$1 kendi grubuna açık"],
  ["everybody may write to {}", "$1 klasörüne herkes yazabiliyor"],
  ["Run chmod {}", "Şu komutu çalıştırın: chmod $1"],
  [
    "it shows {}, but the store has an entry of {}",
    "$1 gösteriyor, oysa veri deposunda $2 tarihli bir kayıt var",
  ],
  ["it differs from that of the database by {} s", "veritabanının saatinden $1 saniye farklı"],
  [
    "Keep the clocks in time with NTP: expiry, sessions and signatures depend on them.",
    "Saatleri NTP ile doğru tutun: geçerlilik süreleri, oturumlar ve imzalar onlara bağlıdır.",
  ],
  [
    "1 record waits, for more than a day, for account {}",
    "1 kayıt bir günden uzun süredir $1 adlı yazarı bekliyor",
  ],
  [
    "1 record waits, for more than a day, for item {}",
    "1 kayıt bir günden uzun süredir $1 numaralı ürünü bekliyor",
  ],
  [
    "{} records wait, some for more than a day; most of them for account {}",
    "$1 kayıt bekliyor, bazıları bir günden uzun süredir; çoğu $2 adlı yazarı bekliyor",
  ],
  [
    "{} records wait, some for more than a day; most of them for item {}",
    "$1 kayıt bekliyor, bazıları bir günden uzun süredir; çoğu $2 numaralı ürünü bekliyor",
  ],
  [
    "Find out with `pazar imports` why what they need was refused or never came.",
    "Bekledikleri kaydın neden reddedildiğini ya da neden gelmediğini `pazar imports` ile bulun.",
  ],

  [
    "rows were refused, and --strict then keeps nothing",
    "bazı satırlar reddedildi; --strict bu durumda hiçbir şey saklamaz",
  ],
  [
    "lines were refused, and --strict then keeps nothing",
    "bazı satırlar reddedildi; --strict bu durumda hiçbir şey saklamaz",
  ],
  [
    "removals were refused, and --strict then keeps nothing",
    "silme reddedildi; --strict bu durumda hiçbir şey saklamaz",
  ],
  [
    "an error of the program; the output of the import has it",
    "programda bir hata oldu; içe aktarmanın çıktısında yazıyor",
  ],
  [
    "an error of the program; the output of the pull has it",
    "programda bir hata oldu; çekmenin çıktısında yazıyor",
  ],
  ["the database sent nothing for {} s", "veritabanı $1 saniye boyunca hiçbir şey göndermedi"],
  ["it is no SELECT", "bu bir SELECT değil"],
  ["it has a parameter that is not :since", ":since dışında bir parametresi var"],
  ["it has a `?`; only :since is bound", "içinde `?` var; yalnızca :since bir değer alır"],
  [
    "column {} is no member of {} {}; docs/feed.md lists them",
    "$3 kaydında $1 diye bir alan yok; alanlar docs/feed.md belgesindedir",
  ],
  ["column {} is given twice", "$1 sütunu iki kez verilmiş"],
  [
    "column {} and a column of its members cannot both be given",
    "$1 sütunu, alanlarından birinin sütunuyla birlikte verilemez",
  ],
  ["there is no column {}", "$1 sütunu yok"],

  ["line {} does not say which record it is", "$1. satır hangi kayıt olduğunu belirtmiyor"],
  [
    "row {} of {} does not say which record it is",
    "$2 sorgusunun $1. satırı hangi kayıt olduğunu belirtmiyor",
  ],
  ["it has no end line, so it may have been cut off", "bitiş satırı yok; yarıda kesilmiş olabilir"],
  ["there are records after its end line", "bitiş satırından sonra kayıtlar var"],
  [
    "its end line counts {} {}, but it has {}",
    "bitiş satırı $2 için $1 sayıyor, oysa beslemede $3 tane var",
  ],
  [
    "it lacks {}, and --max-deletes allows {} of each type; if they are really gone, import it again with --max-deletes {}",
    "beslemede eksik olanlar: $1; --max-deletes sınırı her tür için $2. Gerçekten silinmişlerse --max-deletes $3 ile yeniden içe aktarın",
  ],
  [
    "stopped before it would delete {}, and {} allows {} of each type; if this is intended, run it again with a higher {}",
    "silmeden önce durduruldu: $1; $2 sınırı her tür için $3. Silinmeleri isteniyorsa daha yüksek bir $4 ile yeniden çalıştırın",
  ],
  [
    "stopped before it would revoke {}, and {} allows {} of each type; if this is intended, run it again with a higher {}",
    "iptal etmeden önce durduruldu: $1; $2 sınırı $3. İptalleri isteniyorsa daha yüksek bir $4 ile yeniden çalıştırın",
  ],
]

/** The rest of the text is a sentence of its own, or the message of a database driver. */
const openings: readonly (readonly [RegExp, string])[] = [
  [
    /^the pull cannot open the database (.+?) at (.+?): /,
    "çekme, $2 adresindeki $1 veritabanını açamıyor: ",
  ],
  [/^the pull cannot open (.+?): /, "çekme, $1 veritabanını açamıyor: "],
  [/^the master key file (.+?) cannot be read: /, "$1 ana anahtar dosyası okunamıyor: "],
  [/^import (\d+) from (.+?) failed: /s, "$2 kaynağından $1. içe aktarma başarısız oldu: "],
  [
    /^import (\d+) from (.+?) removed nothing: /s,
    "$2 kaynağından $1. içe aktarma hiçbir şey silmedi: ",
  ],
  [
    /^endpoint (\S+) of the operators was turned off: /,
    "yöneticilerin $1 webhook adresi kapatıldı: ",
  ],
  [/^endpoint (\S+) of (.+?) was turned off: /, "$2 yazarının $1 webhook adresi kapatıldı: "],
  [/^(?:the SELECT of )?(accounts|items|purchases): /, "$1 sorgusu: "],
]

/** Columns may have several problems. A long text was cut off, so the last one may be unknown. */
const problemOfColumn = /^(?:accounts|items|purchases): /
const nextProblem = /; (?=(?:accounts|items|purchases): )/

/** `foreign` follows: words that are not ours, in English. */
export type Told = Readonly<{ own: string; foreign: string }>

export function translateProblem(text: string): Told {
  const problems = problemOfColumn.test(text) ? text.split(nextProblem) : [text]
  const told = problems.map(translateSentence)
  return {
    own: told.map(({ own }) => own).join("; "),
    foreign: told.map(({ foreign }) => foreign).join(""),
  }
}

function translateSentence(text: string): Told {
  const sentence = findSentence(sentences, text)
  if (sentence !== null) return { own: sentence, foreign: "" }
  const opening = openings.find(([form]) => form.test(text))
  if (opening === undefined) return { own: "", foreign: text }
  const [form, turkish] = opening
  const [whole = ""] = form.exec(text) ?? []
  const rest = translateSentence(text.slice(whole.length))
  return { own: whole.replace(form, turkish) + rest.own, foreign: rest.foreign }
}
