/** Checks that come before the path is looked at. */
import type { Handler, Server } from "./handler.ts"
import { hasOneHost } from "./host.ts"

/** `refuse` answers a request whose Host header is repeated or malformed. */
export function guardRequests<Asked extends Request>(
  handle: Handler<Asked>,
  refuse: (request: Request) => Response,
): Handler<Asked> {
  return (request, server) => {
    if (!hasOneHost(request.headers)) return refuse(request)
    const isChunked = request.headers.has("transfer-encoding")
    return isChunked ? answerOnce(handle, request, server) : handle(request, server)
  }
}

/**
 * Bun 1.4 takes a chunked body for complete before it has read the trailers, and refuses trailers with a
 * second answer, a 400. So the answer waits until the bytes that have arrived are parsed (a refused
 * request then gets the 400 alone), and ends the connection, so that later bytes get no answer.
 */
async function answerOnce<Asked extends Request>(
  handle: Handler<Asked>,
  request: Asked,
  server: Server,
): Promise<Response> {
  const response = await handle(request, server)
  await new Promise((resolve) => setImmediate(resolve))
  response.headers.set("Connection", "close")
  return response
}
