import { arch, platform } from "node:os"
import { version as number } from "../../../package.json"
import { createCommand, jsonOnly } from "../frame/command.ts"
import { toJson } from "../frame/output.ts"

export const version = createCommand({
  name: "version",
  options: jsonOnly,
  summary: "print the version",
  help: `The executable also says what it was built with. --json prints {"version","build","bun","platform"}; build is
"executable" or "package".`,
  async run({ values }, context) {
    const build = Bun.isStandaloneExecutable ? "executable" : "package"
    const facts = { version: number, build, bun: Bun.version, platform: `${platform()}-${arch()}` }
    // Scripts read the package's version from a line that holds nothing else.
    const origin =
      build === "executable" ? ` (executable, bun ${facts.bun}, ${facts.platform})` : ""
    await context.write(values.json ? toJson(facts) : `${number}${origin}\n`)
  },
})
