/**
 * The least a server on this runtime can do: reads what an answer would depend on and returns constant
 * bytes with constant headers. `bun limit-server.ts ANSWERS [MICROSECONDS]`: a JSON file of answers by
 * path, and how long to be busy before each.
 */
import { readFileSync } from "node:fs"
import type { ConstantAnswer } from "./limit.ts"

/** The parts of a request that Pazar reads. */
const consulted = ["content-type", "content-length", "accept-language", "accept-encoding"]

const answers: Record<string, ConstantAnswer> = JSON.parse(
  readFileSync(process.argv[2] ?? "", "utf8"),
)
const busyMs = Number(process.argv[3] ?? 0) / 1000
let seen = 0

const routes = Object.fromEntries(
  Object.entries(answers).map(([path, { status, headers, body }]) => {
    // Copying this costs 1 µs less than passing an object.
    const init = { status, headers: new Headers(headers) }
    // The runtime sends ASCII fastest as text, and everything else as bytes.
    const constant = /[^\0-\x7f]/.test(body ?? "") ? Buffer.from(body ?? "") : body
    return [
      path,
      async (request: Request) => {
        for (const name of consulted) seen += request.headers.get(name)?.length ?? 0
        if (request.method === "POST") seen += (await request.text()).length
        if (busyMs > 0) beBusy()
        return new Response(constant, init)
      },
    ]
  }),
)

function beBusy(): void {
  const until = performance.now() + busyMs
  while (performance.now() < until);
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  routes,
  // Use the values, or the compiler could remove the reads.
  fetch: () => new Response(`${seen}`, { status: 404 }),
})
console.log(`listening on http://127.0.0.1:${server.port}`)
