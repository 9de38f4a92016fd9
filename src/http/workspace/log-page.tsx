import { type AuthorApp, viewOf, visitorOf } from "../pages/author-context.ts"
import { addFailureLists, readFailures } from "../pages/components/failed-requests.tsx"
import { WorkspacePage } from "../pages/components/workspace-layout.tsx"
import { logPath, pathOfKey, requestsPath } from "../pages/paths.ts"
import type { WorkspaceServices } from "../pages/workspace-services.ts"

export const addLogRoutes = (app: AuthorApp, services: WorkspaceServices): void =>
  addFailureLists(app, {
    groups: logPath,
    requests: requestsPath,
    async open(c, filters) {
      const view = viewOf(c)
      return {
        view,
        failures: await readFailures(services, visitorOf(c).account.id, filters),
        groupsPath: logPath,
        requestsPath,
        pathOfKey,
        title: view.texts.log.title,
        page: (title, content) => (
          <WorkspacePage view={view} title={title}>
            {content}
          </WorkspacePage>
        ),
      }
    },
  })
