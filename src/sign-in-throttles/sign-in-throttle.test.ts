import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { openSmallStore, type SmallStore } from "../../tests/harness/stores/small-store.ts"
import type { SignInSource, SignInThrottle } from "../domain/sign-in/sign-in-failures.ts"
import { SignInRefused } from "../domain/sign-in/sign-in-failures.ts"
import { createSignInThrottle } from "./sign-in-throttle.ts"

let small: SmallStore
beforeEach(async () => {
  small = await openSmallStore()
})
afterEach(() => small.close())

const stranger: SignInSource = { name: "elif", network: "198.51.100.0/24", isKnown: false }
const owner: SignInSource = { name: "elif", network: "192.0.2.0/24", isKnown: true }
/** As another thread has it. */
const openThrottle = () =>
  createSignInThrottle({
    failures: small.services.signInFailures,
    digest: small.services.tokens.digest,
    now: small.clock.now,
  })
const networkOf = (index: number) => `10.${index >> 8}.${index & 255}.0/24`

/** Seconds to wait; 0 for a try that was judged. */
const attempt = (source: SignInSource, isRight: boolean): Promise<number> =>
  small.services.throttle
    .attempt(source, async () => (isRight ? true : null))
    .then(
      () => 0,
      (error) => {
        if (error instanceof SignInRefused) return error.secondsToWait
        throw error
      },
    )
/** A right try leaves the failures as they were, so asking hardly changes anything. */
const waitOf = (source: SignInSource) => attempt(source, true)

async function fail(times: number, source: (index: number) => SignInSource): Promise<void> {
  for (let index = 0; index < times; index++) await attempt(source(index), false)
}

/** From another network with every ten of them, as one network has no more for a name. */
const fromAnywhere = (index: number) => ({
  ...stranger,
  network: networkOf(Math.floor(index / 10)),
})

describe("a name at one network", () => {
  test("has ten tries, then waits ten minutes", async () => {
    await fail(9, () => stranger)
    expect(await waitOf(stranger)).toBe(0)
    await fail(1, () => stranger)
    expect(await waitOf(stranger)).toBe(600)
  })

  test("says how long is still to wait, never less, and is open again after that", async () => {
    await fail(10, () => stranger)
    small.clock.forward(0.5)
    expect(await waitOf(stranger)).toBe(600)
    small.clock.forward(598.5)
    expect(await waitOf(stranger)).toBe(1)
    small.clock.forward(1)
    expect(await waitOf(stranger)).toBe(0)
  })

  test("starts a new count after the wait, not one failure from the next", async () => {
    await fail(10, () => stranger)
    small.clock.forward(600)
    await fail(9, () => stranger)
    expect(await waitOf(stranger)).toBe(0)
    small.clock.forward(1)
    await fail(1, () => stranger)
    expect(await waitOf(stranger)).toBe(599)
  })

  test("is not made to wait any longer by tries that were refused", async () => {
    await fail(10, () => stranger)
    small.clock.forward(60)
    await fail(100, () => stranger)
    expect(await waitOf(stranger)).toBe(540)
    expect(await waitOf({ ...stranger, name: "deniz" })).toBe(0)
  })

  test("does not hold it up at any other network", async () => {
    await fail(30, () => stranger)
    expect(await waitOf({ ...stranger, network: networkOf(1) })).toBe(0)
  })

  test("is not used up for others by its owner's own slips", async () => {
    await fail(20, () => owner)
    expect(await waitOf(stranger)).toBe(0)
  })

  test("is one name however its case and the blanks around it are written", async () => {
    const spellings = ["ELIF", " Elif", "elif\u200b", "eLiF\t"]
    await fail(10, (index) => ({ ...stranger, name: spellings[index % 4] ?? "" }))
    expect(await waitOf(stranger)).toBe(600)
  })

  test("is counted alike in every spelling that finds the same account", async () => {
    const bucketsOf = async (name: string) => {
      const texts: string[] = []
      const throttle = createSignInThrottle({
        failures: {
          take: async () => ({ isTaken: true, windows: [] }),
          giveBack: async () => {},
          forget: async () => 0,
        },
        digest(text) {
          texts.push(text)
          return new Uint8Array()
        },
        now: () => new Date(0),
      })
      await throttle.attempt({ ...stranger, name }, async () => true)
      return texts
    }
    const flipCase = (letter: string) =>
      /[a-z]/.test(letter) ? letter.toUpperCase() : letter.replace(/[A-Z]/, (x) => x.toLowerCase())
    const names = fc.string({
      unit: fc.oneof(fc.constantFrom(..."aBıİΣ"), fc.string({ maxLength: 1 })),
    })
    await fc.assert(
      fc.asyncProperty(names, fc.array(fc.boolean()), async (name, flips) => {
        const spelling = [...name].map((each, at) => (flips[at] ? flipCase(each) : each)).join("")
        expect(await bucketsOf(spelling)).toEqual(await bucketsOf(name))
      }),
    )
  })

  test("is not another name of the same account", async () => {
    await fail(10, () => ({ ...stranger, name: "elif@example.com" }))
    expect(await waitOf(stranger)).toBe(0)
  })

  const { network } = stranger
  const lookalikes = [`pair ${network} elif`, `${network} elif`, `elif at ${network}`]
  test.each(lookalikes)("is not held up by tries at a name like %p", async (name) => {
    await fail(200, (index) => ({ ...fromAnywhere(index), name }))
    await fail(40, (index) => ({ name: String(index), network: "elif", isKnown: false }))
    expect(await waitOf(stranger)).toBe(0)
  })
})

