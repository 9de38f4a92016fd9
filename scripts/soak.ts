/** `npm run soak -- NAME [ARGUMENTS]`: the longer proofs. CONTRIBUTING.md says what each of them shows. */

const browserTests = ["console", "every-page"].map((name) => `tests/all/browser/${name}.test.ts`)

/** The arguments of Bun, by the names of the proofs. */
export const proofs: Readonly<Record<string, readonly string[]>> = {
  backup: ["tests/soak/kill-backup.ts"],
  changes: ["tests/soak/planned/changes-under-load.ts"],
  disk: ["tests/soak/disk.ts"],
  full: ["tests/soak/kill-full-import.ts"],
  import: ["tests/soak/kill-import.ts"],
  isolation: ["tests/soak/isolation.ts"],
  load: ["tests/soak/load.ts"],
  move: ["tests/soak/kill-move.ts"],
  mutate: ["tests/soak/mutate.ts"],
  neighbours: ["tests/soak/neighbours.ts"],
  pages: ["test", "--timeout=600000", ...browserTests],
  patroni: ["tests/soak/planned/patroni.ts"],
  requests: ["tests/soak/requests.ts"],
  restart: ["tests/soak/planned/rolling-restart.ts"],
  server: ["tests/soak/kill-server.ts", "server"],
  sites: ["tests/soak/sites.ts"],
  slow: ["tests/soak/slow-connections.ts"],
  sqlmap: ["tests/soak/sqlmap.ts"],
  "system-calls": ["tests/soak/system-calls.ts"],
  timing: ["tests/soak/timing.ts"],
  torn: ["tests/soak/torn-log.ts"],
  webhooks: ["tests/soak/kill-server.ts", "webhooks"],
}

if (import.meta.main) {
  const [name = "", ...rest] = process.argv.slice(2)
  const chosen = Object.hasOwn(proofs, name) ? proofs[name] : undefined
  if (chosen === undefined) {
    console.error(`Usage: npm run soak -- NAME, one of: ${Object.keys(proofs).join(" ")}`)
    process.exit(2)
  }
  const child = Bun.spawn([process.execPath, ...chosen, ...rest], {
    stdio: ["inherit", "inherit", "inherit"],
    // A server that inherits it would refuse to start: it is no setting.
    env: name === "pages" ? { ...process.env, PAZAR_TEST_EVERY_WAY: "1" } : process.env,
  })
  process.exit(await child.exited)
}
