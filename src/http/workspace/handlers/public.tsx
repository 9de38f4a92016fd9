import type { Hono } from "hono"
import { matchesTag } from "../../api/entity-tag.ts"
import { assetPaths, assets } from "../assets.ts"
import { DocsPage } from "../pages/docs-page.tsx"
import { LandingPage } from "../pages/landing-page.tsx"
import type { WorkspaceServices } from "../services.ts"
import { viewOf, type WorkspaceEnv } from "../workspace-context.ts"

export function addPublicRoutes(app: Hono<WorkspaceEnv>, { publicUrl }: WorkspaceServices): void {
  app.get("/", (c) => c.html(<LandingPage view={viewOf(c)} />))
  app.get("/favicon.ico", (c) => c.redirect(assetPaths.icon, 302))
  app.get("/docs", (c) => c.html(<DocsPage view={viewOf(c)} baseUrl={publicUrl} />))
  for (const { path, type, text } of assets) {
    // The path changes with the content, so it can be the entity tag.
    const tag = `"${path}"`
    const headers = { "Cache-Control": "public, max-age=31536000, immutable", ETag: tag }
    app.get(path, (c) =>
      matchesTag(c.req.header("if-none-match") ?? "", tag)
        ? c.body(null, 304, headers)
        : c.body(text, 200, { ...headers, "Content-Type": type }),
    )
  }
}
