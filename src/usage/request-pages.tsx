import { routes } from "../access/paths.ts"
import type { PageApp } from "../platform/pages/context.ts"
import { Page } from "../platform/pages/page.tsx"

import { t } from "../platform/t.ts"
import { addFailureList, readFailures, type UsagePageServices } from "./failed-requests.tsx"

export const addLogRoutes = (app: PageApp, services: UsagePageServices): void =>
  addFailureList(app, routes.log, async (c, filters) => ({
    failures: await readFailures(services, c.var.account.id, filters),
    page: (title, content) => <Page title={title ?? t("Failed requests")}>{content}</Page>,
  }))
