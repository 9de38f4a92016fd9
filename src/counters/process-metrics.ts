import { readFileSync } from "node:fs"

export type ProcessMetrics = Readonly<{ cpuSeconds: number; residentBytes: number }>

/** USER_HZ, the unit of times in /proc. */
const ticksPerSecond = 100

/** Returns null on systems without /proc. */
export function readProcessMetrics(folder = "/proc/self"): ProcessMetrics | null {
  try {
    const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8")
    // The program name may contain spaces and parentheses; the numbers follow the last `)`.
    const [, numbers = ""] = /^.*\) (.*)$/s.exec(read("stat")) ?? []
    const [userTicks = 0, systemTicks = 0] = numbers.split(" ").slice(11, 13).map(Number)
    const [, residentKilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(read("status")) ?? []
    return {
      cpuSeconds: (userTicks + systemTicks) / ticksPerSecond,
      residentBytes: Number(residentKilobytes) * 1024,
    }
  } catch {
    return null
  }
}
