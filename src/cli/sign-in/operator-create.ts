import { createOperator } from "../../operations/sign-in/operators/manage-operator.ts"
import { createCommand } from "../frame/command.ts"
import { withApp } from "../frame/with-app.ts"
import { linkFor, operatorServices, readNewPassword, reportOperator } from "./operator-services.ts"

export const operatorCreate = createCommand({
  name: "operator create",
  positionals: ["NAME"],
  options: { link: { type: "boolean" }, json: { type: "boolean" } },
  summary: "make an operator, who signs in to the console",
  help: `The password is the first line of standard input, so that no list of processes shows it:

  printf '%s' "$PASSWORD" | pazar operator create NAME

It has 10 characters or more, and is not among the passwords that are guessed first. The console is at
/console; without an operator that path does not exist.

  --link  read no password; print a link by which the operator chooses one, once, within seven days
  --json  print {"name"}, and with --link also "url" and "expires_at"`,
  async run({ positionals: [name], values }, context) {
    const password = await readNewPassword(context, values.link)
    const link = await withApp(context, async (app) =>
      linkFor(context, app, await createOperator(operatorServices(app), name, password)),
    )
    await reportOperator(context, values.json, name, link, `The operator ${name} is made.`)
    return 0
  },
})
