import { rightsOf } from "../../../src/access/actor.ts"
import { workspaceOf } from "../../../src/access/paths.ts"
import { ConsolePage } from "../../../src/console/frame.tsx"
import type { Locale } from "../../../src/platform/locale.ts"
import { inView, type View } from "../../../src/platform/pages/context.ts"
import { WorkspacePage } from "../../../src/workspace/frame.tsx"

export const viewAt = (path: string, locale: Locale): View => ({
  site: { name: "Pazar", supportUrl: null, signInUrl: null, identityHost: null },
  locale,
  theme: "system",
  path,
  Frame: WorkspacePage,
  homePath: "/workspace",
  languagePath: "/workspace/ada/settings/language",
  person: { name: "ada" },
  author: { username: "ada", name: "Ada" },
  paths: workspaceOf("ada"),
  teams: [{ username: "ada", fullName: "Ada" }],
  isVisiting: false,
  rights: rightsOf({ kind: "author", role: "owner" }),
  operator: null,
  formToken: "",
  notice: null,
})

export const consoleViewAt = (path: string, locale: Locale): View => ({
  ...viewAt(path, locale),
  Frame: ConsolePage,
  author: null,
  operator: { name: "deniz", role: "admin" },
  rights: rightsOf({ kind: "operator", role: "admin" }),
})

/** The HTML of what `render` returns. */
export const renderIn = (view: View, render: () => unknown): string =>
  inView(view, () => String(render()))

export const textOf = (page: unknown) =>
  String(page)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
