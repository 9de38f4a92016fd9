import { version as number } from "../../package.json"
import { createCommand } from "./command.ts"

export const version = createCommand({
  name: "version",
  positionals: [],
  options: {},
  summary: "print the version",
  async run(_, context) {
    await context.write(`${number}\n`)
    return 0
  },
})
