import { expect, test } from "bun:test"
import { secondsAfter, secondsBefore } from "../platform/time.ts"
import { isConfirmed, type Session } from "./session.ts"

const session: Session = {
  id: "session_1",
  personId: 1,
  ipRange: "192.0.2.0/24",
  device: "",
  isByPasskey: false,
  createdAt: "2026-06-15T08:00:00Z",
  lastSeenAt: "2026-06-15T12:00:00Z",
  confirmedAt: "2026-06-15T12:00:00Z",
}

test("a confirmation is valid for five minutes, to the second", () => {
  const after = [0, 1, 299, 300].map((seconds) => {
    const at = new Date(secondsAfter(new Date(session.confirmedAt), seconds))
    return isConfirmed(session, at)
  })
  expect(after).toEqual([true, true, true, true])
  const late = new Date(secondsAfter(new Date(session.confirmedAt), 301))
  expect(isConfirmed(session, late)).toBe(false)
})

test("a confirmation in the future is valid only within the difference of clocks", () => {
  const before = [300, 301].map((seconds) => {
    const at = new Date(secondsBefore(new Date(session.confirmedAt), seconds))
    return isConfirmed(session, at)
  })
  expect(before).toEqual([true, false])
})
