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

createServer(async (request, response) => {
  try {
    const body = await readBody(request)
    if (body === null) return response.writeHead(413, { Connection: "close" }).end()
    const event = webhook.verify(body, request.headers)
    // Pazar may deliver a message twice: store its id and ignore duplicates.
    console.log(`${request.headers["webhook-id"]} ${event.type}`)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(Number(process.env.PORT), "127.0.0.1")
