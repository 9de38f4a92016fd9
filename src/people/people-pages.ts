/** All pages of people. */

import { paths, routes } from "../access/paths.ts"
import type { PageApp } from "../platform/pages/context.ts"
import { addIdentityRoutes } from "./identity-pages.tsx"
import { addLinkRoutes } from "./invitation-pages.tsx"
import { addOperatorRoutes } from "./operator-pages.tsx"
import type { PeoplePageServices } from "./page-app.tsx"
import { addSecurityRoutes } from "./security-pages.tsx"
import { addSignInRoutes } from "./sign-in-pages.tsx"
import { addTeamRoutes } from "./team-pages.tsx"

/** In the workspace. */
export function addPeoplePages(app: PageApp, services: PeoplePageServices): void {
  addSignInRoutes(app, services)
  addLinkRoutes(app, services)
  addIdentityRoutes(app, services)
  addTeamRoutes(app, services)
  addSecurityRoutes(app, services, routes.security)
}

/** In the console. */
export function addOperatorPages(app: PageApp, services: PeoplePageServices): void {
  addOperatorRoutes(app, services)
  addSecurityRoutes(app, services, paths.security)
}
