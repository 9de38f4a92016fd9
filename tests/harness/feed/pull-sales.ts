import { join } from "node:path"
import type { FeedOptions } from "../../../src/feed/load-feed-commands.ts"

import { pullRound } from "../../../src/pull/pull-commands.ts"
import { parsePullFile } from "../../../src/pull/pull-file.ts"
import { captureOutput } from "../load-text.ts"
import type { Program } from "../program.ts"

/** Pulls sales of item 1 from `shop.db` in the program's folder. `rest` ends the query: further columns and the table. */
export async function pullSales(program: Program, rest: string, options: FeedOptions) {
  const { context, messages, written } = captureOutput()
  const file = {
    connection: "sqlite:shop.db",
    purchases: `SELECT code AS purchase_code, 1 AS item_id, 'Regular' AS license_type, 19 AS price, 'USD' AS currency,
      0 AS downloaded, '2025-01-02T00:00:00Z' AS date, ${rest}`,
  }
  const status = await pullRound(program.app, context, {
    file: parsePullFile(JSON.stringify(file), {
      env: {},
      readText: () => null,
      resolvePath: (path) => join(program.folder, path),
    }),
    name: "shop",
    everySeconds: 30,
    since: null,
    options,
    checkStopped: () => {},
  })
  return { status, summary: JSON.parse(written()), messages }
}
