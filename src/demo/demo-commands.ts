import { renameSync } from "node:fs"
import { readConfig } from "../config/config.ts"
import { keyKindNames } from "../keys/key-commands.ts"
import { type CommandContext, command, type Environment } from "../platform/cli/command.ts"
import { MigrationNeeded, StoreOfDevelopment } from "../platform/database/schema-versions.ts"
import { chooseFreeName } from "../platform/database/sqlite-file.ts"
import { httpUrl } from "../platform/ip-range.ts"
import { openCommandApp } from "../server/app.ts"
import { migrateWithProgress } from "../server/database-commands.ts"
import { serveUntilStopped } from "../server/serve-commands.ts"
import pictures from "./pictures.json"
import {
  type DemoCredentials,
  type DemoReceiver,
  openDemoReceiver,
  seedDemo,
  updateDemoWebhook,
} from "./seed-demo.ts"

const ownFolder = "data/demo"
const sampleItem = 1001
const sampleCode = "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21"
const endedSupportCode = "45c48cce-2e2d-4f3a-9c1b-7a8d9e0f1b2c"
const refundedCode = "aab32389-22bc-425a-af60-6eb525ffdc56"

export const commands = {
  demo: command({
    help: `The database is in data/demo and keeps its changes. Delete the folder to start over. HOST and PORT
set the listen address. DATABASE_URL=postgres://… and a master key select an empty PostgreSQL database
instead.`,
    async run(_, context) {
      const demoContext = { ...context, env: demoEnvironment(context.env) }
      const isOwnFolder = demoContext.env !== context.env
      if (isOwnFolder) await migrateOwnFolder(demoContext)
      else if (await isStoreMissing(demoContext)) await migrateDemo(demoContext)
      const { publicUrl, host, port } = readConfig(demoContext.env)
      // The demo adds no webhook to a PostgreSQL database, which belongs to the operator.
      const receiver = isOwnFolder ? openDemoReceiver(context.printStderr) : null
      const location = isOwnFolder ? ownFolder : "the database"
      try {
        const credentials = await seed(demoContext, publicUrl ?? httpUrl(host, port), receiver)
        return await serveUntilStopped(
          demoContext,
          ({ url }) => {
            const welcome = renderWelcome(url, credentials, location, receiver !== null)
            return context.write(`listening on ${url}\n${welcome}`)
          },
          { pictures, webhookReceiver: receiver?.url ?? null },
        )
      } finally {
        await receiver?.close()
      }
    },
  }),
}

const migrateDemo = (context: CommandContext) =>
  migrateWithProgress(readConfig(context.env), context)

async function migrateOwnFolder(context: CommandContext): Promise<void> {
  try {
    await migrateDemo(context)
  } catch (error) {
    if (!(error instanceof StoreOfDevelopment)) throw error
    const aside = chooseFreeName(`${ownFolder}.old`)
    renameSync(ownFolder, aside)
    context.printStderr(`${ownFolder} was made by a development version and is now ${aside}`)
    await migrateDemo(context)
  }
}

async function seed(context: CommandContext, baseUrl: string, receiver: DemoReceiver | null) {
  await using app = await openCommandApp(context)
  const credentials = await seedDemo(app, baseUrl)
  if (receiver !== null) await updateDemoWebhook(app, receiver.url)
  return credentials
}

/** False for an older database: it may be a real marketplace, so the demo does not upgrade it. */
async function isStoreMissing(context: CommandContext): Promise<boolean> {
  try {
    await (await openCommandApp(context)).close()
    return false
  } catch (error) {
    if (error instanceof MigrationNeeded && error.versions.current === null) return true
    throw error
  }
}

/** Ignores a SQLite file in DATABASE_URL, which may be a real marketplace, but uses a PostgreSQL database. */
function demoEnvironment(env: Environment): Environment {
  if (/^\s*postgres/.test(env.DATABASE_URL ?? "")) return env
  const databaseSettings = /^(?:PAZAR_MASTER_KEY|DATABASE_URL)/
  const rest = Object.entries(env).filter(([name]) => !databaseSettings.test(name))
  const ipRanges = { PAZAR_WEBHOOK_NETWORKS: "127.0.0.0/8,::1" }
  return { ...ipRanges, ...Object.fromEntries(rest), DATABASE_URL: `sqlite:${ownFolder}/pazar.db` }
}

function renderWelcome(
  url: string,
  { keys, password, operator }: DemoCredentials,
  location: string,
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

The operator console is at ${url}/console
  for ${operator}, with the same password. It is also that of cem, in the team of elif,
  and of marcus, who is an author and an operator

Purchase codes to look up there:

  valid          ${sampleCode}
  support ended  ${endedSupportCode}
  refunded       ${refundedCode}

API keys:

${rows.join("\n")}

Requests to paste into another terminal:

curl ${bearer} ${url}/api/account/details
curl ${bearer} ${url}/api/items/all
curl ${bearer} '${url}/api/items/item?item_id=${sampleItem}'
curl ${bearer} -d purchase_code=${sampleCode} ${url}/api/purchases/validation
${hasReceiver ? `\nWebhooks of elif arrive in this terminal: send a test event at\n${url}/workspace/elif/settings/webhooks\n` : ""}
Ctrl+C stops the server. The data stays in ${location}.

`
}
