import { captureAnswer } from "../contenders/limit.ts"
import { listWorkload, notModifiedWorkload, paths } from "../workloads.ts"
import { compareWithLimit } from "./against-limit.ts"
import type { Part } from "./part.ts"

export const notModified: Part = {
  name: "not-modified",
  title: "Confirming a list that the client has",
  run: (context) =>
    compareWithLimit(context, {
      what: "304 for a list, against the limit",
      path: paths.list,
      atLeast: 0.85,
      async workload(store, pazar) {
        const lists = listWorkload(store)
        const tags: string[] = []
        for (let account = 0; account < lists.count; account += 1) {
          const { headers } = await captureAnswer(pazar.port, lists, account)
          tags.push(headers.etag ?? "")
        }
        return notModifiedWorkload(store, tags)
      },
    }),
}
