import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setSystemTime,
  test,
} from "bun:test"
import decodeQrCode from "jsqr"
import { twoFactorMetadataKey } from "../../src/people/two-factor.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { openVisitor, type PageResponse, type Visitor } from "../harness/browser/visitor.ts"
import { nextTotpCode } from "../harness/next-totp-code.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account } from "../harness/records.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import {
  addOperator,
  openNewOperator,
  openOperator,
  operatorPassword,
  signInOperator,
  totpCode,
} from "../harness/test-operators.ts"
import { until } from "../harness/until.ts"

let program: Program
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "info" })
})
afterEach(() => setSystemTime())
afterAll(() => program.close())
beforeEach(async () => {
  await removeOperators()
  await queryStore(program, "DELETE FROM sign_in_failures")
})

async function removeOperators(): Promise<void> {
  const { operators } = program.app.store
  // The last admin could not be removed.
  await queryStore(program, "UPDATE operators SET role = 'viewer'")
  for (const { id } of await operators.list()) await operators.remove(id)
}
const goesTo = ({ status, location }: PageResponse) => [status, location]
const isIn = async (visitor: Visitor) => (await visitor.get("/console")).status === 200
const secretOf = (text: string) => /<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(" ", "")
function scanQrCode(html: string): string | undefined {
  const size = Number(/class="qr" viewBox="0 0 (\d+) /.exec(html)?.[1])
  const pixelsEach = 4
  const width = size * pixelsEach
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  for (const [, x, y] of html.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    const corner = Number(y) * pixelsEach * width + Number(x) * pixelsEach
    for (let row = 0; row < pixelsEach; row += 1) {
      const from = (corner + row * width) * 4
      pixels.fill(0, from, from + pixelsEach * 4)
    }
  }
  for (let alpha = 3; alpha < pixels.length; alpha += 4) pixels[alpha] = 255
  return decodeQrCode(pixels, width, width)?.data
}
const setUpPath = "/console/security/second-factor"

async function setUp(visitor: Visitor, password = "kiraz bülbül pencere") {
  const secret = secretOf((await visitor.get(setUpPath)).text) ?? ""
  const form = { secret, code: totpCode(secret), password }
  const response = await visitor.submit(setUpPath, form, setUpPath)
  const codes = [...response.text.matchAll(/<li>((?:[a-z2-7]{4}-){3}[a-z2-7]{4})<\/li>/g)]
  return { secret, response, codes: codes.map(([, code = ""]) => code) }
}

describe("404: without an operator every console path is unknown", () => {
  const comparable = ({ status, headers, text }: PageResponse) => ({
    status,
    headers: [...headers].filter(([name]) => name !== "date" && name !== "request-id"),
    text: text.replaceAll(/\/(?:console|unknown)[\w/?=-]*/g, ""),
  })
  test.each(["", "/login", "/invite/x", "/authors", "/security/second-factor"])(
    "/console%s, by GET and POST",
    async (path) => {
      const visitor = openVisitor(program.url)
      for (const method of ["GET", "HEAD", "POST", "PUT"]) {
        const [known, unknown] = [`/console${path}`, `/unknown${path}`]
        const responses = [known, unknown].map((each) => visitor.sendRequest(each, { method }))
        const [found, absent] = (await Promise.all(responses)).map(comparable)
        expect(found).toEqual(absent)
      }
    },
  )
  test("paths exist from the first operator until the last one is removed", async () => {
    const visitor = openVisitor(program.url)
    await addOperator(program, "deniz")
    expect((await visitor.get("/console")).location).toStartWith("/login?")
    const deniz = await openOperator(program.url, "deniz")
    await removeOperators()
    expect((await deniz.get("/console")).status).toBe(404)
  })
})

test("303: without a session every page redirects to the sign-in, which keeps the URL", async () => {
  await addOperator(program, "deniz")
  const visitor = openVisitor(program.url)
  for (const path of ["/console", "/console/none"]) {
    const wanted = new URLSearchParams({ next: `${path}?a=b` })
    expect(goesTo(await visitor.get(`${path}?a=b`))).toEqual([303, `/login?${wanted}`])
  }
  const next = "/console/security?x=1"
  expect(goesTo(await signInOperator(visitor, "DENIZ", { next }))).toEqual([303, next])
  for (const outside of ["//evil.example", "/consolex", "/docs", "/console\\evil"]) {
    const response = await signInOperator(openVisitor(program.url), "deniz", { next: outside })
    expect(goesTo(response)).toEqual([303, "/console"])
  }
})

test("401: a wrong name or password returns the same page, and none is logged", async () => {
  await addOperator(program, "deniz")
  await setUp(await openOperator(program.url, "deniz"))
  const wrong = [{ name: "nobody" }, { password: "something else entirely" }]
  const pages = new Set<string>()
  for (const changes of wrong) {
    const { status, text } = await signInOperator(openVisitor(program.url), "deniz", changes)
    pages.add(`${status} ${text.replace(/value="[^"]*"/g, "")}`)
  }
  expect(pages.size).toBe(1)
  expect(unescapeHtml([...pages].join())).toContain("Wrong username or password.")
  const log = program.logged()
  expect(log).toContain('"outcome":"wrong","ipRange":"127.0.0.0/24","username":"deniz"')
  expect(log).not.toMatch(/nobody|something else/)
})

test("429: guessing is throttled", async () => {
  await addOperator(program, "deniz")
  const visitor = openVisitor(program.url)
  const statuses: number[] = []
  for (let i = 0; i < 11; i += 1) {
    statuses.push((await signInOperator(visitor, "deniz", { password: "wrong one" })).status)
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429])
})

