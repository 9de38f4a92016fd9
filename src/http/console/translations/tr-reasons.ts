/** Why a line of a feed was refused. The feed says it in English, as reports and commands do. */
const reasons: Readonly<Record<string, string>> = {
  "is missing": "eksik",
  "is missing (only audio items have none)": "eksik (yalnızca ses ürünlerinde bulunmaz)",
  "is missing (0000-00-00 is not a date)": "eksik (0000-00-00 bir tarih değil)",
  "is missing (was_author needs it)": "eksik (was_author için gerekli)",
  "is missing (a key that was replaced has an end)":
    "eksik (yenisiyle değiştirilen anahtarın bir bitişi olur)",
  "is required: a patch cannot remove it": "gerekli: bir yama onu kaldıramaz",
  "is not a member the contract knows": "sözleşmenin tanımadığı bir alan",
  "is given twice": "iki kez verilmiş",
  "is before 1970": "1970'ten önce",
  "is in the future": "gelecekte",
  "is too large for a number": "bir sayı için fazla büyük",
  "is a day or a time that does not exist": "var olmayan bir gün ya da saat",
  "is not valid JSON": "geçerli JSON değil",
  "is not valid UTF-8": "geçerli UTF-8 değil",
  "is nested too deeply": "fazla iç içe",
  "is no code: stores write it where there is none": "kod değil: mağazalar bunu kod yokken yazar",
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
  "must be account, key, password, item or purchase":
    "account, key, password, item veya purchase olmalı",
  "must have no white space at its ends": "başında ve sonunda boşluk olmamalı",
  "must hold at least one entry; leave it out when there is none":
    "en az bir öğe içermeli; öğe yoksa alanı hiç yazmayın",
  "must not be empty": "boş olmamalı",
  "belongs to another account": "başka bir hesaba ait",
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
export type Sentences = readonly (readonly [english: string, turkish: string])[]

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
export function findSentence(sentences: Sentences, text: string): string | null {
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
