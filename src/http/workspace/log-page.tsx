import { addFailureLists, readFailures } from "../pages/components/failed-requests.tsx"
import { WorkspacePage } from "../pages/components/layout.tsx"
import type { PageApp } from "../pages/page-context.ts"
import type { WorkspaceServices } from "../pages/page-services.ts"
import { logPath, pathOfKey, requestsPath } from "../pages/paths.ts"

export const addLogRoutes = (app: PageApp, services: WorkspaceServices): void =>
  addFailureLists(app, {
    groups: logPath,
    requests: requestsPath,
    async open(c, filters) {
      const { view } = c.var
      return {
        failures: await readFailures(services, c.var.account.id, filters),
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