test("signing out ends the session", async () => {
  const visitor = await openNewOperator(program, "deniz")
  const token = visitor.cookies.get("pazar") ?? ""
  expect(goesTo(await visitor.submit("/logout", {}, "/console"))).toEqual([...[303, "/login"]])
  visitor.cookies.set("pazar", token)
  expect(await isIn(visitor)).toBe(false)
})

describe("a link", () => {
  test("sets a password once, and signs the operator in", async () => {
    const path = await addOperator(program, "deniz", null)
    const visitor = openVisitor(program.url)
    const password = "elma armut pencere"
    const form = { password, repeat: password }
    expect((await visitor.submit(path, { ...form, repeat: "" }, path)).status).toBe(422)
    expect((await visitor.submit(path, { password: "deniz12345" }, path)).status).toBe(422)
    expect(goesTo(await visitor.submit(path, form, path))).toEqual([
      ...[303, "/console?done=welcome"],
    ])
    expect(await isIn(visitor)).toBe(true)
    expect((await visitor.get(path)).status).toBe(404)
    const other = openVisitor(program.url)
    expect(goesTo(await signInOperator(other, "deniz", { password }))).toEqual([303, "/console"])
  })

  test("signs in nobody who has two-factor authentication", async () => {
    await addOperator(program, "deniz")
    await setUp(await openOperator(program.url, "deniz"))
    const cem = await openNewOperator(program, "cem")
    const list = (await cem.get("/console/operators")).text
    const [, again = ""] = /href="(\/console\/operators\/\d+\/link)"/.exec(list) ?? []
    const shown = (await cem.submit(again, {}, again)).text
    const [, path = ""] = /<code>[^<]*?(\/invite\/[^<]+)<\/code>/.exec(shown) ?? []
    const visitor = openVisitor(program.url)
    const form = { password: "elma armut pencere", repeat: "elma armut pencere" }
    expect(goesTo(await visitor.submit(path, form, path))).toEqual([
      ...[303, "/login/code?done=first_password"],
    ])
    expect(await isIn(visitor)).toBe(false)
  })
})

