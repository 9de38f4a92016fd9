import { arch, platform } from "node:os"
import { version as number } from "../../package.json"
import { command, flag } from "../platform/cli/command.ts"

export const commands = {
  version: command({
    options: {
      json: flag('print {"version","build","bun","platform"}; build is "executable" or "package"'),
    },
    async run({ values }, context) {
      const build = Bun.isStandaloneExecutable ? "executable" : "package"
      const facts = {
        version: number,
        build,
        bun: Bun.version,
        platform: `${platform()}-${arch()}`,
      }
      // For the package, the line contains only the version, because scripts read it.
      const origin =
        build === "executable" ? ` (executable, bun ${facts.bun}, ${facts.platform})` : ""
      await context.write(`${values.json ? JSON.stringify(facts) : number + origin}\n`)
    },
  }),
}
