/** The limit: `Bun.serve` with one route, constant bytes and the same headers as Pazar. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Workload } from "../load/load.ts"
import type { Cores } from "../processes/processes.ts"
import { dataFolder } from "../processes/program.ts"
import { type Contender, startServer } from "./contender.ts"

export type ConstantAnswer = Readonly<{
  status: number
  headers: Readonly<Record<string, string>>
  /** Null for an answer that has none. */
  body: string | null
}>

/** The runtime writes these itself. */
const framing = ["date", "content-length", "transfer-encoding", "connection"]

/** Pazar's answer to one request of a load. */
export async function captureAnswer(
  port: number,
  workload: Workload,
  index = 0,
): Promise<ConstantAnswer> {
  const text = Buffer.from(workload.request(index)).toString()
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
  const answered = await response.text()
  return { status: response.status, headers, body: answered === "" ? null : answered }
}

/** `busyMicros` of busy waiting before each answer make it as busy as another server. */
export function startLimit(
  path: string,
  answer: ConstantAnswer,
  cores: Cores,
  busyMicros = 0,
): Promise<Contender> {
  mkdirSync(dataFolder, { recursive: true })
  const file = join(dataFolder, "limit.json")
  writeFileSync(file, JSON.stringify({ [path]: answer }))
  const program = join(import.meta.dir, "limit-server.ts")
  return startServer({
    name: "limit",
    command: [process.execPath, "--no-orphans", program, file, `${busyMicros}`],
    settings: {},
    cores,
  })
}
