/** Small changes of a source file, each of which a test should notice. */
import { type Node, visitNodes } from "./syntax.ts"

export type Mutant = Readonly<{ start: number; end: number; replacement: string }>

const otherOperators: Readonly<Record<string, readonly string[]>> = {
  "===": ["!=="],
  "!==": ["==="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "&&": ["||"],
  "||": ["&&"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "&": ["|"],
  "|": ["&"],
  "<<": [">>"],
  ">>>": ["<<"],
}

export function listMutants(file: string, source: string): readonly Mutant[] {
  const mutants: Mutant[] = []
  const textOf = ({ start, end }: Node) => source.slice(start, end)
  const replace = ({ start, end }: Node, replacement: string) =>
    mutants.push({ start, end, replacement })

  function mutate(node: Node): void {
    const { type } = node
    if (type === "BinaryExpression" || type === "LogicalExpression") mutateOperator(node)
    if (type === "Literal" && typeof node.value === "boolean") replace(node, String(!node.value))
    if (type === "Literal" && typeof node.value === "number") replace(node, String(node.value + 1))
    if (type === "UnaryExpression" && node.operator === "!")
      replace(node, `(${textOf(node.argument as Node)})`) // has one
    if (type === "IfStatement" || type === "ConditionalExpression") {
      replace(node.test as Node, "true") // has one
      replace(node.test as Node, "false")
    }
    if (type === "ExpressionStatement" && isEffect(node.expression as Node)) replace(node, ";") // has one
    if (type === "ThrowStatement") replace(node, ";")
  }
  function mutateOperator(node: Node): void {
    const [left, right] = [node.left as Node, node.right as Node] // has both
    const operator = String(node.operator)
    if (operator === "??") {
      replace(node, textOf(left))
      replace(node, textOf(right))
    }
    // Texts are joined by + too; joining them by - gives NaN, which any test notices.
    for (const other of otherOperators[operator] ?? []) {
      const between = source.slice(left.end, right.start).replace(operator, other)
      mutants.push({ start: left.end, end: right.start, replacement: between })
    }
  }
  visitNodes(file, source, (node) => {
    // Types, imports and texts are not behaviour, or are compared elsewhere.
    if (/^TS(?!AsExpression|NonNull|Satisfies)|^Import|^TemplateElement$/.test(node.type))
      return false
    mutate(node)
    return true
  })
  return mutants
}

/** A call, an assignment or an await that is made for its effect. */
const isEffect = ({ type }: Node) =>
  ["CallExpression", "AssignmentExpression", "AwaitExpression", "UpdateExpression"].includes(type)

export const applyMutant = (source: string, { start, end, replacement }: Mutant) =>
  source.slice(0, start) + replacement + source.slice(end)
