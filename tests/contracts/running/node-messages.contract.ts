import { describe, expect, test } from "bun:test"
import { messageCharactersMax } from "../../../src/domain/running/node.ts"
import type { Store } from "../../../src/domain/store.ts"
import { until } from "../until.ts"

/** Two stores over the same data, as in two servers. */
export const nodeMessagesContract = (adapter: string, openTwo: () => Promise<[Store, Store]>) =>
  describe(`NodeMessages on ${adapter}`, () => {
    test("what one program sends all of them hear, where a store has any", async () => {
      const [ours, theirs] = await openTwo()
      const heard: string[] = []
      const end = ours.nodeMessages?.watch((text) => heard.push(text))
      try {
        if (ours.nodeMessages === null) return
        const long = "x".repeat(messageCharactersMax)
        await until(async () => {
          await theirs.nodeMessages?.send("ready?")
          return heard.includes("ready?") || undefined
        })
        heard.length = 0
        await theirs.nodeMessages?.send(long)
        await ours.nodeMessages.send("own")
        await until(() => (heard.includes(long) && heard.includes("own")) || undefined)
        expect(heard.filter((text) => text !== "ready?").toSorted()).toEqual(["own", long])
      } finally {
        await end?.()
        await ours.close()
        await theirs.close()
      }
    })
  })
