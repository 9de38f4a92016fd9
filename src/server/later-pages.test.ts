import { expect, test } from "bun:test"
import type { Pages } from "../http/pages/app/page-app.ts"
import { openLaterPages } from "./later-pages.ts"

const pages: Pages = { fetch: async () => new Response("a page") }

test("pages are loaded without a visit", async () => {
  const loaded = Promise.withResolvers<void>()
  const later = openLaterPages(() => {
    loaded.resolve()
    return pages
  })
  await loaded.promise
  later.close()
})

test("pages are made once, however many visitors wait for them", async () => {
  let made = 0
  const later = openLaterPages(() => {
    made += 1
    return pages
  })
  const found = await Promise.all([later.find(), later.find()])
  later.close()
  expect([...found, await later.find()]).toEqual([pages, pages, pages])
  expect(made).toBe(1)
})
