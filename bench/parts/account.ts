import { accountWorkload, paths } from "../workloads.ts"
import { compareWithLimit } from "./against-limit.ts"
import type { Part } from "./part.ts"

export const account: Part = {
  name: "account",
  title: "Reading the account",
  run: (context) =>
    compareWithLimit(context, {
      what: "account, against the limit",
      path: paths.account,
      atLeast: 0.75,
      workload: accountWorkload,
    }),
}
