import { listPublished, type SigningKey } from "../../domain/keys/signing-key.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { createCommand, type Terminal } from "../frame/command.ts"
import { renderTable } from "../frame/table.ts"
import { withApp } from "../frame/with-app.ts"

export const signingKeyList = createCommand({
  name: "signing-key list",
  positionals: [],
  options: { json: { type: "boolean" } },
  summary: "list the keys that sign answers, as they are published",
  help: `The current key signs. Products pin it and the next one, which takes its place at the next rotation.
A retired key is published until its last receipt has expired.`,
  async run({ values }, context) {
    await withApp(context, async ({ store, now }) => {
      const keys = listPublished(await store.signingKeys.list(), formatTimestamp(now()))
      await context.write(
        values.json ? renderSigningKeysJson(keys) : renderSigningKeys(context.terminal, keys),
      )
    })
    return 0
  },
})

export function renderSigningKeys(terminal: Terminal, keys: readonly SigningKey[]): string {
  const rows = keys.map(({ id, state, createdAt, retiredUntil, endorsements }) => {
    const endorsers = endorsements.map(({ by }) => by).join(", ") || "-"
    return [id, state, createdAt, retiredUntil ?? "-", endorsers]
  })
  return renderTable(terminal, ["ID", "STATE", "CREATED", "RETIRED UNTIL", "ENDORSED BY"], rows)
}

export function renderSigningKeysJson(keys: readonly SigningKey[]): string {
  const objects = keys.map(({ id, state, createdAt, retiredUntil, endorsements }) => ({
    ...{ id, state, created_at: createdAt, retired_until: retiredUntil },
    endorsed_by: endorsements.map(({ by }) => by),
  }))
  return `${JSON.stringify(objects)}\n`
}
