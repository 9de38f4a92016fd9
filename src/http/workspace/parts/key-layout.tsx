import type { Child } from "hono/jsx"
import type { StoredKey } from "../../../domain/keys/api-key.ts"
import { keysPath, pathOfKey } from "../../pages/key-paths.ts"
import { WorkspacePage } from "../../pages/parts/workspace-layout.tsx"
import type { View } from "../../pages/view.ts"

type KeyLayoutProps = Readonly<{
  view: View
  title: string
  /** The error of a form: the title says it first. */
  problem?: string | null | undefined
  /** Stands beside the heading. */
  aside?: Child
  /** The key that the page does something to; its own page is one step up. */
  about?: StoredKey
  children?: Child
}>

/** A page about one key: the way back, and the page's own heading. */
export const KeyLayout = ({ view, title, problem, aside, about, children }: KeyLayoutProps) => (
  <WorkspacePage view={view} title={title} problem={problem}>
    <p class="crumb">
      ‹ <a href={keysPath}>{view.words.navigation.keys}</a>
      {about !== undefined && (
        <>
          {" "}
          ›{" "}
          <a href={pathOfKey(about.id)}>
            <bdi>{about.name}</bdi>
          </a>
        </>
      )}
    </p>
    <div class="head">
      <h1>{title}</h1>
      {aside}
    </div>
    {children}
  </WorkspacePage>
)
