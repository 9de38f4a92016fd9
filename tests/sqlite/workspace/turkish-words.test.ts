/** Turkish words that were translated word for word, or say the opposite, and must not come back. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"

/** Each with what to say instead. */
const avoided: readonly (readonly [RegExp, string])[] = [
  [/çağr/i, "istek"],
  [/denetle/i, "sorgula, doğrula or kontrol et"],
  [/kimli[kğ]/i, "ID"],
  // Reloading a page is "yenilemek"; replacing a key is not.
  [/(?<!sayfayı )\byenile(?!r)/i, "değiştir"],
  [/oturumu? aç/i, "giriş yap"],
  [/oturumdan çık/i, "çıkış yap"],
  [/belgeler|belgelendirme/i, "dokümantasyon"],
  [/başvuru/i, "referans"],
  [/etkinlik/i, "işlem geçmişi"],
  [/deneme anahtar/i, "test anahtarı"],
  [/bağlantınızı dene/i, "entegrasyonunuzu deneyin"],
  [/gelecektekiler/i, "sonradan eklenenler dahil"],
  [/birbirini tutmuyor|parolanız bu değil/i, "hatalı"],
  [/şimdiki/i, "mevcut or geçerli"],
  [/makbuz/i, "sipariş e-postası"],
  [/başından geç/i, "son işlemler"],
  [/"olmaz/i, "desteklenmiyor"],
  [/regular lisans/i, "normal lisans"],
  [/yeğle/i, "tercih et"],
]

const root = `${import.meta.dir}/../../..`
const files = [
  ...new Bun.Glob("src/http/**/translations/tr*.ts").scanSync(root),
  ...new Bun.Glob("src/http/**/text/tr/**/*.md").scanSync(root),
  "clients/php/src/wordpress.php",
]
const lines = files.flatMap((file) =>
  readFileSync(`${root}/${file}`, "utf8")
    .split("\n")
    .map((line) => `${file}: ${line.trim()}`),
)

test("the texts of the pages, of the documentation and of the API's description are found", () => {
  expect(files).toContain("src/http/pages/translations/tr.ts")
  expect(files).toContain("src/http/docs/text/tr/guides/clients.md")
  expect(files).toContain("src/http/openapi/translations/tr.ts")
})

test.each(avoided.map(([word, instead]) => ({ word, instead, avoided: word.source })))(
  "$instead, not $avoided",
  ({ word }) => {
    expect(lines.filter((line) => word.test(line))).toEqual([])
  },
)
