import { expect, test } from "bun:test"
import { manPagePath, renderManPage } from "../../scripts/man-page.ts"

test("the manual page is the one that `npx bun scripts/man-page.ts` writes", async () => {
  expect(await Bun.file(manPagePath).text()).toBe(renderManPage())
})
