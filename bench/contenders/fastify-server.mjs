// Purchase validation on Fastify for Node, with request schemas and prepared statements on the same SQLite file.
import { createHmac } from "node:crypto"
import Database from "better-sqlite3"
import Fastify from "fastify"

const db = new Database(process.env.DATABASE, { readonly: true })
db.pragma(`mmap_size = ${64 * 1024 ** 3}`)
const lookUpKey = Buffer.from(process.env.LOOK_UP_KEY, "hex")
const findKey = db.prepare(
  "SELECT account_id, expires_at, revoked_at FROM api_keys WHERE lookup = ?",
)
const findPurchase = db.prepare(
  `SELECT p.before_item, i.body, p.after_item, p.revoked FROM purchases p CROSS JOIN items i ON i.id = p.item_id
   WHERE p.folded = ? AND i.account_id = ?`,
)

const schema = {
  body: {
    type: "object",
    required: ["api_key", "purchase_code"],
    properties: {
      api_key: { type: "string", minLength: 1, maxLength: 255 },
      purchase_code: { type: "string", minLength: 1, maxLength: 255 },
    },
  },
}
const refused = '{"status":"error","msg":"Invalid purchase code"}'

const app = Fastify({ logger: false })
app.post("/api/purchases/validation", { schema }, async (request, reply) => {
  reply.header("Content-Type", "application/json; charset=utf-8")
  reply.header("Cache-Control", "no-store")
  const { api_key, purchase_code } = request.body
  const key = findKey.get(createHmac("sha256", lookUpKey).update(api_key.trim()).digest())
  const isLive =
    key !== undefined &&
    key.revoked_at === null &&
    (key.expires_at === null || key.expires_at > new Date().toISOString())
  if (!isLive) return reply.code(401).send(refused)
  const purchase = findPurchase.get(purchase_code.trim().toLowerCase(), key.account_id)
  if (purchase === undefined || purchase.revoked === 1) return reply.code(404).send(refused)
  const { before_item, body, after_item } = purchase
  return reply.send(`{"status":"success","data":{"purchase":${before_item}${body}${after_item}}}`)
})

await app.listen({ host: "127.0.0.1", port: 0 })
console.log(`listening on http://127.0.0.1:${app.server.address().port}`)
