import { raw } from "hono/html"
import type { Child } from "hono/jsx"
import { withQuery } from "../http/parameters.ts"
import { locales } from "../locale.ts"
import { currentLocale, inLocale, t } from "../t.ts"
import { foldLetters } from "../text.ts"
import { asset } from "./assets.ts"
import { currentView, type PageProps, themes } from "./context.ts"
import { PostForm, Tabs } from "./elements.tsx"

type DocumentProps = PageProps & { head?: Child }

export const Document = ({ title, problem, head, children }: DocumentProps) => {
  const { locale, theme, site } = currentView()
  return (
    <>
      {raw("<!DOCTYPE html>")}
      <html lang={locale} data-theme={theme === "system" ? undefined : theme}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>{`${problem ?? title} · ${site.name}`}</title>
          <link rel="icon" href={asset.icon.path} type="image/svg+xml" />
          <link rel="preload" href={asset.font.path} as="font" type="font/woff2" crossorigin="" />
          <link rel="stylesheet" href={asset.style.path} />
          <script type="module" src={asset.script.path} />
          {head}
        </head>
        <body>
          <a class="skip" href="#main">
            {t("Skip to content")}
          </a>
          {children}
          <div class="visually-hidden" role="status" id="announcer" data-copied={t("Copied")} />
        </body>
      </html>
    </>
  )
}

/** Links to the page in each language. Only `next` is kept of the query: other parameters may be secret. */
export const Languages = ({ next }: { next?: string | undefined }) => (
  <nav aria-label={t("Language")} class="bar-links">
    {locales.map((locale) => (
      <a
        href={withQuery("", { next, lang: locale })}
        lang={locale}
        hreflang={locale}
        aria-current={locale === currentLocale() ? "true" : undefined}
      >
        {inLocale(locale, () => t("English"))}
      </a>
    ))}
  </nav>
)

export const AuthorLanguages = () => (
  <PostForm action={currentView().languagePath} class="bar-links">
    <input type="hidden" name="next" value={currentView().path} />
    {locales.map((locale) => (
      <button
        type="submit"
        class="link"
        name="locale"
        value={locale}
        lang={locale}
        aria-current={locale === currentLocale() ? "true" : undefined}
      >
        {inLocale(locale, () => t("English"))}
      </button>
    ))}
  </PostForm>
)

export const Brand = ({ href, name }: Readonly<{ href: string; name: string }>) => (
  <a class="brand" href={href}>
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
    {name}
  </a>
)

/** Where the pages of somebody who is signed in begin. */
export function homeLink(): readonly [string, string] | null {
  const { homePath } = currentView()
  if (homePath === null) return null
  return [homePath, homePath === "/console" ? t("Console") : t("Open workspace")]
}

export const PublicBar = ({
  home,
  areLanguagesStored,
  next,
}: Readonly<{ home: string; areLanguagesStored: boolean; next?: string | undefined }>) => {
  const view = currentView()
  const [path, text] = homeLink() ?? ["/login", t("Sign in")]
  const links = [
    ["/docs", t("Docs")],
    [path, text],
  ] as const
  return (
    <header class="public-bar">
      <Brand href={home} name={view.site.name} />
      <nav aria-label={t("Workspace")} class="bar-links">
        {links.map(([href, name]) => (
          <a href={href} aria-current={isIn(view.path, href, path) ? "page" : undefined}>
            {name}
          </a>
        ))}
      </nav>
      {view.author !== null && areLanguagesStored ? <AuthorLanguages /> : <Languages next={next} />}
    </header>
  )
}

/** A public page: a narrow column under the logo. `next` is the page after the sign-in. */
export const PublicPage = ({ next, children, ...props }: DocumentProps & { next?: string }) => (
  <Document {...props}>
    <PublicBar home="/" areLanguagesStored={currentView().path === "/"} next={next} />
    <main id="main" class="public" tabindex={-1}>
      {children}
    </main>
  </Document>
)

type PageLink = Readonly<{ path: string; text: string }>

export type Section = PageLink & Readonly<{ icon: keyof typeof icons; pages?: readonly PageLink[] }>

/** A section with tabs. Its path is that of the first page. */
export const tabbed = (
  icon: Section["icon"],
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
    signOutPath: string
    search: Readonly<{ path: string; label: string }>
    switcher?: Child
    person: string
    personMenu: Child
  }>

/** The sidebar and the content. On a phone the navigation is a popover. */
export const AppLayout = (props: AppLayoutProps) => {
  const { sections, home, search, title } = props
  const at = currentView().path
  // The first section that contains the path; the home page contains only itself.
  const section = sections.find(({ path, pages = [] }) =>
    [path, ...pages.map((page) => page.path)].some((each) => isIn(at, each, home)),
  )
  return (
    <Document title={title} problem={props.problem}>
      <div class="app-layout">
        <header class="sidebar">
          <Brand href={home} name={props.name} />
          <button type="button" class="quiet menu-button" popovertarget="menu">
            {t("Menu")}
          </button>
          <div id="menu" class="menu" popover="auto">
            {props.switcher}
            <PostForm action={search.path} class="find">
              <input
                id="find"
                type="search"
                name="q"
                placeholder={`${t("Search")} (/)`}
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
                      <svg
                        class={`icon icon-${icon}`}
                        viewBox="0 0 24 24"
                        width="18"
                        height="18"
                        aria-hidden="true"
                      >
                        <path d={icons[icon]} />
                      </svg>
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
              <nav aria-label={t("Theme")} class="bar-links">
                {themes.map((theme) => (
                  <a
                    href={withQuery("", { theme })}
                    aria-current={theme === currentView().theme ? "true" : undefined}
                  >
                    {t(themeTexts[theme])}
                  </a>
                ))}
              </nav>
              <PostForm action={props.signOutPath}>
                <button type="submit" class="link">
                  {t("Sign out")}
                </button>
              </PostForm>
            </details>
          </div>
        </header>
        <main id="main" tabindex={-1}>
          <Notice />
          <PageHead {...props} section={section} />
          {props.children}
        </main>
      </div>
    </Document>
  )
}

