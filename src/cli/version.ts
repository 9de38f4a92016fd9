import { version as number } from "../../package.json"
import { type Command, parseCommandLine } from "./command.ts"

export const version: Command = {
  name: "version",
  usage: "",
  summary: "print the version",
  async run(args, context) {
    parseCommandLine(args, {}, { min: 0, max: 0 })
    await context.write(`${number}\n`)
    return 0
  },
}
