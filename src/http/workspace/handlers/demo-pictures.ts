import type { Hono } from "hono"
import { findDemoPicture } from "../demo-pictures.ts"
import type { WorkspaceEnv } from "../workspace-context.ts"

/** The items of the sample marketplace name these addresses. */
export function addDemoPictureRoutes(app: Hono<WorkspaceEnv>): void {
  app.get("/demo/:name{[a-z]+[.]svg}", (c) => {
    const picture = findDemoPicture(c.req.param("name").replace(".svg", ""))
    if (picture === null) return c.notFound()
    const headers = { "Content-Type": "image/svg+xml", "Cache-Control": "public, max-age=3600" }
    return c.body(picture, 200, headers)
  })
}
