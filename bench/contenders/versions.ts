import { findFastifyVersion } from "./fastify.ts"
import { findNginx } from "./nginx.ts"
import { findPhpFpm } from "./php-fpm.ts"

export function describeVersions(): string {
  const asked = [
    ["Node", versionOf("node", "--version")],
    ["Fastify", findFastifyVersion()],
    ["nginx", versionOf(findNginx(), "-v")],
    ["PHP", versionOf(findPhpFpm(), "-v")],
  ] as const
  const known = asked.filter(([, version]) => version !== null)
  return [`Bun ${Bun.version}`, ...known.map((words) => words.join(" "))].join(", ")
}

function versionOf(binary: string | null, option: string): string | null {
  if (binary === null) return null
  const { stdout, stderr } = Bun.spawnSync([binary, option])
  return /\d+\.\d+\.\d+/.exec(`${stdout}${stderr}`)?.[0] ?? null
}
