/**
 * By NOTIFY, which writes no row. A pooler that shares connections between transactions passes no messages on:
 * behind one, each node counts alone.
 */
import { Client } from "pg"
import type { NodeMessages } from "../../../domain/running/node.ts"
import type { Database } from "../connection/database.ts"
import { splitHosts } from "../connection/hosts.ts"

const channel = "pazar_nodes"
const connectMsMax = 1_000
const retryAfterMs = 1_000

export function postgresNodeMessages(db: Database, url: string): NodeMessages {
  const urls = splitHosts(url) ?? [url]
  let turn = 0
  return {
    async send(text) {
      await db.read("SELECT pg_notify($1, $2)", [channel, text])
    },
    watch(onMessage) {
      let isEnded = false
      let client: Client | null = null
      let timer: ReturnType<typeof setTimeout> | undefined

      async function listen(): Promise<void> {
        const connectionString = urls[turn % urls.length] ?? url
        const next = new Client({
          connectionString,
          connectionTimeoutMillis: connectMsMax,
          keepAlive: true,
        })
        client = next
        next.on("notification", ({ payload }) => onMessage(payload ?? ""))
        // Without a listener, a connection that breaks would end the program.
        next.on("error", () => {})
        next.once("end", retry)
        try {
          await next.connect()
          await next.query(`LISTEN ${channel}`)
        } catch {
          // Also a standby, which cannot LISTEN.
          turn += 1
          await next.end().catch(retry)
        }
      }
      function retry(): void {
        clearTimeout(timer)
        if (!isEnded) timer = setTimeout(listen, retryAfterMs)
      }
      const first = listen()
      return async () => {
        isEnded = true
        clearTimeout(timer)
        await first
        await client?.end().catch(() => {})
      }
    },
  }
}
