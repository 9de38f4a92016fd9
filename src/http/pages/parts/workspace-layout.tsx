/** The frame of the pages of authors. */

import type { Child } from "hono/jsx"
import { keysPath, logPath, salesPath, searchPath, webhooksPath } from "../paths.ts"
import type { Words } from "../translations/en.ts"
import type { PageProps, View } from "../view.ts"
import { Tabs } from "./blocks.tsx"
import { FramePage, findSection, isIn, PublicPage, type Section, SupportLink } from "./layout.tsx"
import { shownName } from "./values.tsx"

const home = "/workspace"

/** The first that the path is in is marked: the keys are a part of the settings. */
const sectionsOf = ({ words }: View): readonly Section[] => [
  { icon: "overview", path: home, text: words.overview.title },
  { icon: "items", path: "/workspace/items", text: words.items.title },
  { icon: "sales", path: salesPath, text: words.sales.title },
  { icon: "check", path: "/workspace/check", text: words.check.title },
  { icon: "keys", path: keysPath, text: words.keys.title },
  { icon: "settings", path: "/workspace/settings", text: words.navigation.settings },
  { icon: "docs", path: "/docs", text: words.navigation.docs },
]

/** The pages that the navigation and the tabs of the settings lead to. */
export const pagesOf = (view: View): readonly Section[] => [
  ...sectionsOf(view).filter(({ path }) => path !== keysPath),
  ...settingsOf(view),
]

/** The log is a part of the overview, whose numbers lead to it. */
const placeOf = ({ path }: View) => (isIn(path, logPath, home) ? home : path)

/** The title is the page's own: some have it below something else. */
export const WorkspacePage = ({ view, title, problem, children }: PageProps) => {
  const sections = sectionsOf(view)
  return (
    <FramePage
      view={view}
      title={title}
      problem={problem}
      home={home}
      name={view.site.name}
      navigation={view.words.navigation.label}
      sections={sections}
      current={findSection(sections, placeOf(view), home)}
      signOutPath="/logout"
      search={{ path: searchPath, label: view.words.search.label }}
      who={
        <>
          <a class="who-name" href="/workspace/settings/profile" title={view.author?.username}>
            <bdi>{view.author && shownName(view.author.name, view.author.username)}</bdi>
          </a>
          <SupportLink view={view} />
        </>
      }
    >
      {children}
    </FramePage>
  )
}

const settingsOf = ({ words }: View): readonly Section[] => [
  { icon: "settings", path: "/workspace/settings/profile", text: words.profile.title },
  { icon: "settings", path: keysPath, text: words.keys.title },
  { icon: "settings", path: webhooksPath, text: words.webhooks.title },
  { icon: "settings", path: "/workspace/settings/security", text: words.security.title },
  { icon: "settings", path: "/workspace/settings/language", text: words.languagePage.title },
  { icon: "settings", path: "/workspace/settings/activity", text: words.activity.title },
]

type SettingsPageProps = PageProps & { action?: Child }

/** `action` stands beside the title. */
export const SettingsPage = ({ view, title, problem, action, children }: SettingsPageProps) => (
  <WorkspacePage view={view} title={title} problem={problem}>
    <Tabs
      label={view.words.navigation.settings}
      tabs={settingsOf(view).map(({ path, text }) => ({
        path,
        text,
        isCurrent: isIn(view.path, path, home),
      }))}
    />
    <div class="head">
      <h1>{title}</h1>
      {action}
    </div>
    {children}
  </WorkspacePage>
)

export type ErrorStatus = Exclude<keyof Words["errors"], "home" | "overview">

/** A signed-in author keeps the navigation of the workspace; no section of it is marked. */
export const ErrorPage = ({ view, status }: { view: View; status: ErrorStatus }) => {
  const { errors } = view.words
  const Page = view.author === null ? PublicPage : WorkspacePage
  const place = { ...view, path: "" }
  return (
    <Page view={place} title={errors[status].title}>
      <p class="hint">{status}</p>
      <h1>{errors[status].title}</h1>
      <p>{errors[status].text}</p>
      <p class="actions">
        {view.author === null ? (
          <a href="/">{errors.home}</a>
        ) : (
          <a href="/workspace">{errors.overview}</a>
        )}
        <SupportLink view={view} />
      </p>
    </Page>
  )
}
