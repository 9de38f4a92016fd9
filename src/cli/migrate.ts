import { type Command, parseCommandLine } from "./command.ts"
import { withApp } from "./with-app.ts"

export const migrate: Command = {
  name: "migrate",
  usage: "",
  summary: "make the store, or bring it to this version",
  help: "Every command does this by itself; here it is alone, for a deployment that wants it first.",
  async run(args, context) {
    parseCommandLine(args, {}, { min: 0, max: 0 })
    await withApp(context, async () => context.tell("The store is up to date."))
    return 0
  },
}
