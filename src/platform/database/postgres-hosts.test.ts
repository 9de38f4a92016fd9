import { expect, test } from "bun:test"
import { Client } from "pg"
import { describeDatabase, splitHosts } from "./postgres-hosts.ts"

/** Parses each URL with the driver. */
const readHosts = (url: string) =>
  splitHosts(url)?.map((each) => {
    const { user, password, host, port } = new Client(each)
    return { user, password, host, port }
  })

test.each(["p", "p@ss", "p@@", "a,b"])("every host gets the whole password: %s", (password) => {
  const url = `postgres://pazar:${password}@one:5433,two/shop`
  expect(readHosts(url)).toEqual([
    { user: "pazar", password, host: "one", port: 5433 },
    { user: "pazar", password, host: "two", port: 5432 },
  ])
  expect(describeDatabase(url)).toBe("the database shop at one:5433, two:5432")
})

test.each(["postgres://pazar:p@s,s@one/shop", "postgres://pazar:p@one,pazar:p@two/shop"])(
  "a comma between two @ is not supported: %s",
  (url) => {
    expect(splitHosts(url)).toBeNull()
  },
)
