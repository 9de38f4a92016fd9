import type { NodeStore } from "../../domain/node.ts"
import type { Value } from "../database.ts"
import { forgetNodes, listNodes, putNode, removeNode, valuesOfNode } from "../nodes.ts"
import type { Database } from "./database.ts"

export function sqliteNodes(db: Database): NodeStore {
  const write = (sql: string, values: readonly Value[]) =>
    db.transactUnsynced(({ query }) => {
      query(sql, values)
    })
  return {
    put: (node) => write(putNode, valuesOfNode(node)),
    remove: (id) => write(removeNode, [id]),
    list: listNodes(db),
    forget: (before) => write(forgetNodes, [before]),
  }
}
