/** Where the server of this machine can be reached, as far as a command knows. */
import { hostname } from "node:os"
import { readConfig } from "../../config/config.ts"
import { type Node, nodeGoneSeconds } from "../../domain/health/node.ts"
import { httpUrl } from "../../domain/values/ip-range.ts"
import { secondsBefore } from "../../domain/values/time/timestamp.ts"
import type { App } from "../../server/app.ts"
import type { CommandContext } from "./command.ts"

/** Of the node on this machine that was seen last; null when there is none. */
export function findLocalServerUrl(nodes: readonly Node[]): string | null {
  const own = nodes.filter(({ host }) => host === hostname())
  const [last] = own.toSorted((one, other) => (one.lastSeenAt < other.lastSeenAt ? 1 : -1))
  return last === undefined ? null : toLoopbackUrl(last.url)
}

/** A server that listens on every address is asked on this one. */
export const toLoopbackUrl = (url: string) =>
  url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")

/** The beginning of links. Warns where it is a guess: PAZAR_PUBLIC_URL is not set, and no server runs here. */
export async function readLinkBaseUrl(
  { env, printStderr }: Pick<CommandContext, "env" | "printStderr">,
  { store, now }: Pick<App, "store" | "now">,
): Promise<string> {
  const { publicUrl, host, port } = readConfig(env)
  if (publicUrl !== null) return publicUrl
  const known = findLocalServerUrl(await store.nodes.list(secondsBefore(now(), nodeGoneSeconds)))
  if (known !== null) return known
  const guess = httpUrl(host, port)
  printStderr(
    `Links begin with ${guess}, where no server is known: set PAZAR_PUBLIC_URL to the address of your pages.`,
  )
  return guess
}
