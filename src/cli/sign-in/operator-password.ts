import {
  requireOperator,
  resetOperatorPassword,
  resetPasswordAndFactor,
} from "../../operations/sign-in/operators/manage-operator.ts"
import { createCommand } from "../frame/command.ts"
import { withApp } from "../frame/with-app.ts"
import { linkFor, operatorServices, readNewPassword, reportOperator } from "./operator-services.ts"

export const operatorPassword = createCommand({
  name: "operator password",
  positionals: ["NAME"],
  options: {
    link: { type: "boolean" },
    "remove-totp": { type: "boolean" },
    json: { type: "boolean" },
  },
  summary: "set an operator's password, read from standard input",
  help: `As for \`operator create\`. A new password ends every session of the operator.

  --link         read no password; print a link by which the operator chooses one. The old password works
                 until the link is used, but with --remove-totp it ends at once, and with it every session
  --remove-totp  also take the second factor away, for an operator who lost phone and recovery codes
  --json         print {"name"}, and with --link also "url" and "expires_at"`,
  async run({ positionals: [name], values }, context) {
    const password = await readNewPassword(context, values.link)
    const link = await withApp(context, async (app) => {
      const services = operatorServices(app)
      const operator = await requireOperator(app.store.operators, name)
      const reset = values["remove-totp"] ? resetPasswordAndFactor : resetOperatorPassword
      return linkFor(context, app, await reset(services, operator, password))
    })
    const done = link === null ? `The password of ${name} is set.` : `The link is for ${name}.`
    await reportOperator(context, values.json, name, link, done)
    return 0
  },
})
