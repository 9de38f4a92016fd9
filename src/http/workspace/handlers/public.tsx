import type { Hono } from "hono"
import { assets } from "../assets.ts"
import { type DeskEnv, viewOf } from "../desk.ts"
import { DocsPage } from "../pages/docs-page.tsx"
import { LandingPage } from "../pages/landing-page.tsx"
import type { WorkspaceServices } from "../services.ts"

export function addPublicRoutes(app: Hono<DeskEnv>, { publicUrl }: WorkspaceServices): void {
  app.get("/", (c) => c.html(<LandingPage view={viewOf(c)} />))
  app.get("/docs", (c) => c.html(<DocsPage view={viewOf(c)} baseUrl={publicUrl} />))
  for (const { path, type, text } of assets) {
    const headers = { "Content-Type": type, "Cache-Control": "public, max-age=31536000, immutable" }
    app.get(path, (c) => c.body(text, 200, headers))
  }
}
