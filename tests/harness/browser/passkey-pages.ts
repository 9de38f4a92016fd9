/** The pages of passkeys, with an authenticator in place of the script. */
import { AT, type Authenticator, type Ceremony, UP, UV } from "../software-authenticator.ts"
import { unescapeHtml } from "./docs-page.ts"
import { hiddenField, type PageResponse, type Visitor } from "./visitor.ts"

/** What the script passes to the browser. */
export function requestOn(page: string) {
  const [, json = "{}"] =
    /<input type="hidden" data-passkey="[^"]*" value="([^"]*)"/.exec(page) ?? []
  return JSON.parse(unescapeHtml(json))
}

export function ceremonyOn(page: string, changes: Partial<Ceremony> = {}): Ceremony {
  const { origin, create, get } = requestOn(page)
  const type = create ? "webauthn.create" : "webauthn.get"
  const flags = create ? UP | UV | AT : UP | UV
  return {
    ...{ challenge: (create ?? get).challenge, userHandle: "", type, flags, counter: 0 },
    ...{ origin, host: new URL(origin).hostname, crossOrigin: false },
    ...changes,
  }
}

export async function addPasskey(
  visitor: Visitor,
  path: string,
  authenticator: Authenticator,
  name = "Telefon",
): Promise<PageResponse> {
  const { text } = await visitor.get(path)
  const form_token = hiddenField(text, "form_token") ?? ""
  return visitor.post(path, { form_token, name, ...authenticator.register(ceremonyOn(text)) })
}
