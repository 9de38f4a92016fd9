import { hasErrorCode } from "../../src/platform/error.ts"

/** Signals a process, or a group by its negative id, that may have ended already. */
export function signalIfAlive(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!hasErrorCode(error, "ESRCH")) throw error
  }
}
