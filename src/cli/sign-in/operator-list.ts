import type { ListedOperator } from "../../domain/sign-in/operator.ts"
import { createCommand } from "../frame/command.ts"
import { renderTable } from "../frame/table.ts"
import { withApp } from "../frame/with-app.ts"

export const operatorList = createCommand({
  name: "operator list",
  positionals: [],
  options: { json: { type: "boolean" } },
  summary: "list the operators",
  async run({ values }, context) {
    await withApp(context, async ({ store }) => {
      const operators = await store.operators.list()
      if (values.json) return context.write(`${JSON.stringify(operators.map(toObject))}\n`)
      if (operators.length === 0) {
        return context.tell("There are no operators: make one with `pazar operator create NAME`.")
      }
      const header = ["NAME", "CREATED", "PASSWORD", "SECOND FACTOR", "LAST SEEN"]
      return context.write(renderTable(context.terminal, header, operators.map(toRow)))
    })
    return 0
  },
})

const toObject = ({
  name,
  createdAt,
  hasPassword,
  hasSecondFactor,
  lastSeenAt,
}: ListedOperator) => ({
  ...{ name, created_at: createdAt, password: hasPassword, totp: hasSecondFactor },
  last_seen_at: lastSeenAt,
})

const toRow = ({ name, createdAt, hasPassword, hasSecondFactor, lastSeenAt }: ListedOperator) => [
  ...[name, createdAt, hasPassword ? "set" : "not yet", hasSecondFactor ? "on" : "off"],
  lastSeenAt ?? "",
]
