import { expect, test } from "bun:test"
import { openFirst } from "./browser.ts"

/** Opens none but those that are named, and remembers which were tried. */
function launcher(...working: readonly string[]) {
  const tried: string[] = []
  const launch = async (path: string) => {
    tried.push(path)
    if (!working.includes(path)) throw new Error(`${path} does not start`)
    return path
  }
  return { tried, launch }
}
const candidates = ["bundled", "installed", "another"].map((path) => async () => path)

test("the bundled browser comes first", async () => {
  const { tried, launch } = launcher("bundled", "installed")
  expect(await openFirst(candidates, launch)).toBe("bundled")
  expect(tried).toEqual(["bundled"])
})

test("an installed one is taken where the bundled one does not start", async () => {
  const { tried, launch } = launcher("another")
  expect(await openFirst(candidates, launch)).toBe("another")
  expect(tried).toEqual(["bundled", "installed", "another"])
})

test("an installed one is taken where the bundled one cannot be unpacked", async () => {
  const broken = () => Promise.reject(new Error("the disk is full"))
  const { launch } = launcher("installed")
  expect(await openFirst([broken, ...candidates.slice(1)], launch)).toBe("installed")
})

test("where none starts, the bundled one says why", async () => {
  const { launch } = launcher()
  await expect(openFirst(candidates, launch)).rejects.toThrow("bundled does not start")
})
