import { expect, test } from "bun:test"
import type { LogDetails } from "../../log/log.ts"
import { createProxyWarning } from "./proxy-warning.ts"

function open() {
  let nowMs = 0
  const told: LogDetails[] = []
  const warn = (_: string, details: LogDetails = {}) => void told.push(details)
  const tell = createProxyWarning({ warn }, () => nowMs)
  return { tell, told: () => told.splice(0), pass: (ms: number) => (nowMs += ms) }
}
const lineOf = (network: string) => ({ network, setting: "PAZAR_TRUSTED_PROXIES" })

test("a network is told once an hour", () => {
  const { tell, told, pass } = open()
  for (const peer of ["10.0.0.1", "10.0.0.2", "::ffff:10.0.0.1", "10.0.1.1"]) tell(peer)
  expect(told()).toEqual([lineOf("10.0.0.0/24"), lineOf("10.0.1.0/24")])
  pass(3_599_999)
  tell("10.0.0.1")
  expect(told()).toEqual([])
  pass(1)
  tell("10.0.0.1")
  expect(told()).toEqual([lineOf("10.0.0.0/24")])
})

test("whoever sends the header from many networks fills neither log nor memory", () => {
  const { tell, told } = open()
  for (let third = 0; third < 256; third += 1) tell(`192.0.${third}.1`)
  expect(told()).toHaveLength(20)
})
