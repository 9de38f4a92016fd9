import type { Hono } from "hono"
import { publicTestKey, publicTestSecret } from "../../../domain/public-test-key.ts"
import { sampleWorld } from "../../../domain/sample-world.ts"
import { performOperation } from "../../../operations/operation.ts"
import { validatePurchase } from "../../../operations/validate-purchase.ts"
import { validatePurchaseEndpoint } from "../../api/validate-purchase.ts"
import { findSampleRequest } from "../../docs/samples/sample-request.ts"
import { createSamples } from "../../docs/samples.ts"
import { apiText } from "../api-text.ts"
import { LandingPage } from "../pages/landing-page.tsx"
import type { WorkspaceServices } from "../services.ts"
import { viewOf, type WorkspaceEnv } from "../workspace-context.ts"

export function addLandingRoutes(
  app: Hono<WorkspaceEnv>,
  { publicUrl: baseUrl }: WorkspaceServices,
): void {
  const { path } = validatePurchaseEndpoint
  const settings = { baseUrl, secret: publicTestSecret }
  const samples = createSamples(path, settings)
  const code = findSampleRequest(path, settings)?.form?.purchase_code ?? ""

  /** The samples ask for English. */
  async function readAnswer(): Promise<string> {
    const found = await performOperation(validatePurchase, sampleWorld, publicTestKey, code)
    const answer = await apiText(validatePurchaseEndpoint, found, "en")
    return JSON.stringify(JSON.parse(answer), null, 2)
  }

  app.get("/", async (c) =>
    c.html(<LandingPage view={viewOf(c)} samples={samples} answer={await readAnswer()} />),
  )
}
