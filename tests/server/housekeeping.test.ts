import { Database } from "bun:sqlite"
import { afterEach, beforeEach, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../harness/program.ts"
import { readPazar, startServer } from "../harness/run-pazar.ts"
import { until } from "../harness/until.ts"

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => rmSync(folder, { recursive: true }))

test("a server removes expired sign-in counts, sessions, invitations, links, audit events and sites, and keeps the others", async () => {
  const path = join(folder, "pazar.db")
  const env = { DATABASE_URL: `sqlite:${path}`, PAZAR_THREADS: "2" }
  await readPazar(folder, ["migrate"], { env })
  const db = new Database(path)
  const [past, future] = ["2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"]
  db.run("INSERT INTO accounts (id, username, list_version, body) VALUES (1, 'ada', '', '{}')")
  db.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
     INSERT INTO sign_in_failures SELECT randomblob(32), 1, i FROM n`,
  )
  // No window is longer than ten minutes: one that ends later is removed too.
  db.query("INSERT INTO sign_in_failures VALUES (randomblob(32), 1, ?)").run(Date.now() + 540_000)
  const session = db.query(
    "INSERT INTO sessions VALUES (?1, randomblob(32), 1, ?2, ?2, ?2, '', '', 0)",
  )
  session.run("old", past)
  session.run("new", future)
  const invitation = db.query(
    "INSERT INTO invitations VALUES (randomblob(32), lower(hex(randomblob(8))), NULL, 1, 'owner', NULL, 'ada', NULL, ?)",
  )
  invitation.run(past)
  invitation.run(future)
  const link = db.query("INSERT INTO sign_in_links VALUES (randomblob(32), 1, ?)")
  link.run(past)
  link.run(future)
  const event = db.query(
    "INSERT INTO audit_events VALUES (NULL, ?, 'command', '', '', 'key', 'created', 1, 'ada', '', '', 1, NULL, '')",
  )
  event.run(past)
  event.run(future)
  db.run(
    "INSERT INTO items (id, account_id, is_hidden, body, name, folded_name, price, published_at) VALUES (1, 1, 0, '{}', '', '', 0, '')",
  )
  db.run(
    "INSERT INTO purchases (folded, code, item_id, account_id, is_revoked, sold_at, currency, price, before_item, after_item) VALUES ('a', 'a', 1, 1, 0, '', '', 0, '', '')",
  )
  const site = db.query("INSERT INTO purchase_sites VALUES ('a', 'a', ?1, 1, ?2, ?2, 1)")
  site.run("old.com", past.slice(0, 10))
  site.run("new.com", future.slice(0, 10))
  const release = db.query("INSERT INTO site_releases VALUES ('a', 'a', '', ?)")
  release.run(past)
  release.run(future)
  const server = await startServer(folder, env)
  const tables = [
    ...["sign_in_failures", "sessions", "invitations"],
    ...["sign_in_links", "audit_events", "site_releases", "purchase_sites"],
  ]
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table}) AS ${table}`)
  const left = db.query<Record<string, number>, []>(`SELECT ${counts.join(", ")}`)
  await until(() => left.get()?.site_releases === 1 || undefined)
  expect(left.get()).toEqual({
    sign_in_failures: 1,
    sessions: 1,
    invitations: 1,
    sign_in_links: 1,
    audit_events: 1,
    site_releases: 1,
    purchase_sites: 1,
  })
  await server.stop()
  db.close()
})
