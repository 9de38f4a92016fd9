/** Turkish that reads like a translation word by word, found by readers. None of it comes back. */
import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dir, "../..")
const stiff = [
  ...["söylenemiyor", "kullanamaz olmamalı", "başarısız oldukça", "satış soran bir ürün"],
  ...["bir dahaki değiştirişinizde", "pazar yeri", "Gövde sorgudan önce", "sayfası sorabilir"],
  ...["hiç olmayan bir koda", "Alıcılar geç günceller", "kaybınız yok", "İmza tabanını"],
  ...["kullanılıyor gibi:", "ikisinin birden kalamayacağı", "Geçerlilik sonu", "geri çekilmiş"],
  ...["Yarısı en çok", "’u en çok", "kalıcı olarak durur", "bir kez, yedi gün boyunca"],
  ...["başlatıldığı ayarlar", '"Süz"', '"Değiştirildi"'],
  // One word for one thing: an item is "yayında", and a site is released by "bırakmak".
  ...["görünür ürün", "görünür tüm", "görünür bir ürün", "görünen bütün", "yerinin boşaltılması"],
]
const texts = [
  "src/**/translations/tr*.ts",
  "src/http/docs/text/tr/**/*.md",
  "clients/php/src/*.php",
]
  .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)])
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8").toLocaleLowerCase("tr") }))

test.each(stiff)("nowhere: %s", (phrase) => {
  expect(texts.length).toBeGreaterThan(15)
  expect(
    texts
      .filter(({ text }) => text.includes(phrase.toLocaleLowerCase("tr")))
      .map(({ file }) => file),
  ).toEqual([])
})
