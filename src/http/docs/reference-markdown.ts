/** The parts of the reference as Markdown. */
import type { SampleSettings } from "../pages/samples/sample-request.ts"
import { createSamples, type Sample } from "../pages/samples/samples.ts"
import type { PageTexts } from "../pages/translations/texts.ts"
import type { Field, Reference, ReferenceOperation } from "./reference.ts"

type Texts = PageTexts["docs"]

/** One section per error code. */
export function renderErrorCodes({ errorCodes }: Reference, texts: Texts): string {
  const actions: Readonly<Record<string, string>> = texts.actions
  const sections = errorCodes.map(({ code, statuses, meaning, isTemporary }) => [
    `## \`${code}\``,
    `${texts.status}: **${statuses}** · ${texts.retry}: ${isTemporary ? texts.retryLater : texts.retryNever}`,
    meaning,
    `**${texts.action}:** ${actions[code] ?? ""}`,
  ])
  return sections.flat().join("\n\n")
}

export const renderObjects = ({ objects }: Reference, texts: Texts) =>
  objects
    .map(
      ({ name, fields }) => `## ${name}\n\n${renderFields(fields, texts, "always", "sometimes")}`,
    )
    .join("\n\n")

export function renderOperation(
  { method, path, title, text, parameters, responses }: ReferenceOperation,
  texts: Texts,
  settings: SampleSettings,
): string {
  return [
    `# ${title}`,
    `\`${method} ${path}\``,
    text,
    parameters.length === 0 ? "" : `## ${texts.parameters}`,
    parameters.length === 0 ? "" : renderFields(parameters, texts, "required", "optional"),
    renderSamples(createSamples(path, settings)),
    `## ${texts.responses}`,
    ...responses.flatMap(({ status, text: meaning, errorCodes, example }) => [
      `**${status}** ${meaning} ${errorCodes.map((code) => `\`${code}\``).join(", ")}`.trim(),
      ...(example === null ? [] : [`\`\`\`json\n${example}\n\`\`\``]),
    ]),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
}

export const renderSamples = (samples: readonly Sample[]) =>
  samples
    .map(({ name, language, text }) => `${name}:\n\n\`\`\`${language}\n${text}\`\`\``)
    .join("\n\n")

function renderFields(
  fields: readonly Field[],
  texts: Texts,
  ifRequired: "always" | "required",
  ifOptional: "sometimes" | "optional",
): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`
  const head = [texts.name, texts.type, texts.presence, texts.meaning]
  const rows = fields.map(({ name, type, isRequired, text }) => [
    `\`${name}\``,
    type,
    texts[isRequired ? ifRequired : ifOptional],
    text,
  ])
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")
}
