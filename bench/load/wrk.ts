/** An independent generator, to check that ours is not the bottleneck. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Cores, pinned } from "../processes/processes.ts"
import { dataFolder } from "../processes/program.ts"
import type { Workload } from "./load.ts"

/** Requests a second, the first request of the load again and again; null where there is no wrk. */
export async function measureWithWrk(
  port: number,
  workload: Workload,
  cores: Cores,
): Promise<number | null> {
  if (Bun.which("wrk") === null) return null
  const [head = "", body = ""] = Buffer.from(workload.request(0)).toString().split("\r\n\r\n")
  const [method = "", target = ""] = head.split(" ")
  const script = join(dataFolder, "wrk.lua")
  mkdirSync(dataFolder, { recursive: true })
  writeFileSync(
    script,
    `wrk.method = "${method}"\nwrk.body = '${body}'\nwrk.headers["Content-Type"] = "application/json"\n`,
  )
  const url = `http://127.0.0.1:${port}${target}`
  const command = ["wrk", "-t1", "-c64", "-d3s", "-s", script, url]
  const output = await Bun.spawn(pinned(cores, command)).stdout.text()
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1])
}
