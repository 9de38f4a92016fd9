import { currentView } from "../platform/pages/context.ts"
import type { OperatorRole, Right } from "./actor.ts"
import { paths, type WorkspacePaths } from "./paths.ts"

declare module "../platform/pages/context.ts" {
  interface View {
    /** The pages of the workspace of `author`. */
    readonly paths: WorkspacePaths
    readonly operator: Readonly<{ name: string; role: OperatorRole }> | null
    /** In this workspace or in the console. */
    readonly rights: readonly Right[]
  }
}

/** Whether the page shows the button of a change that requires this right. */
export const may = (right: Right): boolean => currentView().rights.includes(right)

/** The security page of the workspace, or of the console, which has no author. */
export function securityPath(): string {
  const { author, paths: own } = currentView()
  return author === null ? paths.security : own.security
}
