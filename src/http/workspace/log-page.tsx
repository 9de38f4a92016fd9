import { addFailureLists, readFailures } from "../pages/components/failed-requests.tsx"
import { WorkspacePage } from "../pages/components/layout.tsx"
import { type AuthorApp, viewOf, visitorOf } from "../pages/page-context.ts"
import type { WorkspaceServices } from "../pages/page-services.ts"
import { logPath, pathOfKey, requestsPath } from "../pages/paths.ts"

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
