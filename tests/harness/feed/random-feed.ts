import { account, item, type Line, purchase } from "../records.ts"

/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const accounts = 20
const items = 200
const username = (index: number) => `author-${index}`
const authorOf = (id: number) => username(id % accounts)

/**
 * A deleted record does not appear again, so that a second import has the same verdict for every line, wherever the
 * first one was interrupted.
 */
export function* randomFeed(lines: number, random: () => number): Generator<string> {
  const below = (limit: number) => Math.floor(random() * limit)
  const sold: { code: string; itemId: number }[] = []
  const unsold: number[] = []
  let nextUnsold = 10_000
  let announced = 20_000
  const anyItem = () => 1 + below(items)

  function sell(): Line {
    const code = `${below(2 ** 32).toString(16)}-${sold.length}-${below(2 ** 32).toString(36)}`
    const itemId = anyItem()
    sold.push({ code, itemId })
    return purchase(code, itemId)
  }
  function changeSale(): Line {
    const { code, itemId } = sold[below(sold.length)] ?? { code: "never-sold", itemId: 1 }
    return purchase(code, itemId, { price: below(100), revoked: below(2) === 0 })
  }
  function deleteSale(): Line {
    const [gone] = sold.splice(below(sold.length), 1)
    return { type: "purchase", purchase_code: gone?.code ?? "never-sold", deleted: true }
  }
  function publish(): Line {
    unsold.push(nextUnsold)
    return item(authorOf(nextUnsold), nextUnsold++)
  }
  const sellEarly = () => purchase(`early-${below(2 ** 32).toString(36)}`, announced)
  const publishAnnounced = () => item(authorOf(announced), announced++)
  function changeItem(): Line {
    const id = anyItem()
    return item(authorOf(id), id, { version: `2.${below(99)}.0`, hidden: below(4) === 0 })
  }
  function deleteItem(): Line {
    return { type: "item", id: unsold.pop() ?? 9_999, deleted: true }
  }
  const pay = () => account(username(below(accounts)), { balance: below(1_000) })
  const mistake = () => purchase("sold-for-nothing", 5_000)

  const year: readonly (readonly [upTo: number, write: () => Line])[] = [
    [0.65, sell],
    [0.69, sellEarly],
    [0.7, publishAnnounced],
    [0.8, changeSale],
    [0.84, deleteSale],
    [0.88, publish],
    [0.93, changeItem],
    [0.95, deleteItem],
    [0.99, pay],
    [1, mistake],
  ]
  for (let line = 1; line <= lines; line += 1) {
    const roll = random()
    const write = year.find(([upTo]) => roll < upTo)?.[1] ?? sell
    if (line <= accounts) yield render(account(username(line - 1), { api_key: `kept-key-${line}` }))
    else if (line <= accounts + items) {
      const id = line - accounts
      yield render(item(authorOf(id), id))
    } else yield line % 1_000 === 0 ? '{"type":"purchase",\n' : render(write())
  }
}

const render = (line: Line) => `${JSON.stringify(line)}\n`
