import { createServer } from "node:http"
import { Webhook } from "standardwebhooks"

const webhook = new Webhook(process.env.WEBHOOK_SECRET)

// Messages from Pazar are shorter.
const bodyLengthMax = 2_000_000

/** Returns null if the body is too long. */
async function readBody(request) {
  let body = ""
  // The connection stays open for the response.
  for await (const part of request.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    body += part
    if (body.length > bodyLengthMax) return null
  }
  return body
}

function describe({ type, data }) {
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
    const text = describe(webhook.verify(body, request.headers))
    const sent = await fetch(process.env.CHAT_URL, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ text }),
    })
    // The status 502 makes Pazar retry.
    response.writeHead(sent.ok ? 204 : 502).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(Number(process.env.PORT), "127.0.0.1")
