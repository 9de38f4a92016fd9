import type { Hono } from "hono"
import { publicTestKey, publicTestSecret } from "../../../domain/public-test-key.ts"
import { sampleWorld } from "../../../domain/sample-world.ts"
import { performOperation } from "../../../operations/operation.ts"
import { validatePurchase } from "../../../operations/validate-purchase.ts"
import { validatePurchaseEndpoint } from "../../api/validate-purchase.ts"
import { findSampleRequest, type SampleSettings } from "../../docs/samples/sample-request.ts"
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

  async function readAnswer(settings: SampleSettings): Promise<string> {
    const code = findSampleRequest(path, settings)?.form?.purchase_code ?? ""
    const found = await performOperation(validatePurchase, sampleWorld, publicTestKey, code)
    const answer = await apiText(validatePurchaseEndpoint, found, settings.locale)
    return JSON.stringify(JSON.parse(answer), null, 2)
  }

  app.get("/", async (c) => {
    const view = viewOf(c)
    const settings = { baseUrl, secret: publicTestSecret, locale: view.locale }
    const samples = createSamples(path, settings)
    const answer = await readAnswer(settings)
    return c.html(<LandingPage view={view} samples={samples} answer={answer} />)
  })
}
