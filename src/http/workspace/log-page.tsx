import { type AuthorApp, viewOf, visitorOf } from "../pages/author-context.ts"
import {
  failureFilterNames,
  openFailureGroups,
  openRequests,
  readFailures,
  requestFilterNames,
} from "../pages/components/failed-requests.tsx"
import { addList } from "../pages/components/list.tsx"
import { WorkspacePage } from "../pages/components/workspace-layout.tsx"
import { logPath, pathOfKey, requestsPath } from "../pages/paths.ts"
import type { WorkspaceServices } from "../pages/workspace-services.ts"

export function addLogRoutes(app: AuthorApp, services: WorkspaceServices): void {
  addList(app, {
    path: logPath,
    file: "failed-requests-by-error",
    filterNames: failureFilterNames,
    async open(c, request) {
      const view = viewOf(c)
      const failures = await readFailures(services, visitorOf(c).account.id, request.filters)
      const { tabs, ...list } = openFailureGroups(view, failures, request, {
        path: logPath,
        requestsPath,
      })
      return {
        ...list,
        page: (groups) => (
          <WorkspacePage view={view} title={view.texts.log.title}>
            {tabs}
            {groups}
          </WorkspacePage>
        ),
      }
    },
  })

  addList(app, {
    path: requestsPath,
    file: "failed-requests",
    filterNames: requestFilterNames,
    // Whole codes are searched for.
    isPrivate: true,
    async open(c, request) {
      const view = viewOf(c)
      const failures = await readFailures(services, visitorOf(c).account.id, request.filters)
      const { title, head, ...list } = openRequests(view, failures, request, { pathOfKey })
      return {
        ...list,
        page: (requests) => (
          <WorkspacePage view={view} title={title}>
            {head}
            {requests}
          </WorkspacePage>
        ),
      }
    },
  })
}
