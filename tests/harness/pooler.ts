/**
 * A fake pooler: like PgBouncer, it refuses a connection with settings and passes every other one on.
 */
import { type AddressInfo, connect, createServer } from "node:net"

export type Pooler = Readonly<{ port: number; turnedAway(): number; close(): void }>

const refusal = "unsupported startup parameter: statement_timeout"

export async function openPooler(serverPort: number): Promise<Pooler> {
  let turnedAway = 0
  const listener = createServer((client) => {
    client.once("data", (startup) => {
      if (!startup.includes("statement_timeout") && !startup.includes("lock_timeout")) {
        const server = connect(serverPort, "127.0.0.1")
        server.write(startup)
        client.pipe(server).pipe(client)
        for (const socket of [client, server]) socket.on("error", () => {})
        return
      }
      turnedAway += 1
      const fields = Buffer.from(`SFATAL\0C08P01\0M${refusal}\0\0`)
      const length = Buffer.alloc(4)
      length.writeInt32BE(fields.length + 4)
      client.end(Buffer.concat([Buffer.from("E"), length, fields]))
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve))
  return {
    // Listening on a port, so not on a path.
    port: (listener.address() as AddressInfo).port,
    turnedAway: () => turnedAway,
    close: () => void listener.close(),
  }
}
