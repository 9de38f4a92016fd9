import type { Endpoint } from "../../api/answer/endpoint.ts"
import { type Locale, openings } from "../../api/answer/messages.ts"

/** The text the API answers with, made by the API's own renderer. */
export async function apiText<Result>(
  endpoint: Pick<Endpoint<never, never, Result>, "render">,
  result: Result,
  locale: Locale,
): Promise<string> {
  const body = await endpoint.render(result, openings[locale])
  if (typeof body !== "string") throw new Error("only short answers are shown on a page")
  return body
}
