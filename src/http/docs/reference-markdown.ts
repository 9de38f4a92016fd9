/** The reference as Markdown: whole, and in the parts that the pages are made of. */
import type { Locale } from "../api/response/messages.ts"
import type { SampleSettings } from "../pages/samples/sample-request.ts"
import { createSamples, nameOfLanguage } from "../pages/samples/samples.ts"
import type { PageTexts } from "../pages/translations/en.ts"
import { fillIn } from "./markdown.ts"
import type { Reference, ReferenceOperation } from "./reference.ts"
import { guides, sections, summaryOf, titleOf } from "./texts.ts"

export function renderReferenceMarkdown(
  reference: Reference,
  words: PageTexts,
  locale: Locale,
  settings: SampleSettings,
): string {
  const { docs } = words
  const parts = [
    `# ${docs.heading}`,
    docs.intro,
    `${docs.baseUrl}: \`${settings.baseUrl}\``,
    ...reference.operations.map((operation) => renderOperation(operation, docs, settings)),
    ...sections.map(({ markdown }) => markdown[locale]),
    renderReasons(reference, words),
    renderObjects(reference, words),
    `## ${docs.guides}`,
    guides
      .map(
        (guide) =>
          `- [${titleOf(guide, locale)}](/docs/${guide.id}.md): ${summaryOf(guide, locale)}`,
      )
      .join("\n"),
  ]
  return `${parts.map((part) => fillIn(part, settings).trim()).join("\n\n")}\n`
}

export function renderReasons(reference: Reference, words: PageTexts): string {
  const { docs } = words
  const actions: Readonly<Record<string, string>> = docs.actions
  const rows = reference.reasons.map(({ reason, statuses, meaning }) => [
    `\`${reason}\``,
    statuses,
    meaning,
    actions[reason] ?? "",
  ])
  return [
    `## ${docs.reasons}`,
    docs.reasonsIntro,
    renderTable([words.columns.reason, docs.status, docs.meaning, docs.action], rows),
  ].join("\n\n")
}

export function renderObjects({ nouns }: Reference, { docs }: PageTexts): string {
  const tables = nouns.flatMap(({ name, members }) => [
    `### ${name}`,
    renderTable(
      [docs.name, docs.type, docs.presence, docs.meaning],
      members.map((member) => [
        `\`${member.name}\``,
        member.type,
        member.isRequired ? docs.always : docs.sometimes,
        member.text,
      ]),
    ),
  ])
  return [`## ${docs.objects}`, docs.objectsIntro, ...tables].join("\n\n")
}

export function renderOperation(
  { method, path, title, text, parameters, answers }: ReferenceOperation,
  docs: PageTexts["docs"],
  settings: SampleSettings,
): string {
  const rows = parameters.map((parameter) => [
    `\`${parameter.name}\``,
    parameter.type,
    parameter.isRequired ? docs.required : docs.optional,
    parameter.text,
  ])
  return [
    `## ${title}`,
    `\`${method} ${path}\``,
    text,
    ...(rows.length === 0
      ? []
      : [renderTable([docs.name, docs.type, docs.presence, docs.meaning], rows)]),
    ...createSamples(path, settings).flatMap(({ language, text: sample }) => [
      `### ${nameOfLanguage(language)}`,
      `\`\`\`${language}\n${sample}\`\`\``,
    ]),
    `### ${docs.answers}`,
    ...answers.flatMap(({ status, text: meaning, reasons, example }) => [
      `**${status}** ${meaning} ${reasons.map((reason) => `\`${reason}\``).join(", ")}`.trim(),
      ...(example === null ? [] : [`\`\`\`json\n${example}\n\`\`\``]),
    ]),
  ].join("\n\n")
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")
}
