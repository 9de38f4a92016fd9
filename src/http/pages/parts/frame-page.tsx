import type { Child } from "hono/jsx"
import type { View } from "../view.ts"
import { TokenField } from "./fields.tsx"
import { Icon, type IconName } from "./icons.tsx"
import { Brand, Document } from "./layout.tsx"

export type Section = Readonly<{ path: string; icon: IconName; text: string }>

type FrameProps = Readonly<{
  view: View
  title: string
  problem?: string | null | undefined
  /** The page that the logo leads to, and the name beside the logo. */
  home: string
  name: string
  navigation: string
  sections: readonly Section[]
  /** The path of the section that is marked. */
  current: string | undefined
  signOutPath: string
  /** Who is signed in. */
  who: Child
  children?: Child
}>

/** The rail and the column. On a phone the navigation is a popover behind a button. */
export const FramePage = (props: FrameProps) => {
  const { view, title, problem, home, name, navigation, sections, current, signOutPath, who } =
    props
  return (
    <Document view={view} title={title} problem={problem}>
      <div class="frame">
        <header class="rail">
          <Brand view={view} href={home} name={name} />
          <button type="button" class="quiet menu-button" popovertarget="menu">
            {view.words.navigation.menu}
          </button>
          <div id="menu" class="menu" popover="auto">
            <nav aria-label={navigation}>
              <ul>
                {sections.map(({ path, icon, text }) => (
                  <li>
                    <a href={path} aria-current={path === current ? "page" : undefined}>
                      <Icon name={icon} />
                      {text}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
            <form method="post" action={signOutPath} class="who">
              <TokenField view={view} />
              {who}
              <button type="submit" class="link">
                {view.words.navigation.signOut}
              </button>
            </form>
          </div>
        </header>
        <main id="main" tabindex={-1}>
          {view.notice !== null && (
            <p class="notice good" role="status">
              {view.notice}
            </p>
          )}
          {props.children}
        </main>
      </div>
    </Document>
  )
}

/** The first section that the path is in; `home` only for itself. */
export const findSection = (sections: readonly Section[], at: string, home: string) =>
  sections.find(({ path }) => isIn(at, path, home))?.path

export const isIn = (at: string, path: string, home: string) =>
  path === home ? at === path : at === path || at.startsWith(`${path}/`)
