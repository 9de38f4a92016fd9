import { routes } from "../access/paths.ts"
import type { PageApp } from "../platform/pages/context.ts"
import { WorkspacePage } from "../platform/pages/layout.tsx"
import { t } from "../platform/t.ts"
import type { WorkspaceServices } from "../workspace/services.ts"
import { addFailureList, readFailures } from "./failed-requests.tsx"

export const addLogRoutes = (app: PageApp, services: WorkspaceServices): void =>
  addFailureList(app, routes.log, async (c, filters) => ({
    failures: await readFailures(services, c.var.account.id, filters),
    page: (title, content) => (
      <WorkspacePage title={title ?? t("Failed requests")}>{content}</WorkspacePage>
    ),
  }))
