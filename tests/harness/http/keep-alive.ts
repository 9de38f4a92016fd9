/** One connection that is kept, for requests one after the other. */
import { createHttpReader } from "../../../bench/load/http-reader.ts"

export type KeptConnection = Readonly<{
  /** Sends a request and resolves with the status of its answer when all of it is there. */
  ask(request: string): Promise<number>
  close(): void
}>

export async function openConnection(url: string): Promise<KeptConnection> {
  const { hostname, port } = new URL(url)
  const reader = createHttpReader()
  let waiting = Promise.withResolvers<number>()
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, piece) {
        const answer = reader.read(piece, false)
        if (answer !== null) waiting.resolve(answer.status)
      },
      close: () => waiting.reject(new Error("the server ended the connection")),
    },
  })
  return {
    ask(request) {
      waiting = Promise.withResolvers<number>()
      socket.write(request)
      return waiting.promise
    },
    close() {
      waiting.promise.catch(() => {})
      socket.end()
    },
  }
}
