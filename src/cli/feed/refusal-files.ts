/** The files that `--rejects` and `--report` write. */
import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from "node:fs"
import { type DefaultedLine, listProblems, type RefusedLine } from "../../feed/refusal-groups.ts"

export type RefusalFiles = Readonly<{
  writeRefused(refused: RefusedLine): void
  writeRefusedBytes(bytes: Uint8Array, isEnd: boolean): void
  writeDefaulted(defaulted: DefaultedLine): void
  close(): void
}>

export function openRefusalFiles(
  rejectsPath: string | null,
  reportPath: string | null,
): RefusalFiles {
  const rejects = openOwn(rejectsPath)
  const report = openOwn(reportPath)
  return {
    writeRefused({ line, type, identity, problems, because }) {
      if (report === null) return
      const cause = because === null || because === "unknown" ? undefined : because
      const refused = { line, type, identity, problems: listProblems(problems), because: cause }
      // JSON leaves out what is undefined.
      writeSync(report, `${JSON.stringify(refused)}\n`)
    },
    writeRefusedBytes(bytes, isEnd) {
      if (rejects === null) return
      writeSync(rejects, bytes)
      if (isEnd) writeSync(rejects, "\n")
    },
    writeDefaulted({ line, type, identity, problems }) {
      if (report === null) return
      writeSync(report, `${JSON.stringify({ line, type, identity, defaulted: problems })}\n`)
    },
    close() {
      for (const file of [rejects, report]) if (file !== null) closeSync(file)
    },
  }
}

/** Only its owner may read it: it holds names and purchase codes. */
function openOwn(path: string | null): number | null {
  if (path === null) return null
  const file = openSync(path, "w", 0o600)
  // The mode above is for a new file only; /dev/null and pipes keep theirs.
  if (fstatSync(file).isFile()) fchmodSync(file, 0o600)
  return file
}
