import { itemWorkload, paths } from "../workloads.ts"
import { compareWithLimit } from "./against-limit.ts"
import type { Part } from "./part.ts"

export const item: Part = {
  name: "item",
  title: "Reading an item",
  run: (context) =>
    compareWithLimit(context, {
      what: "item, against the limit",
      path: paths.item,
      atLeast: 0.75,
      workload: itemWorkload,
    }),
}
