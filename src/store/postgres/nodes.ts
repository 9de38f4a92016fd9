import type { NodeStore } from "../../domain/node.ts"
import { forgetNodes, listNodes, putNode, removeNode, valuesOfNode } from "../nodes.ts"
import type { Database } from "./database.ts"

export function postgresNodes(db: Database): NodeStore {
  return {
    put: (node) => db.write(putNode, valuesOfNode(node)),
    remove: (id) => db.write(removeNode, [id]),
    list: listNodes(db),
    forget: (before) => db.write(forgetNodes, [before]),
  }
}
