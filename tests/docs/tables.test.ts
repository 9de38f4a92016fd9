import { expect, test } from "bun:test"
import { documents, renderDocument } from "../../scripts/tables.ts"

test.each(documents)("%s has the tables that `npx bun scripts/tables.ts` writes", async (file) => {
  const text = await Bun.file(file).text()
  expect(renderDocument(text)).toBe(text)
})
