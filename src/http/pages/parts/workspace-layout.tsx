/** The frame of the pages of authors. */

import type { Child } from "hono/jsx"
import { keysPath, logPath, salesPath, searchPath } from "../paths.ts"
import type { Words } from "../translations/en.ts"
import type { View } from "../view.ts"
import {
  FramePage,
  findSection,
  isIn,
  type PageProps,
  PublicPage,
  type Section,
  SupportLink,
} from "./layout.tsx"
import { shownName } from "./values.tsx"

const home = "/workspace"

/** The first that the path is in is marked: the keys are a part of the settings. */
const sectionsOf = ({ words: { navigation, keys } }: View): readonly Section[] => [
  { icon: "overview", path: home, text: navigation.overview },
  { icon: "items", path: "/workspace/items", text: navigation.items },
  { icon: "sales", path: salesPath, text: navigation.sales },
  { icon: "check", path: "/workspace/check", text: navigation.check },
  { icon: "keys", path: keysPath, text: keys.title },
  { icon: "settings", path: "/workspace/settings", text: navigation.settings },
  { icon: "docs", path: "/docs", text: navigation.docs },
]

/** The pages that the navigation and the tabs of the settings lead to. */
export const pagesOf = (view: View): readonly Section[] => [
  ...sectionsOf(view).filter(({ path }) => path !== keysPath),
  ...tabsOf(view).map(([tab, text]) => ({
    icon: "settings" as const,
    path: `/workspace/settings/${tab}`,
    text,
  })),
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

const tabsOf = ({ words }: View) =>
  [
    ["profile", words.profile.title],
    ["keys", words.keys.title],
    ["webhooks", words.webhooks.title],
    ["security", words.security.title],
    ["language", words.languagePage.title],
    ["activity", words.activity.title],
  ] as const

type SettingsPageProps = PageProps & { action?: Child }

/** `action` stands beside the title. */
export const SettingsPage = ({ view, title, problem, action, children }: SettingsPageProps) => (
  <WorkspacePage view={view} title={title} problem={problem}>
    <nav aria-label={view.words.navigation.settings} class="tabs">
      <ul>
        {tabsOf(view).map(([tab, text]) => (
          <li>
            <a
              href={`/workspace/settings/${tab}`}
              aria-current={
                isIn(view.path, `/workspace/settings/${tab}`, home) ? "page" : undefined
              }
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
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
