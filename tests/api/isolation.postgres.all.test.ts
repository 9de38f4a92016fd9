import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import {
  openStormTarget,
  runIsolationStorm,
  type StormTarget,
  sendRequest,
} from "../harness/faults/isolation-storm.ts"

test("connections cut at random: each response is the author's own, or 503", async () => {
  const { own, unavailable, breaks, wrong } = await runIsolationStorm({ responses: 3_000, seed: 1 })
  expect(wrong.slice(0, 3)).toEqual([])
  expect(own + unavailable).toBe(3_000)
  expect([own > 0, breaks]).toEqual([true, 30])
})

describe("a database with high latency", () => {
  let sea: StormTarget
  beforeAll(async () => {
    sea = await openStormTarget()
  })
  afterAll(() => sea.close())

  /** A few requests of both authors. The whole list would wait too long for a connection on a slow machine. */
  async function sendSome() {
    return Promise.all(
      sea.requests
        .filter((_, at) => at % 20 === 0)
        .map(async (request) => ({
          request,
          response: await sendRequest(sea.program.url, request),
        })),
    )
  }

  test("200: a read is retried if its connection is lost", async () => {
    await sendSome()
    sea.proxy.setDelayMs(500)
    const requests = sendSome()
    await sea.proxy.nextReply()
    sea.proxy.setDelayMs(0)
    sea.proxy.cutAll()
    for (const { request, response } of await requests) expect(response).toEqual(request.own)
  })

  test.each(["warm", "cold"])("500 ms, %s: the author's own response or 503", async (how) => {
    sea.proxy.setDelayMs(0)
    if (how === "warm") await sendSome()
    else sea.proxy.cutAll()
    sea.proxy.setDelayMs(500)
    const responses = await sendSome()
    const strays = responses.filter(
      ({ request, response }) => response.status !== 503 && !Bun.deepEquals(response, request.own),
    )
    expect(strays).toEqual([])
  })
})
