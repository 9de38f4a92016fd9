/**
 * Three authors, every operation, every id and code of the two others, every kind of key: status, headers and
 * body are those of something that does not exist.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { account, audioMedia, item, type Line, purchase } from "../../contracts/records.ts"
import { type Program, startProgram } from "../../harness/program.ts"
import { type Answer, readAnswer } from "./ask.ts"
import { languages } from "./messages.ts"

const authors = ["ada", "bob", "cem"] as const
type Author = (typeof authors)[number]

const keyKinds = ["sk", "imported", "vk", "vk of one item", "tk"] as const
type KeyKind = (typeof keyKinds)[number]

const itemsOf = (author: Author): readonly Line[] => {
  const first = 10 * (authors.indexOf(author) + 1)
  return [
    item(author, first, { name: `Secret name of ${author}` }),
    item(author, first + 1, { hidden: true }),
    item(author, first + 2, { media: audioMedia }),
  ]
}
const idsOf = (author: Author) => itemsOf(author).map(({ id }) => Number(id))
const codesOf = (author: Author) => {
  const states = ["sold", "revoked", "hidden", "CASED"]
  return states.map((state) => `6f1c1d2e-${author}-${state}`)
}
function purchasesOf(author: Author): readonly Line[] {
  const [first = 0, hidden = 0] = idsOf(author)
  const [sold = "", revoked = "", ofHidden = "", cased = ""] = codesOf(author)
  return [
    purchase(sold, first, { buyer: `buyer-of-${author}` }),
    purchase(revoked, first, { revoked: true }),
    ...[purchase(ofHidden, hidden), purchase(cased, first)],
  ]
}
const othersOf = (author: Author) => authors.filter((each) => each !== author)

let program: Program
const secrets = new Map<string, string>()
const secretOf = (author: Author, kind: KeyKind) => secrets.get(`${author} ${kind}`) ?? ""

beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" })
  const { rejected } = await program.load([
    ...authors.map((name) => account(name, { api_key: `imported-key-of-${name}` })),
    ...authors.flatMap(itemsOf),
    ...authors.flatMap(purchasesOf),
  ])
  if (rejected > 0) throw new Error("the records were refused")
  for (const author of authors) {
    const [first = 0] = idsOf(author)
    const issued: readonly (readonly [KeyKind, string])[] = [
      ["sk", (await program.issue(author)).secret],
      ["imported", `imported-key-of-${author}`],
      ["vk", (await program.issue(author, "vk")).secret],
      ["vk of one item", (await program.issue(author, "vk", [first])).secret],
      ["tk", (await program.issue(author, "tk")).secret],
    ]
    for (const [kind, secret] of issued) secrets.set(`${author} ${kind}`, secret)
  }
})
afterAll(() => program.close())

type Question = (value: string | number, secret: string, language: string) => Promise<Answer>

const send = async (path: string, init: RequestInit) =>
  readAnswer(await fetch(`${program.url}${path}`, init))

const readItem = (method: string): Question => {
  return (id, secret, lang) =>
    send(`/api/items/item?item_id=${id}&lang=${lang}`, { method, headers: { "X-Api-Key": secret } })
}
const validate: Question = (purchase_code, api_key, lang) =>
  send("/api/purchases/validation", {
    method: "POST",
    body: new URLSearchParams({ purchase_code: String(purchase_code), api_key, lang }),
  })
const askSale: Question = (code, secret) =>
  send(`/v3/market/author/sale?code=${code}`, { headers: { Authorization: `Bearer ${secret}` } })

const cases = authors.flatMap((author) => keyKinds.map((kind) => ({ author, kind })))

describe.each(cases)("$author with a key of the kind $kind", ({ author, kind }) => {
  const others = othersOf(author)
  const language = languages[authors.indexOf(author) % languages.length] ?? "en"

  async function expectAbsent(
    ask: Question,
    absent: string | number,
    values: readonly (string | number)[],
  ) {
    const secret = secretOf(author, kind)
    const expected = await ask(absent, secret, language)
    expect(expected.status).toBeGreaterThanOrEqual(403)
    expect(expected.status).toBeLessThanOrEqual(404)
    const answers = await Promise.all(values.map((value) => ask(value, secret, language)))
    expect(answers.length).toBeGreaterThan(0)
    const different = answers
      .map((answer, at) => ({ value: values[at], ...answer }))
      .filter(({ value, ...answer }) => !Bun.deepEquals(answer, expected))
    expect(different).toEqual([])
  }

  test("the others' items", async () => {
    const ids = others.flatMap(idsOf)
    await expectAbsent(readItem("GET"), 99, ids)
    await expectAbsent(readItem("HEAD"), 99, ids)
  })

  test("the others' codes, in any case", async () => {
    const codes = others.flatMap(codesOf)
    const typed = codes.flatMap((code) => [code, code.toUpperCase(), code.toLowerCase()])
    await expectAbsent(validate, "6f1c1d2e-dan-sold", typed)
    await expectAbsent(askSale, "6f1c1d2e-dan-sold", typed)
  })

  test("the account and the list hold nothing of the others", async () => {
    const headers = { "X-Api-Key": secretOf(author, kind) }
    const answers = [
      await send("/api/account/details", { headers }),
      await send("/api/items/all", { headers }),
    ]
    const text = JSON.stringify(answers)
    const strange = others.flatMap((other) => [`${other}@example.com`, `Secret name of ${other}`])
    expect(strange.filter((each) => text.includes(each))).toEqual([])
    expect(others.flatMap(idsOf).filter((id) => text.includes(`"id":${id},`))).toEqual([])
  })
})

test("each author's own data is there, so the comparison is not empty", async () => {
  for (const author of authors) {
    const secret = secretOf(author, "sk")
    const [first = 0] = idsOf(author)
    const [sold = ""] = codesOf(author)
    const answers = [
      await readItem("GET")(first, secret, "en"),
      await validate(sold, secret, "en"),
      await askSale(sold, secret, "en"),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers[2]?.body).toContain(`buyer-of-${author}`)
  }
})
