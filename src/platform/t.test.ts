import { expect, test } from "bun:test"
import { inLocale, t } from "./t.ts"
import { tr } from "./tr.ts"

const inBoth = (run: () => string) => [run(), inLocale("tr", run)]

test("a text is in the language of the reader, in English without one", () => {
  expect(inBoth(() => t("Create a key"))).toEqual(["Create a key", "Anahtar oluştur"])
})

test("what follows # in a key chooses the translation, and is not shown", () => {
  expect(inBoth(() => t("Create a key # step"))).toEqual(["Create a key", "Bir anahtar oluşturun"])
})

test("numbers and their nouns are written as in the language", () => {
  const items = (n: number) => inBoth(() => t("{n item|items}", { n }))
  expect(items(1)).toEqual(["1 item", "1 ürün"])
  expect(items(1_234)).toEqual(["1,234 items", "1.234 ürün"])
})

test("braces in a value stay, and lists are joined", () => {
  expect(t("Rotate “{name}”", { name: "{name}" })).toBe("Rotate “{name}”")
  expect(t("{statuses}: see Error codes", { statuses: ["429", "503"] })).toStartWith("429, 503:")
})

test("each translation has the values of its text, and no others", () => {
  const namesIn = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name).sort()
  for (const [english, turkish] of Object.entries(tr))
    expect([english, [...new Set(namesIn(turkish))]]).toEqual([
      english,
      [...new Set(namesIn(english))],
    ])
})

test("a language ends with its run, also after a wait", async () => {
  const waited = inLocale("tr", async () => {
    await Bun.sleep(1)
    return t("Save")
  })
  expect([t("Save"), await waited, t("Save")]).toEqual(["Save", "Kaydet", "Save"])
})

test("a missing value, one too many and an unknown text do not compile", () => {
  // @ts-expect-error
  t("Rotate “{name}”")
  // @ts-expect-error
  t("Rotate “{name}”", { nme: "x" })
  // @ts-expect-error
  t("Save", { name: "x" })
  // @ts-expect-error
  t("{n item|items}", { n: "2" })
  // @ts-expect-error
  t("Not in the table")
})
