/** Every path that is not for programs: the console and the workspace. */
import { createConsole } from "../console/console.tsx"
import type { ConsoleServices } from "../console/frame/services.ts"
import type { Pages } from "../pages/app/page-app.ts"
import { pathOf } from "../request/request-target.ts"
import type { WorkspaceServices } from "../workspace/frame/services.ts"
import { createWorkspace } from "../workspace/workspace.tsx"

export function createPages(ofWorkspace: WorkspaceServices, ofConsole: ConsoleServices): Pages {
  const workspace = createWorkspace(ofWorkspace)
  const console = createConsole(ofConsole, workspace)
  return {
    fetch(request, visit) {
      const isConsole = /^\/console(?:\/|$)/.test(pathOf(request.url))
      return (isConsole ? console : workspace).fetch(request, visit)
    },
  }
}