describe("two-factor authentication", () => {
  test("is set up with password and code, and required from then on", async () => {
    const visitor = await openNewOperator(program, "deniz")
    const wrongPassword = await setUp(visitor, "not the password")
    expect([wrongPassword.response.status, wrongPassword.codes]).toEqual([422, []])
    expect(secretOf(wrongPassword.response.text)).toBe(wrongPassword.secret)
    const { secret, response, codes } = await setUp(visitor)
    expect([response.status, codes.length]).toEqual([200, 10])
    const again = (changes: Record<string, string>) =>
      signInOperator(openVisitor(program.url), "deniz", changes).then(({ status }) => status)
    const pending = openVisitor(program.url)
    expect(goesTo(await signInOperator(pending, "deniz"))).toEqual([
      ...[303, "/login/code?next=%2Fconsole"],
    ])
    expect(await isIn(pending)).toBe(false)
    const next = nextTotpCode(secret)
    expect([await again({ code: next }), await again({ code: next })]).toEqual([303, 401])
    expect(await again({ code: codes[0] ?? "" })).toBe(303)
    expect(await again({ code: codes[0] ?? "" })).toBe(401)
  })

  test("is disabled with only a code", async () => {
    const visitor = await openNewOperator(program, "deniz")
    const { codes } = await setUp(visitor)
    const off = (code: string) => visitor.submit(`${setUpPath}/off`, { code }, "/console/security")
    expect((await off("000000")).status).toBe(422)
    expect((await off(codes[3] ?? "")).status).toBe(303)
    expect((await signInOperator(openVisitor(program.url), "deniz")).status).toBe(303)
  })

  test("a wrong code while disabling is a failed sign-in in the log and the audit log", async () => {
    const visitor = await openNewOperator(program, "deniz")
    await setUp(visitor)
    await queryStore(program, "DELETE FROM audit_events")
    const logBefore = program.logged().length
    const off = () => visitor.submit(`${setUpPath}/off`, { code: "000000" }, "/console/security")
    for (let tries = 0; tries < 6; tries += 1) expect((await off()).status).toBe(422)
    const outcomes = [
      ...program
        .logged()
        .slice(logBefore)
        .matchAll(/"outcome":"(\w+)"/g),
    ]
    // Throttled ones may be counted only.
    expect(outcomes.map(([, outcome]) => outcome).slice(0, 5)).toEqual(Array(5).fill("wrong"))
    // Failures are recorded after the response.
    const actions = await until(async () => {
      const all = await program.app.store.audit.list({ accountId: null, kind: "operator" }, null, 9)
      const found = all.map(({ action, subjectId }) => `${action} ${subjectId}`)
      return found.some((action) => action.startsWith("sign_in_slowed")) ? found : undefined
    })
    expect(new Set(actions)).toEqual(new Set(["sign_in_slowed deniz", "sign_in_failed deniz"]))
  })

  test("ends the sessions that were started without it", async () => {
    await addOperator(program, "deniz")
    const [visitor, other] = [
      await openOperator(program.url, "deniz"),
      await openOperator(program.url, "deniz"),
    ]
    await setUp(visitor)
    expect([await isIn(visitor), await isIn(other)]).toEqual([true, false])
  })

  test("shows its secret only shortly after the password was entered", async () => {
    const visitor = await openNewOperator(program, "deniz")
    await queryStore(program, "UPDATE sessions SET confirmed_at = '2026-01-01T00:00:00Z'")
    expect(goesTo(await visitor.get(setUpPath))).toEqual([303, `${setUpPath}/confirm`])
    const confirm = (password: string) =>
      visitor.submit(`${setUpPath}/confirm`, { password }, `${setUpPath}/confirm`)
    const rejected = await confirm("not the password")
    expect([rejected.status, secretOf(rejected.text)]).toEqual([422, undefined])
    expect(goesTo(await confirm(operatorPassword))).toEqual([303, setUpPath])
    expect(secretOf((await visitor.get(setUpPath)).text)).toBeString()
  })

  test("required: no other page is shown before it is set up", async () => {
    const strict = await startProgram()
    await strict.app.store.metadata.put(twoFactorMetadataKey, "required")
    await addOperator(strict, "deniz")
    const visitor = await openOperator(strict.url, "deniz")
    for (const path of ["/console", "/console/security", "/console/none"]) {
      expect(goesTo(await visitor.get(path))).toEqual([303, setUpPath])
    }
    await strict.load([account("elif")])
    for (const path of ["/workspace/elif", "/workspace/elif/settings/keys", "/workspace/none"]) {
      expect(goesTo(await visitor.get(path))).toEqual([303, "/console"])
    }
    expect(goesTo(await visitor.get(`${setUpPath}/confirm`))).toEqual([303, setUpPath])
    await queryStore(strict, "UPDATE sessions SET confirmed_at = '2026-01-01T00:00:00Z'")
    expect((await visitor.get(`${setUpPath}/confirm`)).status).toBe(200)
    await visitor.submit(
      `${setUpPath}/confirm`,
      { password: operatorPassword },
      `${setUpPath}/confirm`,
    )
    await setUp(visitor)
    expect((await visitor.get("/console")).status).toBe(200)
    expect((await visitor.get("/workspace/elif")).status).toBe(200)
    await strict.close()
  })

  test("the QR code contains the URI of the secret", async () => {
    const visitor = await openNewOperator(program, "deniz")
    const { text } = await visitor.get(setUpPath)
    const uri = /href="(otpauth:[^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&")
    expect(uri).toContain(secretOf(text) ?? "no secret")
    expect(scanQrCode(text)).toBe(uri ?? "")
  })

  test("neither secret nor codes are in the database or the log", async () => {
    const visitor = await openNewOperator(program, "deniz")
    const { secret, codes } = await setUp(visitor)
    const selects = [
      "SELECT * FROM people WHERE two_factor IS NOT NULL",
      "SELECT * FROM recovery_codes",
    ]
    const rows = await Promise.all(selects.map((select) => queryStore(program, select)))
    const text = JSON.stringify(rows) + program.logged()
    expect([secret, ...codes].filter((each) => text.includes(each))).toEqual([])
    expect(rows.map((each) => each.length)).toEqual([1, 10])
  })
})

describe("the operator's own password", () => {
  const change = (visitor: Visitor, current: string) => {
    const password = "elma armut pencere"
    const form = { current, password, repeat: password }
    return visitor.submit("/console/security/password", form, "/console/security")
  }
  test("is changed with the current one, which ends the other sessions", async () => {
    await addOperator(program, "deniz")
    const [visitor, other] = [
      await openOperator(program.url, "deniz"),
      await openOperator(program.url, "deniz"),
    ]
    expect((await change(visitor, "wrong one")).status).toBe(422)
    expect(goesTo(await change(visitor, "kiraz bülbül pencere"))).toEqual([
      ...[303, "/console/security?done=password"],
    ])
    expect([await isIn(visitor), await isIn(other)]).toEqual([true, false])
  })

  test("a session is ended from the list", async () => {
    const other = await openNewOperator(program, "deniz")
    const visitor = await openOperator(program.url, "deniz")
    const { text } = await visitor.get("/console/security")
    const [, path = ""] = /action="(\/console\/security\/sessions\/session_[^"]+)"/.exec(text) ?? []
    await visitor.submit(path, {}, "/console/security")
    expect([await isIn(visitor), await isIn(other)]).toEqual([true, false])
  })
})
