/**
 * An author or an operator reads one list, one file and one search at a time on each thread: others have the rest of it.
 * Nothing more is read for a client that is gone.
 */
import { DomainError } from "../error.ts"
import { untilNextTurn } from "../timers.ts"
import type { PageContext } from "./context.ts"

/** Each takes a megabyte until it is read. */
const filesMax = 2

const takeTurn = (c: PageContext, kind: string, max: number) =>
  c.env.takeTurn(`${kind} of ${c.var.person.id}`, max, c.req.raw.signal)

export async function inTurn<T>(
  c: PageContext,
  kind: "list" | "file" | "search",
  read: () => Promise<T>,
): Promise<T> {
  const end = await takeTurn(c, kind, 1)
  try {
    return await read()
  } finally {
    end()
  }
}

/** Throws `unavailable` if the client is gone. SQLite blocks the thread, which learns of it only between two reads. */
export async function checkClient(c: PageContext): Promise<void> {
  await untilNextTurn()
  if (c.req.raw.signal.aborted) throw new DomainError("unavailable")
}

/** Call the returned function at the end of the file. Until then, the file keeps the place of its page. */
export async function openFile(c: PageContext): Promise<() => void> {
  const end = await takeTurn(c, "open file", filesMax)
  let leave = c.env.keepPlace()
  return () => {
    end()
    leave()
    leave = () => {}
  }
}
