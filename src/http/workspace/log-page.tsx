import { addFailureList, readFailures } from "../pages/components/failed-requests.tsx"
import { WorkspacePage } from "../pages/components/layout.tsx"
import type { PageApp } from "../pages/page-context.ts"
import type { WorkspaceServices } from "../pages/page-services.ts"
import { routes } from "../pages/paths.ts"

export const addLogRoutes = (app: PageApp, services: WorkspaceServices): void =>
  addFailureList(app, routes.log, async (c, filters) => ({
    failures: await readFailures(services, c.var.account.id, filters),
    page: (title, content) => (
      <WorkspacePage view={c.var.view} title={title ?? c.var.view.texts.log.title}>
        {content}
      </WorkspacePage>
    ),
  }))
