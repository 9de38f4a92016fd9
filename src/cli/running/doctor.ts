import type { Finding } from "../../doctor/finding.ts"
import { createCommand, flag } from "../frame/command.ts"
import { lowerPriority } from "../frame/long-work.ts"
import { counted, toJson } from "../frame/output.ts"
import { printable } from "../frame/printable.ts"

export const doctor = createCommand({
  name: "doctor",
  options: { backups: { type: "string", value: "FOLDER" }, full: flag, json: flag },
  summary: "look for problems in store, keys, settings, machine and backups",
  help: `Run it with the settings of the server, and as its user. It changes nothing, and shows no secret. Exit
status 1: there are problems; warnings alone are 0.

  --backups FOLDER  also check that the newest backup in this folder is recent and can be restored
  --full            also compare every index with its rows, which takes several times as long
  --json            print {"problems","warnings","checks":[{"check","level","detail","hint"}]}`,
  async run({ values }, context) {
    lowerPriority()
    const { examine } = await import("../../doctor/examine.ts")
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
    return problems > 0 ? 1 : 0
  },
})

const countOf = (findings: readonly Finding[], level: Finding["level"]) =>
  findings.filter((finding) => finding.level === level).length

const indent = " ".repeat("problem  ".length)

function render({ check, level, detail, hint }: Finding): string {
  const lines = [`${level.padEnd(indent.length)}${check}: ${detail}`]
  if (hint !== null) lines.push(`${indent}${hint}`)
  return lines.map((line) => `${printable(line)}\n`).join("")
}
