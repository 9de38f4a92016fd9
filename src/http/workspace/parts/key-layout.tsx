import type { Child } from "hono/jsx"
import { keysPath } from "../key-paths.ts"
import type { View } from "../view.ts"
import { WorkspacePage } from "./workspace-layout.tsx"

type KeyLayoutProps = Readonly<{
  view: View
  title: string
  /** The error of a form: the title says it first. */
  problem?: string | null | undefined
  /** Stands beside the heading. */
  aside?: Child
  children?: Child
}>

/** A page about one key: the way back to all keys, and the page's own heading. */
export const KeyLayout = ({ view, title, problem, aside, children }: KeyLayoutProps) => (
  <WorkspacePage view={view} title={title} problem={problem}>
    <p class="crumb">
      <a href={keysPath}>{view.words.navigation.keys}</a>
    </p>
    <div class="head">
      <h1>{title}</h1>
      {aside}
    </div>
    {children}
  </WorkspacePage>
)
