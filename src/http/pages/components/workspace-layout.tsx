import {
  checkPath,
  itemsPath,
  keysPath,
  logPath,
  salesPath,
  searchPath,
  securityPath,
  settingsPath,
  webhooksPath,
} from "../paths.ts"
import type { PageTexts } from "../translations/texts.ts"
import type { PageProps, View } from "../view.ts"
import { displayName } from "./formatted-values.tsx"
import { AppLayout, AuthorLanguages, PublicPage, type Section, SupportLink } from "./layout.tsx"

const home = "/workspace"

/** Keys precede the settings: the first section that contains the path is marked. */
export const workspaceSections = ({ texts }: View): readonly Section[] => [
  { icon: "overview", path: home, text: texts.overview.title },
  {
    icon: "sales",
    path: salesPath,
    text: texts.sales.title,
    pages: [
      { path: salesPath, text: texts.sales.title },
      { path: checkPath, text: texts.check.title },
    ],
  },
  { icon: "items", path: itemsPath, text: texts.items.title },
  { icon: "traffic", path: logPath, text: texts.log.title },
  { icon: "keys", path: keysPath, text: texts.keys.title },
  {
    icon: "settings",
    path: settingsPath,
    text: texts.navigation.settings,
    pages: [
      { path: settingsPath, text: texts.navigation.general },
      { path: webhooksPath, text: texts.webhooks.title },
      { path: securityPath, text: texts.settings.security.title },
    ],
  },
]

export const WorkspacePage = ({ view, children, ...props }: PageProps) => (
  <AppLayout
    {...props}
    view={view}
    home={home}
    name={view.site.name}
    navigation={view.texts.navigation.label}
    sections={workspaceSections(view)}
    signOutPath="/logout"
    search={{ path: searchPath, label: view.texts.search.label }}
    person={view.author === null ? "" : displayName(view.author.name, view.author.username)}
    personMenu={
      <>
        <a href="/docs">{view.texts.navigation.docs}</a>
        <SupportLink view={view} />
        <AuthorLanguages view={view} />
      </>
    }
  >
    {children}
  </AppLayout>
)

export type ErrorStatus = Exclude<keyof PageTexts["errors"], "home" | "overview">

/** Signed-in authors keep the navigation, without a marked section. */
export const ErrorPage = ({ view, status }: { view: View; status: ErrorStatus }) => {
  const { errors } = view.texts
  const Page = view.author === null ? PublicPage : WorkspacePage
  const unmarked = { ...view, path: "" }
  return (
    <Page view={unmarked} title={errors[status].title}>
      {view.author === null && <h1>{errors[status].title}</h1>}
      <p class="hint">{status}</p>
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