describe("a name that is guessed at from many networks", () => {
  test("has a hundred tries in ten minutes, and then one every ten seconds", async () => {
    await fail(99, fromAnywhere)
    expect([await waitOf(stranger), await waitOf(stranger)]).toEqual([0, 0])
    await fail(1, () => fromAnywhere(99))
    expect(await waitOf(stranger)).toBe(0)
    await fail(1, () => fromAnywhere(100))
    expect(await waitOf(stranger)).toBe(10)
    small.clock.forward(9)
    expect(await waitOf(stranger)).toBe(1)
    small.clock.forward(1)
    expect([await waitOf(stranger), await waitOf(stranger)]).toEqual([0, 0])
  })

  test("gives no more than 160 tries in ten minutes, from any number of networks", async () => {
    let judged = 0
    for (let second = 0; second < 600; second += 1) {
      for (let i = 0; i < 5; i += 1) {
        const wait = await attempt({ ...stranger, network: networkOf(second * 5 + i) }, false)
        if (wait === 0) judged += 1
      }
      small.clock.forward(1)
    }
    // The first hundred take twenty seconds, at five a second.
    expect(judged).toBe(100 + 58)
  })

  test("is not held up where it has been signed in before", async () => {
    await fail(200, fromAnywhere)
    expect([await waitOf(stranger), await waitOf(owner)]).toEqual([10, 0])
  })

  test("does not hold up another one", async () => {
    await fail(200, fromAnywhere)
    expect(await waitOf({ ...stranger, name: "deniz" })).toBe(0)
  })
})

describe("a network", () => {
  const atAnyone = (index: number) => ({ ...stranger, name: `author ${index}` })

  test("has thirty tries for all accounts together, then waits ten minutes", async () => {
    await fail(29, atAnyone)
    expect(await waitOf({ ...stranger, name: "one more" })).toBe(0)
    await fail(1, () => atAnyone(29))
    expect(await waitOf({ ...stranger, name: "one more" })).toBe(600)
    expect(await waitOf({ ...stranger, name: "one more", isKnown: true })).toBe(600)
  })

  test("does not hold up another one", async () => {
    await fail(30, atAnyone)
    expect(await waitOf({ ...owner, isKnown: false })).toBe(0)
  })

  test("counts failures at a known place too", async () => {
    await fail(30, () => owner)
    expect(await waitOf(owner)).toBe(600)
  })

  test("and a name there: the longer wait counts", async () => {
    await fail(20, atAnyone)
    small.clock.forward(60)
    await fail(10, () => stranger)
    expect(await waitOf(stranger)).toBe(600)
    small.clock.forward(540)
    expect(await waitOf(stranger)).toBe(60)
  })
})

describe("a success", () => {
  test("takes back its own try and no other", async () => {
    await fail(9, () => stranger)
    for (let i = 0; i < 50; i += 1) expect(await attempt(stranger, true)).toBe(0)
    await fail(1, () => stranger)
    expect(await waitOf(stranger)).toBe(600)
  })

  test("that took until the next window takes nothing back there", async () => {
    await small.services.throttle.attempt(stranger, async () => {
      small.clock.forward(600)
      await fail(10, () => stranger)
      return true
    })
    expect(await waitOf(stranger)).toBe(600)
  })
})

