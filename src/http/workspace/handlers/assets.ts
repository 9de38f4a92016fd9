import { matchesTag } from "../../api/answer/entity-tag.ts"
import { assetPaths, assets } from "../../pages/assets.ts"
import type { AuthorApp } from "../../pages/author-context.ts"
import type { WorkspaceServices } from "../frame/services.ts"

export function addAssetRoutes(app: AuthorApp, { pictures }: WorkspaceServices): void {
  app.get("/favicon.ico", (c) => c.redirect(assetPaths.icon, 302))
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
  for (const [path, svg] of Object.entries(pictures)) {
    const headers = { "Content-Type": "image/svg+xml", "Cache-Control": "public, max-age=3600" }
    app.get(path, (c) => c.body(svg, 200, headers))
  }
}
