import type { Child } from "hono/jsx"
import { keysPath, logPath, salesPath, searchPath, webhooksPath } from "../paths.ts"
import type { PageTexts } from "../translations/texts.ts"
import type { PageProps, View } from "../view.ts"
import { displayName } from "./formatted-values.tsx"
import { AppLayout, findSection, isIn, PublicPage, type Section, SupportLink } from "./layout.tsx"
import { Tabs } from "./panels-and-tables.tsx"

const home = "/workspace"

/** Keys precede the settings: the first section that contains the path is marked. */
const sectionsOf = ({ texts }: View): readonly Section[] => [
  { icon: "overview", path: home, text: texts.overview.title },
  { icon: "items", path: "/workspace/items", text: texts.items.title },
  { icon: "sales", path: salesPath, text: texts.sales.title },
  { icon: "check", path: "/workspace/check", text: texts.check.title },
  { icon: "keys", path: keysPath, text: texts.keys.title },
  { icon: "settings", path: "/workspace/settings", text: texts.navigation.settings },
  { icon: "docs", path: "/docs", text: texts.navigation.docs },
]

export const navigationPages = (view: View): readonly Section[] => [
  ...sectionsOf(view).filter(({ path }) => path !== keysPath),
  ...settingsOf(view),
]

/** The log belongs to the overview, whose numbers link to it. */
const sectionPathOf = ({ path }: View) => (isIn(path, logPath, home) ? home : path)

/** Each page renders its own heading: some have it below other content. */
export const WorkspacePage = ({ view, title, problem, children }: PageProps) => {
  const sections = sectionsOf(view)
  return (
    <AppLayout
      view={view}
      title={title}
      problem={problem}
      home={home}
      name={view.site.name}
      navigation={view.texts.navigation.label}
      sections={sections}
      current={findSection(sections, sectionPathOf(view), home)}
      signOutPath="/logout"
      search={{ path: searchPath, label: view.texts.search.label }}
      who={
        <>
          <a class="who-name" href="/workspace/settings/profile" title={view.author?.username}>
            <bdi>{view.author && displayName(view.author.name, view.author.username)}</bdi>
          </a>
          <SupportLink view={view} />
        </>
      }
    >
      {children}
    </AppLayout>
  )
}

const settingsOf = ({ texts }: View): readonly Section[] => [
  { icon: "settings", path: "/workspace/settings/profile", text: texts.settings.profile.title },
  { icon: "settings", path: keysPath, text: texts.keys.title },
  { icon: "settings", path: webhooksPath, text: texts.webhooks.title },
  { icon: "settings", path: "/workspace/settings/security", text: texts.settings.security.title },
  { icon: "settings", path: "/workspace/settings/language", text: texts.settings.language.title },
  { icon: "settings", path: "/workspace/settings/activity", text: texts.settings.activity.title },
]

type SettingsPageProps = PageProps & { action?: Child }

export const SettingsPage = ({ view, title, problem, action, children }: SettingsPageProps) => (
  <WorkspacePage view={view} title={title} problem={problem}>
    <Tabs
      label={view.texts.navigation.settings}
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

export type ErrorStatus = Exclude<keyof PageTexts["errors"], "home" | "overview">

/** Signed-in authors keep the navigation, without a marked section. */
export const ErrorPage = ({ view, status }: { view: View; status: ErrorStatus }) => {
  const { errors } = view.texts
  const Page = view.author === null ? PublicPage : WorkspacePage
  const unmarked = { ...view, path: "" }
  return (
    <Page view={unmarked} title={errors[status].title}>
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
