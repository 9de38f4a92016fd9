import {
  removeOperator,
  requireOperator,
} from "../../operations/sign-in/operators/manage-operator.ts"
import { createCommand } from "../frame/command.ts"
import { withApp } from "../frame/with-app.ts"
import { operatorServices, reportOperator } from "./operator-services.ts"

export const operatorRemove = createCommand({
  name: "operator remove",
  positionals: ["NAME"],
  options: { json: { type: "boolean" } },
  summary: "remove an operator and end their sessions",
  help: `The operator's actions stay in the audit. Without any operator the console does not exist.`,
  async run({ positionals: [name], values }, context) {
    await withApp(context, async (app) => {
      const operator = await requireOperator(app.store.operators, name)
      await removeOperator(operatorServices(app), operator)
    })
    await reportOperator(context, values.json, name, null, `The operator ${name} is removed.`)
    return 0
  },
})