type PageHeadProps = PageProps & Readonly<{ section: Section | undefined }>

/** The heading; above it the way back, below it the tabs of the section. */
const PageHead = ({ title, heading = title, action, section }: PageHeadProps) => {
  const view = currentView()
  const pages = section?.pages ?? []
  // The path of the first page is the beginning of the others.
  const above = [section, ...pages].findLast((page) => page && isIn(view.path, page.path, ""))
  const isTop = above === undefined || above.path === view.path
  return (
    <>
      {!isTop && (
        <p class="crumb">
          <a href={above.path}>{above.text}</a>
        </p>
      )}
      <div class="head">
        <h1>{heading}</h1>
        {action}
      </div>
      {isTop && pages.length > 0 && (
        <Tabs
          label={section?.text ?? ""}
          tabs={pages.map((page) => ({ ...page, isCurrent: page.path === view.path }))}
        />
      )}
    </>
  )
}

export const Notice = () => {
  const { notice } = currentView()
  return notice === null ? null : (
    <p class="notice good" role="status">
      {notice}
    </p>
  )
}

export const Warning = ({ text }: { text: string }) => (
  <p class="notice warning" role="status">
    {text}
  </p>
)

export function listPagesNamed(sections: readonly Section[], text: string): readonly PageLink[] {
  const prefix = foldLetters(text)
  const pages = sections.flatMap((section) => [
    section,
    ...(section.pages ?? []).filter(({ path }) => path !== section.path),
  ])
  return pages.filter((page) => foldLetters(page.text).startsWith(prefix))
}

/** `home` contains only itself. */
const isIn = (at: string, path: string, home: string) =>
  path === home ? at === path : at === path || at.startsWith(`${path}/`)

const icons = {
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

export const SupportLink = () => {
  const { supportUrl } = currentView().site
  return supportUrl === null ? null : <a href={supportUrl}>{t("Get help")}</a>
}

export type ErrorStatus = keyof typeof errorTexts

const themeTexts = { system: "System", light: "Light", dark: "Dark" } as const

export const errorTexts = {
  403: {
    title: "Not allowed",
    text: "The form was sent from another site or was open for too long. Go back, reload the page and try again.",
  },
  404: {
    title: "Not found",
    text: "This page does not exist, or you do not have access to it. Check the URL, or continue here:",
  },
  405: {
    title: "Request not supported",
    text: "This URL does not accept this kind of request. Go back and try again.",
  },
  413: {
    title: "Too large",
    text: "You sent more than this page accepts. Shorten it and try again.",
  },
  421: {
    title: "Wrong host",
    text: "These pages have another URL. Open them from the link that you received.",
  },
  500: { title: "Something went wrong", text: "The server had an error. Try again in a moment." },
  503: {
    title: "Temporarily unavailable",
    text: "The service cannot respond right now. Try again in a moment.",
  },
} as const

export const noticeTexts = {
  password: "The password was changed. All other sessions were signed out.",
  first_password: "Your password is set. Enter a 2FA code to sign in.",
  welcome: "Your password is set, and you are signed in.",
  joined: "You have joined.",
  operator_invited: "The link was created.",
  alerts_on: "You receive alerts from now on.",
  alerts_off: "You no longer receive alerts.",
  operator_email: "The e-mail address was saved.",
  operator_role: "The role was changed.",
  link_sent: "The link is on its way by e-mail.",
  member_role: "The role was changed.",
  member_removed: "The person was removed.",
  invitation_withdrawn: "The invitation was withdrawn.",
  operator_removed: "The operator was deleted.",
  signing_key_rotated: "The signing key was rotated.",
  second_factor_required: "2FA is now required for every operator.",
  second_factor_optional: "2FA is now optional.",
  identity_connected: "From now on you can also sign in this way.",
  identity_removed: "The connection was removed.",
  signed_out: "You were signed out everywhere.",
  second_factor_on: "2FA was enabled. Each sign-in now requires a code.",
  passkey_added: "The passkey was added. You can sign in with it.",
  passkey_removed: "The passkey was removed.",
  second_factor_off: "2FA was disabled.",
  invite: "The invitation was created.",
  "sign-in-link": "The sign-in link was created.",
  "remove-factor": "2FA of the author was removed.",
  suspend: "The author was suspended.",
  resume: "The author was resumed.",
  revoke: "The key was revoked.",
  renamed: "The key was renamed.",
  refund: "The purchase was marked as refunded.",
  "take-back": "The refund was undone.",
  "release-all": "All sites were released.",
  restore: "The site is active again.",
  limit: "The site limit of this purchase was saved.",
  "no-limit":
    "The site limit was not saved. Enter a number from 1 to 10,000, or leave the field empty.",
  "no-slot": "The site was not restored: another site uses its slot.",
  item_key: "The key no longer validates this item.",
  sites: "The site limit was saved and applies now.",
  webhook_created:
    "The webhook was created. Configure its secret on your server, then send a test event.",
  webhook_changed: "The webhook was updated.",
  webhook_rotated: "The secret was rotated. Configure the new one on your server within a day.",
  webhook_enabled: "The webhook was enabled.",
  webhook_disabled:
    "The webhook was disabled. Pending messages are kept; new events are not delivered.",
  webhook_removed: "The webhook was deleted.",
} as const