describe("successes", () => {
  const succeed = async (times: number, source: (index: number) => SignInSource) => {
    for (let index = 0; index < times; index += 1) expect(await waitOf(source(index))).toBe(0)
  }

  test("are two hundred in ten minutes for a name, from any networks", async () => {
    await succeed(100, (index) => ({ ...owner, network: networkOf(index % 4) }))
    await succeed(100, (index) => ({ ...stranger, network: networkOf(index) }))
    expect(await waitOf(owner)).toBe(600)
    expect(await waitOf({ ...stranger, name: "ELIF" })).toBe(600)
    expect(await waitOf({ ...owner, name: "deniz" })).toBe(0)
    small.clock.forward(600)
    expect(await waitOf(owner)).toBe(0)
  })

  test("are not used up by wrong passwords of strangers", async () => {
    await fail(300, fromAnywhere)
    await succeed(200, () => owner)
    expect(await waitOf(owner)).toBe(600)
  })
})

describe("at once, on one thread", () => {
  /** Tries that go on until the test ends them. */
  function hold(throttle: SignInThrottle, sources: readonly SignInSource[]) {
    const end = Promise.withResolvers<true>()
    const waits = sources.map((source) =>
      throttle
        .attempt(source, () => end.promise)
        .then(
          () => 0,
          (error) => error.secondsToWait,
        ),
    )
    return { waits, end: () => end.resolve(true) }
  }

  test("four tries of one name are under way, whatever their networks, and then four others", async () => {
    const throttle = openThrottle()
    const sources = Array.from({ length: 9 }, (_, index) => ({
      ...stranger,
      network: networkOf(index),
    }))
    const held = hold(throttle, sources)
    expect(await Promise.all(held.waits.slice(4))).toEqual([2, 2, 2, 2, 2])
    expect(await throttle.attempt({ ...stranger, name: "deniz" }, async () => "in")).toBe("in")
    held.end()
    expect(await Promise.all(held.waits.slice(0, 4))).toEqual([0, 0, 0, 0])
    expect(await throttle.attempt(stranger, async () => "in")).toBe("in")
  })

  test("eight of one network, and an invitation there waits like a sign-in", async () => {
    const throttle = openThrottle()
    const sources = Array.from({ length: 9 }, (_, index) => ({ ...stranger, name: `${index}` }))
    const held = hold(throttle, sources)
    expect(await held.waits[8]).toBe(2)
    const accept = (network: string) =>
      throttle.inLine({ name: "deniz", network }, async () => "accepted").catch(String)
    expect(await accept(stranger.network)).toStartWith("SignInRefused: ")
    expect(await accept(owner.network)).toBe("accepted")
    held.end()
    await Promise.all(held.waits)
    expect(await accept(stranger.network)).toBe("accepted")
  })
})

test("what could not be judged was no try", async () => {
  const { throttle } = small.services
  const broken = () => Promise.reject(new Error("no time to hash"))
  for (let i = 0; i < 40; i += 1) {
    await expect(throttle.attempt(stranger, broken)).rejects.toThrow("no time to hash")
  }
  expect(await waitOf(stranger)).toBe(0)
})

test("of many at once, on many threads, no more are judged than there are tries", async () => {
  let judged = 0
  const guesses = Array.from({ length: 50 }, () =>
    openThrottle()
      .attempt(stranger, async () => {
        judged += 1
        await Bun.sleep(1)
        return null
      })
      .catch((error) => error.secondsToWait),
  )
  const waits = await Promise.all(guesses)
  expect([judged, waits.filter((wait) => wait === 600).length]).toEqual([10, 40])
})

test("names as long as a request are counted by their beginning", async () => {
  const long = "x".repeat(60_000)
  await fail(10, (index) => ({ ...stranger, name: `${long}${index}` }))
  expect(await waitOf({ ...stranger, name: long })).toBe(600)
})

test("names are told apart by each of the first 255 characters, and by no other", async () => {
  const name = "x".repeat(256)
  await fail(10, () => ({ ...stranger, name }))
  const changed = (at: number) => ({
    ...stranger,
    name: `${name.slice(0, at)}y${name.slice(at + 1)}`,
  })
  const waits = await Promise.all([0, 254, 255].map((at) => waitOf(changed(at))))
  expect(waits).toEqual([0, 0, 600])
})
