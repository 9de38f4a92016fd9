/**
 * Short messages between the threads of a program, and to other nodes where the store passes them on. They can
 * be lost, so nothing may depend on one.
 */
import type { NodeMessages } from "../domain/running/node.ts"

export type Exchange = Readonly<{
  /** `hear` is called with what the other members send. */
  join(hear: (text: string) => void): Member
}>
export type Member = Readonly<{ send(text: string): void; leave(): void }>

export function createExchange(): Exchange {
  const members = new Set<(text: string) => void>()
  return {
    join(hear) {
      members.add(hear)
      return {
        send(text) {
          for (const member of members) if (member !== hear) member(text)
        },
        leave: () => members.delete(hear),
      }
    },
  }
}

/** The version of the messages between nodes. */
const version = "2"

/** All other nodes together are one member. One thread of each program calls this. */
export function joinNodes(exchange: Exchange, messages: NodeMessages): () => Promise<void> {
  // A node hears its own messages too, and must not count its calls twice.
  const opening = `${version} ${crypto.randomUUID()} `
  const nodes = exchange.join((text) => {
    // If the store is lost, each node goes on alone.
    messages.send(opening + text).catch(() => {})
  })
  const stop = messages.watch((text) => {
    const isOther = text.startsWith(`${version} `) && !text.startsWith(opening)
    if (isOther) nodes.send(text.slice(opening.length))
  })
  return async () => {
    nodes.leave()
    await stop()
  }
}
