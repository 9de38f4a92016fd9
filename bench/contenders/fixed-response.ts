/** The upper limit: `Bun.serve` with one route, fixed bytes and the same headers as Pazar. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Workload } from "../load/load.ts"
import type { Cores } from "../processes.ts"
import { dataFolder } from "../program.ts"
import { type Contender, startServer } from "./contender.ts"

export type FixedResponse = Readonly<{
  status: number
  headers: Readonly<Record<string, string>>
  body: string | null
}>

/** The runtime writes these itself. */
const framing = ["date", "content-length", "transfer-encoding", "connection"]

/** Pazar's response to the first request of a workload. */
export async function captureResponse(port: number, workload: Workload): Promise<FixedResponse> {
  const text = Buffer.from(workload.request(0)).toString()
  const [head = "", body = ""] = text.split("\r\n\r\n")
  const [line = "", ...lines] = head.split("\r\n")
  const [method = "", target = ""] = line.split(" ")
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    method,
    headers: lines.map((header): [string, string] => {
      const colon = header.indexOf(":")
      return [header.slice(0, colon), header.slice(colon + 1).trim()]
    }),
    ...(method === "POST" ? { body } : {}),
    decompress: false,
  })
  const headers = Object.fromEntries([...response.headers].filter(([n]) => !framing.includes(n)))
  const received = await response.text()
  return { status: response.status, headers, body: received === "" ? null : received }
}

export function startFixedResponse(
  path: string,
  response: FixedResponse,
  cores: Cores,
): Promise<Contender> {
  const file = join(dataFolder, "limit.json")
  writeFileSync(file, JSON.stringify({ path, ...response }))
  const program = join(import.meta.dir, "fixed-response-server.ts")
  return startServer({
    name: "limit",
    command: [process.execPath, "--no-orphans", program, file],
    settings: {},
    cores,
  })
}
