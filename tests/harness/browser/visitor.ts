/**
 * A simple browser: it stores cookies, reads the token of a page's form and posts it. It sends no Fetch metadata, so
 * that a test can choose the origin of a form.
 */
import { workspaceOf } from "../../../src/access/paths.ts"
import { samplePassword } from "./sample-workspace.ts"

export type Fields = Readonly<Record<string, string>>

export type PageResponse = Readonly<{
  status: number
  headers: Headers
  /** The target of a redirect, or null if the response is not one. */
  location: string | null
  text: string
}>

export type Visitor = Readonly<{
  /** Cookies by name. A test may add and read them. */
  cookies: Map<string, string>
  /** The workspace of the account that is named like the person who signed in. */
  home(): string
  /** Follows no redirect. */
  sendRequest(path: string, init?: RequestInit): Promise<PageResponse>
  get(path: string, headers?: Fields): Promise<PageResponse>
  /** Posts exactly these fields, without adding a token. */
  post(path: string, fields: Fields, headers?: Fields): Promise<PageResponse>
  /** Of the form of a page. All pages have the same token for one visitor, masked anew. */
  formToken(path?: string): Promise<string>
  /** Posts with the token of the page `from`. */
  submit(path: string, fields?: Fields, from?: string): Promise<PageResponse>
  /** Without a code, somebody with two-factor authentication is led to the page that asks for it. */
  signIn(name: string, password?: string, more?: Fields): Promise<PageResponse>
}>

export function openVisitor(
  url: string,
  ownHeaders: Fields = {},
  send: (url: string, init: RequestInit) => Promise<Response> = fetch,
): Visitor {
  const cookies = new Map<string, string>()
  let home = workspaceOf("").home

  async function sendRequest(path: string, init: RequestInit = {}): Promise<PageResponse> {
    const headers = new Headers({ ...ownHeaders })
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    if (cookie !== "") headers.set("Cookie", cookie)
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
    const response = await send(`${url}${path}`, { ...init, headers, redirect: "manual" })
    for (const line of response.headers.getSetCookie()) keep(line)
    const location = response.headers.get("location")
    const { status } = response
    return { status, headers: response.headers, location, text: await response.text() }
  }
  function keep(line: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/max-age=0/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }
  const get: Visitor["get"] = (path, headers = {}) => sendRequest(path, { headers })
  const post: Visitor["post"] = (path, fields, headers = {}) =>
    sendRequest(path, { method: "POST", headers, body: new URLSearchParams(fields) })

  async function formToken(path = "/license"): Promise<string> {
    const { text } = await get(path)
    const token = hiddenField(text, "form_token")
    if (token === null) throw new Error(`${path} has no form`)
    return token
  }
  return {
    cookies,
    home: () => home,
    sendRequest,
    get,
    post,
    formToken,
    async submit(path, fields = {}, from) {
      return post(path, { form_token: await formToken(from), ...fields })
    },
    async signIn(name, password = samplePassword, { code, ...more } = {}) {
      home = workspaceOf(name).home
      const form_token = await formToken("/login")
      const response = await post("/login", { form_token, name, password, ...more })
      const { location } = response
      const isPending = location?.startsWith("/login/code")
      if (!isPending || code === undefined) return response
      const page = await get(location ?? "")
      const next = hiddenField(page.text, "next") ?? ""
      return post("/login/code", { form_token, next, code })
    },
  }
}

/** A visitor who has signed in with the password of the sample workspace. */
export async function openSignedIn(url: string, name: string): Promise<Visitor> {
  const visitor = openVisitor(url)
  const { status } = await visitor.signIn(name)
  if (status !== 303) throw new Error(`${name} is not signed in: ${status}`)
  return visitor
}

/** Each response has another token, and another challenge for passkeys. */
export const withoutFormTokens = (page: string) =>
  page.replaceAll(/(name="form_token"|data-passkey="\w*") value="[^"]*"/g, "")

export const keyIdOn = (page: string) => /\/(key_\w{16})\/rename"/.exec(page)?.[1] ?? ""

/** The value of a form's hidden field, or null if the page has no such field. */
export function hiddenField(page: string, name: string): string | null {
  return new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? null
}
