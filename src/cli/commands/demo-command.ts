import { readConfig } from "../../config/config.ts"
import type { Environment } from "../../config/settings.ts"
import {
  type DemoReceiver,
  openDemoReceiver,
  updateDemoWebhook,
} from "../../demo/demo-webhook-receiver.ts"
import pictures from "../../demo/pictures.json"
import { type DemoCredentials, seedDemo } from "../../demo/seed-demo.ts"
import { httpUrl } from "../../domain/values/ip-range.ts"
import { MigrationNeeded } from "../../store/sql/schema-versions.ts"
import type * as declared from "../definitions/server-definitions.ts"
import type { CommandAction, CommandContext } from "../framework/command.ts"
import { openApp } from "../framework/open-app.ts"
import { keyKindNames } from "./key-command.ts"
import { migrateWithProgress } from "./migrate-command.ts"
import { serveUntilStopped } from "./serve-command.ts"

const sampleItem = 1001
const sampleCode = "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21"
const endedSupportCode = "45c48cce-2e2d-4f3a-9c1b-7a8d9e0f1b2c"
const refundedCode = "aab32389-22bc-425a-af60-6eb525ffdc56"

export const demo: CommandAction<typeof declared.demo> = async (_, context) => {
  const onDemoStore = { ...context, env: demoEnvironment(context.env) }
  const isOwnFolder = onDemoStore.env !== context.env
  if (isOwnFolder || (await isStoreMissing(onDemoStore))) {
    await migrateWithProgress(readConfig(onDemoStore.env), context)
  }
  const { publicUrl, host, port } = readConfig(onDemoStore.env)
  // A database of the operator's gets no webhook.
  const receiver = isOwnFolder ? openDemoReceiver(context.printStderr) : null
  const home = isOwnFolder ? "data/demo" : "the database"
  try {
    const filled = await fill(onDemoStore, publicUrl ?? httpUrl(host, port), receiver)
    return await serveUntilStopped(
      onDemoStore,
      ({ url }) => {
        const welcome = renderWelcome(url, filled, home, receiver !== null)
        return context.write(`listening on ${url}\n${welcome}`)
      },
      { pictures, webhookReceiver: receiver?.url ?? null },
    )
  } finally {
    await receiver?.close()
  }
}

async function fill(
  context: CommandContext,
  baseUrl: string,
  receiver: DemoReceiver | null,
): Promise<DemoCredentials> {
  await using app = await openApp(context)
  const filled = await seedDemo(app, baseUrl)
  if (receiver !== null) await updateDemoWebhook(app, receiver.url)
  return filled
}

/** An older store in a database may be a real marketplace, so the demo does not upgrade it. */
async function isStoreMissing(context: CommandContext): Promise<boolean> {
  try {
    await (await openApp(context)).close()
    return false
  } catch (error) {
    if (error instanceof MigrationNeeded && error.isStoreMissing) return true
    throw error
  }
}

/**
 * A SQLite file in DATABASE_URL may be a real store and is not used; an empty PostgreSQL database is. Webhooks of the
 * sample marketplace may reach receivers on this machine.
 */
function demoEnvironment(env: Environment): Environment {
  if (/^\s*postgres/.test(env.DATABASE_URL ?? "")) return env
  const ofRealStore = /^(?:PAZAR_MASTER_KEY|DATABASE_URL)/
  const rest = Object.entries(env).filter(([name]) => !ofRealStore.test(name))
  const ipRanges = { PAZAR_WEBHOOK_NETWORKS: "127.0.0.0/8,::1" }
  return { ...ipRanges, ...Object.fromEntries(rest), DATABASE_URL: "sqlite:data/demo/pazar.db" }
}

function renderWelcome(
  url: string,
  { keys, password, operator }: DemoCredentials,
  home: string,
  hasReceiver: boolean,
): string {
  const rows = keys.map(({ username, kind, secret }) =>
    `  ${username.padEnd(8)}${keyKindNames[kind].padEnd(16)}${secret}`.trimEnd(),
  )
  const bearer = `-H 'Authorization: Bearer ${keys[0]?.secret}'`
  return `
A sample marketplace with two authors, elif and marcus.

Sign in at ${url}/login
  as elif, with the password ${password}

The marketplace's own console is at ${url}/console
  for ${operator}, with the same password

Codes to check there:

  valid          ${sampleCode}
  support ended  ${endedSupportCode}
  refunded       ${refundedCode}

Their keys:

${rows.join("\n")}

Paste these into another terminal:

curl ${bearer} ${url}/api/account/details
curl ${bearer} ${url}/api/items/all
curl ${bearer} '${url}/api/items/item?item_id=${sampleItem}'
curl ${bearer} -d purchase_code=${sampleCode} ${url}/api/purchases/validation
${hasReceiver ? `\nWebhooks of elif arrive in this terminal: send a test event at\n${url}/workspace/settings/webhooks\n` : ""}
Ctrl+C stops it; the data stays in ${home}.

`
}
