/** Facts about this process from Linux, the same on each of its threads. */
import { readFileSync } from "node:fs"

export type ProcessMetrics = Readonly<{ cpuSeconds: number; residentBytes: number }>

/** The unit of times in /proc; Linux reports it as 100 on every platform. */
const ticksEachSecond = 100

/** Null where there is no /proc. */
export function readProcessMetrics(folder = "/proc/self"): ProcessMetrics | null {
  try {
    const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8")
    // The name of the program may hold blanks and parentheses; the numbers come after the last one.
    const [, numbers = ""] = /^.*\) (.*)$/s.exec(read("stat")) ?? []
    const [userTicks = 0, systemTicks = 0] = numbers.split(" ").slice(11, 13).map(Number)
    const [, residentKilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(read("status")) ?? []
    return {
      cpuSeconds: (userTicks + systemTicks) / ticksEachSecond,
      residentBytes: Number(residentKilobytes) * 1024,
    }
  } catch {
    return null
  }
}
