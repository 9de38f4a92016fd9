import { createServer } from "node:http"
import { Webhook } from "standardwebhooks"

const webhook = new Webhook(process.env.WEBHOOK_SECRET)

// Messages of Pazar are shorter.
const bodyLengthMax = 2_000_000

/** Null for a body that is too long. */
async function readBody(request) {
  let body = ""
  // The connection stays open for the response.
  for await (const part of request.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    body += part
    if (body.length > bodyLengthMax) return null
  }
  return body
}

function tell({ type, data }) {
  if (type === "purchase.created") {
    const { item, price, currency } = data.purchase
    return `Sold: ${item.name} for ${price} ${currency}`
  }
  if (type === "purchase.revoked") return `Refunded: ${data.purchase.item.name}`
  return type
}

createServer(async (request, response) => {
  try {
    const body = await readBody(request)
    if (body === null) return response.writeHead(413, { Connection: "close" }).end()
    const text = tell(webhook.verify(body, request.headers))
    const told = await fetch(process.env.CHAT_URL, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ text }),
    })
    // The chat did not take it: Pazar sends it again.
    response.writeHead(told.ok ? 204 : 502).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(Number(process.env.PORT), "127.0.0.1")
