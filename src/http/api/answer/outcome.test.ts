import { expect, test } from "bun:test"
import { DomainError } from "../../../domain/values/error.ts"
import { failureOutcome, type Outcome, settleTicket } from "./outcome.ts"

const variant = { locale: "en", isLocaleNegotiated: false, keyHeaders: "" } as const
const failure = failureOutcome(new DomainError("no_items"), "list_items", variant, null)

function settle(body: Outcome["body"]) {
  const told: string[] = []
  const ticket = {
    settle(reason: string) {
      told.push(reason)
      return null
    },
    leave: () => void told.push("left"),
  }
  return { told, body: settleTicket(ticket, { ...failure, body }).body }
}
function piecesOf(...pieces: (string | Error)[]) {
  return new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece === undefined) controller.close()
      else if (piece instanceof Error) throw piece
      else controller.enqueue(new TextEncoder().encode(piece))
    },
  })
}
const asStream = (body: Outcome["body"]) => {
  if (body instanceof ReadableStream) return body
  throw new Error("no stream")
}

test("an answer that is whole leaves at once", () => {
  expect(settle("{}").told).toEqual(["no_items", "left"])
})

test("a list is in flight until it is read to its end", async () => {
  const { told, body } = settle(piecesOf("one", " two"))
  expect(told).toEqual(["no_items"])
  expect(await new Response(asStream(body)).text()).toBe("one two")
  expect(told).toEqual(["no_items", "left"])
})

test("or breaks off", async () => {
  const { told, body } = settle(piecesOf("one", new Error("store lost")))
  await expect(new Response(asStream(body)).text()).rejects.toThrow("store lost")
  expect(told).toEqual(["no_items", "left"])
})

test("or is given up by its reader", async () => {
  const { told, body } = settle(piecesOf("one", "two"))
  await asStream(body).cancel()
  expect(told).toEqual(["no_items", "left"])
})

test("or is given up while it waits for the store, and leaves once", async () => {
  const asked = Promise.withResolvers<void>()
  const waiting = new ReadableStream(
    {
      pull() {
        asked.resolve()
        return new Promise(() => {})
      },
    },
    { highWaterMark: 0 },
  )
  const { told, body } = settle(waiting)
  const reader = asStream(body).getReader()
  const reading = reader.read()
  await asked.promise
  await reader.cancel()
  await reading
  await new Promise((resolve) => setImmediate(resolve))
  expect(told).toEqual(["no_items", "left"])
})
