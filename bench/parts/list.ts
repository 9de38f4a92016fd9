import { listWorkload, paths } from "../workloads.ts"
import { compareWithLimit } from "./against-limit.ts"
import type { Part } from "./part.ts"

export const list: Part = {
  name: "list",
  title: "Listing 1,000 items",
  run: (context) =>
    compareWithLimit(context, {
      what: "list of 1,000 items, against sending the same constant bytes",
      path: paths.list,
      atLeast: 0.6,
      workload: listWorkload,
    }),
}
