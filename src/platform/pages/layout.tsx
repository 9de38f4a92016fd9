import { raw } from "hono/html"
import type { Child } from "hono/jsx"
import { identityPath, workspaceOf, workspacePath } from "../../access/paths.ts"
import { withQuery } from "../http/query.ts"
import { locales } from "../locale.ts"
import { foldLetters } from "../text.ts"
import { asset } from "./assets.ts"
import { may, type PageProps, themes, type View } from "./context.ts"
import { displayName, isolateDirection, Tabs } from "./elements.tsx"
import { PostForm } from "./form-fields.tsx"
import { dictionaries, type PageTexts } from "./translations/texts.ts"

type DocumentProps = PageProps & { head?: Child }

export const Document = ({ view, title, problem, head, children }: DocumentProps) => (
  <>
    {raw("<!DOCTYPE html>")}
    <html lang={view.locale} data-theme={view.theme === "system" ? undefined : view.theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${problem ?? title} · ${view.site.name}`}</title>
        <link rel="icon" href={asset.icon.path} type="image/svg+xml" />
        <link rel="preload" href={asset.font.path} as="font" type="font/woff2" crossorigin="" />
        <link rel="stylesheet" href={asset.style.path} />
        <script type="module" src={asset.script.path} />
        {head}
      </head>
      <body>
        <a class="skip" href="#main">
          {view.texts.navigation.skip}
        </a>
        {children}
        <div
          class="visually-hidden"
          role="status"
          id="announcer"
          data-copied={view.texts.words.copied}
        />
      </body>
    </html>
  </>
)

/** Links to the page in each language. Only `next` is kept of the query: other parameters may be secret. */
export const Languages = ({ view, next }: Readonly<{ view: View; next?: string | undefined }>) => (
  <nav aria-label={view.texts.settings.language.title} class="bar-links">
    {locales.map((locale) => (
      <a
        href={withQuery("", { next, lang: locale })}
        lang={locale}
        hreflang={locale}
        aria-current={locale === view.locale ? "true" : undefined}
      >
        {dictionaries[locale].navigation.language}
      </a>
    ))}
  </nav>
)

export const AuthorLanguages = ({ view }: { view: View }) => (
  <PostForm view={view} action={`${view.paths.settings}/language`} class="bar-links">
    <input type="hidden" name="next" value={view.path} />
    {locales.map((locale) => (
      <button
        type="submit"
        class="link"
        name="locale"
        value={locale}
        lang={locale}
        aria-current={locale === view.locale ? "true" : undefined}
      >
        {dictionaries[locale].navigation.language}
      </button>
    ))}
  </PostForm>
)

export const Brand = ({ href, name }: Readonly<{ href: string; name: string }>) => (
  <a class="brand" href={href}>
    <Logo />
    {name}
  </a>
)

/** Where the pages of somebody who is signed in begin. */
export function homeLink({ teams, operator, texts }: View): readonly [string, string] | null {
  if (teams.length > 0) return [workspacePath, texts.landing.open]
  return operator === null ? null : ["/console", texts.navigation.console]
}

type BarProps = Readonly<{
  view: View
  home: string
  areLanguagesStored: boolean
  next?: string | undefined
}>

export const PublicBar = ({ view, home, areLanguagesStored, next }: BarProps) => {
  const { navigation, signIn } = view.texts
  const [path, text] = homeLink(view) ?? ["/login", signIn.title]
  const currentOf = (href: string) => (isIn(view.path, href, workspacePath) ? "page" : undefined)
  return (
    <header class="public-bar">
      <Brand href={home} name={view.site.name} />
      <nav aria-label={navigation.label} class="bar-links">
        <a href="/docs" aria-current={currentOf("/docs")}>
          {navigation.docs}
        </a>
        <a href={path} aria-current={currentOf(path)}>
          {text}
        </a>
      </nav>
      {view.author !== null && areLanguagesStored ? (
        <AuthorLanguages view={view} />
      ) : (
        <Languages view={view} next={next} />
      )}
    </header>
  )
}

type PublicProps = DocumentProps & Readonly<{ next?: string }>

/** A public page: a narrow column under the logo. `next` is the page after the sign-in. */
export const PublicPage = ({ next, children, ...props }: PublicProps) => (
  <Document {...props}>
    <PublicBar
      view={props.view}
      home="/"
      areLanguagesStored={props.view.path === "/"}
      next={next}
    />
    <main id="main" class="public" tabindex={-1}>
      {children}
    </main>
  </Document>
)

export type Page = Readonly<{ path: string; text: string }>

export type Section = Page & Readonly<{ icon: IconName; pages?: readonly Page[] }>

/** A section with tabs. Its path is that of the first page. */
export const tabbed = (
  icon: IconName,
  text: string,
  pages: readonly (readonly [path: string, text: string])[],
): Section => ({
  ...{ icon, text, path: pages[0]?.[0] ?? "" },
  pages: pages.map(([path, text]) => ({ path, text })),
})

type AppLayoutProps = PageProps &
  Readonly<{
    home: string
    name: string
    navigation: string
    sections: readonly Section[]
    /** The path that is marked in the menu, if it is not that of the page. */
    current?: string | undefined
    /** Tabs of the page instead of those of its section. */
    tabs?: Child
    signOutPath: string
    search: Readonly<{ path: string; label: string }>
    switcher?: Child
    person: string
    personMenu: Child
  }>

/** The sidebar and the content. On a phone the navigation is a popover. */
export const AppLayout = (props: AppLayoutProps) => {
  const { view, sections, home, search, title } = props
  const section = findSection(sections, props.current ?? view.path, home)
  return (
    <Document view={view} title={title} problem={props.problem}>
      <div class="app-layout">
        <header class="sidebar">
          <Brand href={home} name={props.name} />
          <button type="button" class="quiet menu-button" popovertarget="menu">
            {view.texts.navigation.menu}
          </button>
          <div id="menu" class="menu" popover="auto">
            {props.switcher}
            <PostForm view={view} action={search.path} class="find">
              <input
                id="find"
                type="search"
                name="q"
                placeholder={`${view.texts.search.title} (/)`}
                aria-label={search.label}
                autocomplete="off"
                spellcheck={false}
              />
            </PostForm>
            <nav aria-label={props.navigation}>
              <ul>
                {sections.map(({ path, icon, text }) => (
                  <li>
                    <a href={path} aria-current={path === section?.path ? "page" : undefined}>
                      <Icon name={icon} />
                      {text}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
            <details class="person">
              <summary>
                <bdi>{props.person}</bdi>
              </summary>
              {props.personMenu}
              <Themes view={view} />
              <PostForm view={view} action={props.signOutPath}>
                <button type="submit" class="link">
                  {view.texts.navigation.signOut}
                </button>
              </PostForm>
            </details>
          </div>
        </header>
        <main id="main" tabindex={-1}>
          <Notice view={view} />
          <PageHead {...props} section={section} />
          {props.children}
        </main>
      </div>
    </Document>
  )
}

type PageHeadProps = Pick<AppLayoutProps, "view" | "title" | "heading" | "action" | "tabs"> &
  Readonly<{ section: Section | undefined }>

/** The heading; above it the way back, below it the tabs of the section. */
const PageHead = ({ view, title, heading = title, action, tabs, section }: PageHeadProps) => {
  const pages = section?.pages ?? []
  // The path of the first page is the beginning of the others.
  const above = [section, ...pages].findLast((page) => page && isIn(view.path, page.path, ""))
  const isTop = above === undefined || above.path === view.path
  return (
    <>
      {!isTop && heading !== null && tabs === undefined && (
        <p class="crumb">
          <a href={above.path}>{above.text}</a>
        </p>
      )}
      {heading !== null && (
        <div class="head">
          <h1>{heading}</h1>
          {action}
        </div>
      )}
      {tabs ??
        (isTop && pages.length > 0 && (
          <Tabs
            label={section?.text ?? ""}
            tabs={pages.map((page) => ({ ...page, isCurrent: page.path === view.path }))}
          />
        ))}
    </>
  )
}

const Themes = ({ view }: { view: View }) => {
  const { theme: texts } = view.texts.navigation
  return (
    <nav aria-label={texts.title} class="bar-links">
      {themes.map((theme) => (
        <a href={withQuery("", { theme })} aria-current={theme === view.theme ? "true" : undefined}>
          {texts[theme]}
        </a>
      ))}
    </nav>
  )
}

export const Notice = ({ view: { notice } }: { view: View }) =>
  notice === null ? null : (
    <p class="notice good" role="status">
      {notice}
    </p>
  )

export const Warning = ({ text }: { text: string }) => (
  <p class="notice warning" role="status">
    {text}
  </p>
)

/** The first section that contains the path; `home` matches only itself. */
const findSection = (sections: readonly Section[], at: string, home: string) =>
  sections.find(({ path, pages = [] }) =>
    [path, ...pages.map((page) => page.path)].some((each) => isIn(at, each, home)),
  )

export function listPagesNamed(sections: readonly Section[], text: string): readonly Page[] {
  const prefix = foldLetters(text)
  const pages = sections.flatMap((section) => [
    section,
    ...(section.pages ?? []).filter(({ path }) => path !== section.path),
  ])
  return pages.filter((page) => foldLetters(page.text).startsWith(prefix))
}

export const isIn = (at: string, path: string, home: string) =>
  path === home ? at === path : at === path || at.startsWith(`${path}/`)

const Logo = () => (
  <svg class="logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <path
      class="logo-cloth"
      d="M4 6h24l2 8a4 4 0 0 1-7 2.6A4.6 4.6 0 0 1 16 17a4.6 4.6 0 0 1-7-.4A4 4 0 0 1 2 14z"
    />
    <path
      class="logo-stripe"
      d="M11.4 6h4.6v11a4.6 4.6 0 0 1-7-.4zM20.6 6H28l2 8a4 4 0 0 1-7 2.6z"
    />
    <path class="logo-stall" d="M5 19h22v8H5z" />
  </svg>
)

const paths = {
  overview: "M4 13h6V4H4zm0 7h6v-5H4zm10 0h6v-9h-6zm0-16v5h6V4z",
  items: "M4 5h16v4H4zm0 6h7v8H4zm9 0h7v8h-7z",
  sales: "M5 3h14v18l-3.5-2-3.5 2-3.5-2L5 21zM8 8h8M8 12h8",
  keys: "M15 3a6 6 0 1 1-4.4 10L8 15.6V18H5.6L4 20H2v-3l7.4-7.4A6 6 0 0 1 15 3zm1.5 3a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M14 4v6M6 14v6",
  traffic: "M4 20V10h4v10zm6 0V4h4v16zm6 0v-7h4v7z",
  authors: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-8 8c0-4 4-6 8-6s8 2 8 6z",
  imports: "M11 4h2v9l3-3 1.4 1.4L12 17l-5.4-5.6L8 10l3 3zM5 19h14v2H5z",
  audit: "M4 5h16v2H4zm0 6h16v2H4zm0 6h10v2H4z",
} as const

type IconName = keyof typeof paths

const Icon = ({ name }: { name: IconName }) => (
  <svg class={`icon icon-${name}`} viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)

export const SupportLink = ({ view: { site, texts } }: { view: View }) =>
  site.supportUrl === null ? null : <a href={site.supportUrl}>{texts.navigation.support}</a>

/** For people without a password. Empty if the marketplace has no sign-in of its own. */
export const SiteSignIn = ({ view, next = "" }: Readonly<{ view: View; next?: string }>) => (
  <>
    {view.site.signInUrl !== null && (
      <p>
        <a class="button wraps" href={view.site.signInUrl}>
          {view.texts.signIn.through(view.site.name)}
        </a>
      </p>
    )}
    <IdentityForm view={view} next={next} />
  </>
)

type IdentityFormProps = Readonly<{ view: View; next?: string; invitation?: string }>

/** Signs in at the identity provider. */
export const IdentityForm = ({ view, next = "", invitation = "" }: IdentityFormProps) =>
  view.site.identityHost === null ? null : (
    <PostForm view={view} action={identityPath}>
      <input type="hidden" name="next" value={next} />
      <input type="hidden" name="invitation" value={invitation} />
      <button type="submit" class="wraps">
        {(invitation === "" ? view.texts.signIn.through : view.texts.identity.proceed)(
          view.site.identityHost,
        )}
      </button>
    </PostForm>
  )

export const hasSiteSignIn = ({ site }: View) =>
  site.signInUrl !== null || site.identityHost !== null

/** Keys precede the settings: the first section that contains the path is marked. */
export function workspaceSections(view: View): readonly Section[] {
  const { paths, texts } = view
  const maySetUp = may(view, "read_setup")
  return [
    { icon: "overview", path: paths.home, text: texts.overview.title },
    tabbed("sales", texts.sales.title, [
      [paths.sales, texts.sales.title],
      [paths.check, texts.check.title],
    ]),
    { icon: "items", path: paths.items, text: texts.items.title },
    { icon: "traffic", path: paths.log, text: texts.log.title },
    ...(maySetUp ? [{ icon: "keys", path: paths.keys, text: texts.keys.title } as const] : []),
    tabbed("settings", texts.navigation.settings, [
      [paths.settings, texts.navigation.general],
      ...(maySetUp
        ? ([
            [paths.webhooks, texts.webhooks.title],
            [paths.people, texts.people.title],
          ] as const)
        : []),
      ...(view.isVisiting ? [] : [[paths.security, texts.settings.security.title] as const]),
    ]),
  ]
}

/** Whose workspace it is, and the others of the person. */
const Teams = ({ view: { author, teams, texts } }: { view: View }) => {
  const name = <bdi>{author && displayName(author.name, author.username)}</bdi>
  const others = teams.filter(({ username }) => username !== author?.username)
  if (others.length === 0) return <p class="team">{name}</p>
  return (
    <details class="team">
      <summary>{name}</summary>
      <nav aria-label={texts.navigation.teams} class="bar-links">
        {others.map(({ username, fullName }) => (
          <a href={workspaceOf(username).home}>
            <bdi>{displayName(fullName, username)}</bdi>
          </a>
        ))}
      </nav>
    </details>
  )
}

export const WorkspacePage = ({ view, children, ...props }: PageProps) => (
  <AppLayout
    {...{ ...props, view }}
    home={view.paths.home}
    name={view.site.name}
    navigation={view.texts.navigation.label}
    sections={workspaceSections(view)}
    signOutPath="/logout"
    search={{ path: view.paths.search, label: view.texts.search.label }}
    switcher={<Teams view={view} />}
    person={view.person?.name ?? ""}
    personMenu={
      <>
        {view.operator !== null && <a href="/console">{view.texts.navigation.console}</a>}
        <a href="/docs">{view.texts.navigation.docs}</a>
        <SupportLink view={view} />
        <AuthorLanguages view={view} />
      </>
    }
  >
    {view.isVisiting && (
      <p class="notice warning" role="status">
        {visitOf(view)} <a href="/console">{view.texts.navigation.console}</a>
      </p>
    )}
    {children}
  </AppLayout>
)

function visitOf({ author, operator, texts }: View): string {
  const role = texts.operators.roles[operator?.role ?? "viewer"].name
  return texts.navigation.visit(isolateDirection(author?.username ?? ""), role)
}

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
          <a href={view.paths.home}>{errors.overview}</a>
        )}
        <SupportLink view={view} />
      </p>
    </Page>
  )
}
