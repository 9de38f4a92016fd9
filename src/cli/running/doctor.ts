import { examine } from "../../doctor/examine.ts"
import type { Finding } from "../../doctor/finding.ts"
import { counted } from "../../domain/values/text.ts"
import type * as declared from "../declarations/running.ts"
import type { Run } from "../frame/command.ts"
import { toJson } from "../frame/output.ts"
import { printable } from "../frame/printable.ts"

export const doctor: Run<typeof declared.doctor> = async ({ values }, context) => {
  context.lowerPriority()
  context.showProgress("checking …")
  const findings = await examine({
    env: context.env,
    now: new Date(),
    isThorough: values.full,
    backups: values.backups ?? null,
  })
  context.showProgress("")
  const [problems, warnings] = [countOf(findings, "problem"), countOf(findings, "warning")]
  await context.write(
    values.json
      ? toJson({ problems, warnings, checks: findings })
      : `${findings.map(render).join("")}${counted(problems, "problem")}, ${counted(warnings, "warning")}.\n`,
  )
  if (findings.some(isNoStore)) return 2
  return problems > 0 ? 1 : 0
}

/** Other commands exit so, too, where there is no store that they can open. */
const isNoStore = ({ check, level }: Finding) => check === "store" && level === "problem"

const countOf = (findings: readonly Finding[], level: Finding["level"]) =>
  findings.filter((finding) => finding.level === level).length

const indent = " ".repeat("problem  ".length)

function render({ check, level, detail, hint }: Finding): string {
  const lines = [`${level.padEnd(indent.length)}${check}: ${detail}`]
  if (hint !== null) lines.push(`${indent}${hint}`)
  return lines.map((line) => `${printable(line)}\n`).join("")
}
