import { commandLine } from "../access/actor.ts"
import { tokens } from "../access/token.ts"
import { readConfig } from "../config/config.ts"
import { createPasswordHasher } from "../people/password.ts"
import type { CommandContext } from "../platform/cli/command.ts"
import { assertNotOwnFile } from "../platform/database/sqlite-file.ts"
import { httpUrl } from "../platform/ip-range.ts"
import { secondsBefore } from "../platform/time.ts"
import { findLocalServerUrl, nodeGoneSeconds } from "../store/node.ts"
import * as composition from "./app.ts"

/** Opens the database for one command: `await using app = await openApp(context)`. */
export async function openApp({ env, printStderr }: Pick<CommandContext, "env" | "printStderr">) {
  const app = await composition.openApp(readConfig(env))
  const { store, keyCipher, now, notices } = app
  const hasher = createPasswordHasher()
  const services = { ...store, keyCipher, now, tokens, hasher, notices, actor: commandLine }
  return {
    ...app,
    services,
    readLinkBaseUrl: () => readLinkBaseUrl({ env, printStderr }, app),
    [Symbol.asyncDispose]: app.close,
  }
}

/** Throws UserError if `path` is a file of the database, which output must not overwrite. Ignores null. */
export function rejectDatabaseFiles(
  { env }: Pick<CommandContext, "env">,
  path: string | null,
): void {
  const { store } = readConfig(env)
  if (path !== null && store.kind === "sqlite") assertNotOwnFile(store.path, path)
}

/** Returns the base URL of links. Warns if it is a guess: PAZAR_PUBLIC_URL is not set, and no server runs here. */
async function readLinkBaseUrl(
  { env, printStderr }: Pick<CommandContext, "env" | "printStderr">,
  { store, now }: Pick<composition.App, "store" | "now">,
): Promise<string> {
  const { publicUrl, host, port } = readConfig(env)
  if (publicUrl !== null) return publicUrl
  const local = findLocalServerUrl(await store.nodes.list(secondsBefore(now(), nodeGoneSeconds)))
  if (local !== null) return local
  const guess = httpUrl(host, port)
  printStderr(`no server is known at ${guess}, the base URL of the links; set PAZAR_PUBLIC_URL`)
  return guess
}
