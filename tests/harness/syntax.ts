/** The syntax tree of a source file. */
import { parseSync } from "oxc-parser"

export type Node = Readonly<{ type: string; start: number; end: number; [member: string]: unknown }>

/** Calls `see` for each node, parents first; the children of a node for which it gives false are left out. */
export function visitNodes(file: string, source: string, see: (node: Node) => boolean): void {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  function visit(node: Node): void {
    if (!see(node)) return
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child)
    }
  }
  visit(program as unknown as Node) // of the same shape
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value
