import { raw } from "hono/html"
import type { Child } from "hono/jsx"
import type { Locale } from "../../api/answer/messages.ts"
import { assetPaths } from "../assets.ts"
import type { View } from "../view.ts"
import { Mark } from "./icons.tsx"

export type PageProps = Readonly<{
  view: View
  title: string
  /** The error of a form: the title says it first. */
  problem?: string | null | undefined
  children?: Child
}>

/** The bare page: head, skip link and body. `head` is added to the head that every page has. */
export const Document = ({
  view,
  title,
  problem,
  head,
  children,
}: PageProps & { head?: Child }) => (
  <>
    {raw("<!DOCTYPE html>")}
    <html lang={view.locale}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${problem ?? title} · ${view.site.name}`}</title>
        <link rel="icon" href={assetPaths.icon} type="image/svg+xml" />
        <link rel="stylesheet" href={assetPaths.style} />
        <script type="module" src={assetPaths.script} />
        {head}
      </head>
      <body>
        <a class="skip" href="#main">
          {view.words.skip}
        </a>
        {children}
        <div class="visually-hidden" role="status" id="announcer" data-copied={view.words.copied} />
      </body>
    </html>
  </>
)

type LanguageProps = Readonly<{
  view: View
  next: string | undefined
  locale: Locale
  name: string
}>

/** The same page in another language. Only `next` is kept of the query: other parameters may be secret. */
function LanguageLink({ view, next, locale, name }: LanguageProps) {
  const query = new URLSearchParams(next === undefined ? {} : { next })
  query.set("lang", locale)
  const isCurrent = view.locale === locale
  return (
    <a
      href={`?${query}`}
      lang={locale}
      hreflang={locale}
      aria-current={isCurrent ? "true" : undefined}
    >
      {name}
    </a>
  )
}

export const Languages = ({ view, next }: Readonly<{ view: View; next?: string | undefined }>) => (
  <nav aria-label={view.words.languagePage.title} class="bar-links">
    <LanguageLink view={view} next={next} locale="en" name="English" />
    <LanguageLink view={view} next={next} locale="tr" name="Türkçe" />
  </nav>
)

/** To the documentation, and to the workspace or the sign-in. */
export const BarLinks = ({ view }: { view: View }) => {
  const { navigation, landing, signIn } = view.words
  const [path, text] =
    view.author === null ? ["/login", signIn.title] : ["/workspace", landing.open]
  const markOf = (href: string) => (view.path === href ? "page" : undefined)
  return (
    <nav aria-label={navigation.label} class="bar-links">
      <a href="/docs" aria-current={markOf("/docs")}>
        {navigation.docs}
      </a>
      <a href={path} aria-current={markOf(path)}>
        {text}
      </a>
    </nav>
  )
}

type BrandProps = Readonly<{ view: View; href: string; name?: string }>

/** The logo with the name of the marketplace, or another one. */
export const Brand = ({ view, href, name = view.site.name }: BrandProps) => (
  <a class="brand" href={href}>
    <Mark />
    {name}
  </a>
)

type PublicProps = PageProps & Readonly<{ next?: string }>

/** Pages for everybody: a narrow column under the logo. `next` is the page after the sign-in. */
export const PublicPage = ({ view, title, problem, next, children }: PublicProps) => (
  <Document view={view} title={title} problem={problem}>
    <header class="public-bar">
      <Brand view={view} href="/" />
      <BarLinks view={view} />
      <Languages view={view} next={next} />
    </header>
    <main id="main" class="public" tabindex={-1}>
      {children}
    </main>
  </Document>
)
