/** Asking the server, and failing where its answer is not the one that the API's description promises. */
import { type GivenAnswer, listDeviations } from "./described-answers.ts"
import { parseRaw, sendRaw } from "./raw-http.ts"

export async function describedFetch(
  url: string,
  init: BunFetchRequestInit = {},
): Promise<Response> {
  const response = await fetch(url, init)
  const { status, headers } = response
  const body = await response.clone().bytes()
  assertDescribed({ method: init.method ?? "GET", url, status, headers, body })
  return response
}

/** As `sendRaw`, for pieces that are one request with its method and path in the first. */
export async function describedRaw(url: string, ...pieces: [string, ...(string | Uint8Array)[]]) {
  const answer = parseRaw(await sendRaw(url, ...pieces))
  const [method = "", target = ""] = pieces[0].split(" ")
  assertDescribed({ method, url: `${url}${target}`, ...answer })
  return answer
}

function assertDescribed(answer: GivenAnswer): void {
  const deviations = listDeviations(answer)
  const { method, url, status } = answer
  const { pathname } = new URL(url)
  if (deviations === null && status !== 404) throw new Error(`${pathname} is not described`)
  if (deviations === null || deviations.length === 0) return
  throw new Error(
    `${method} ${pathname}, ${status}, differs from its description: ${deviations.join("; ")}`,
  )
}
