/**
 * Sentences of `pazar doctor`, of pulls and of full feeds, which say them in English: the store keeps them, and
 * commands print them. `{}` is a value.
 */
import { findSentence, type Sentences } from "./tr-reasons.ts"

const sentences: Sentences = [
  ["configuration", "ayarlar"],
  ["disk", "disk"],
  ["file limit", "dosya sınırı"],
  ["permissions", "izinler"],
  ["clock", "saat"],
  ["waiting", "bekleyen kayıtlar"],

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
  ["this shell allows {} open files", "bu kabuk en çok $1 açık dosyaya izin veriyor"],
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
]

/** The rest of the text is a sentence of its own, or the message of a database driver. */
const openings: readonly (readonly [RegExp, string])[] = [
  [
    /^the pull cannot open the database (.+?) at (.+?): /,
    "çekme, $2 adresindeki $1 veritabanını açamıyor: ",
  ],
  [/^the pull cannot open (.+?): /, "çekme, $1 veritabanını açamıyor: "],
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
