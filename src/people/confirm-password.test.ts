import { afterEach, beforeEach, expect, test } from "bun:test"
import { signIn } from "../../tests/harness/sign-in.ts"
import {
  homeIpRange,
  openSmallStore,
  type SmallStore,
} from "../../tests/harness/stores/small-store.ts"
import { confirmPassword, setPassword } from "./security-operations.ts"

const password = "nar bülbül pencere"
const away = "198.51.100.0/24"

let small: SmallStore
beforeEach(async () => {
  small = await openSmallStore()
  await setPassword(small.services, await small.ownerOf(small.ada), password)
  await signIn(small.services, {
    name: "ada",
    password,
    code: "",
    ipRange: homeIpRange,
    device: "",
  })
})
afterEach(() => small.close())

test("ten wrong passwords are verified from an IP range other than the owner's", async () => {
  const ada = await small.ownerOf(small.ada)
  const fromAway = (typed: string) => confirmPassword(small.services, ada, away, typed)
  for (let count = 0; count < 10; count += 1) {
    await expect(fromAway("a wrong one")).rejects.toMatchObject({ retryAfterSeconds: 0 })
  }
  await expect(fromAway(password)).rejects.toMatchObject({ retryAfterSeconds: 600 })
  expect(await confirmPassword(small.services, ada, homeIpRange, password)).toBeString()
})
