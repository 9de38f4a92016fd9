import { sampleWorld } from "../../../domain/catalogue/sample-world.ts"
import { publicTestKey, publicTestSecret } from "../../../domain/keys/public-test-key.ts"
import { validatePurchase } from "../../../operations/catalogue/validate-purchase.ts"
import { performOperation } from "../../../operations/operation.ts"
import { validatePurchaseEndpoint } from "../../api/validate-purchase.ts"
import { type AuthorApp, viewOf } from "../../pages/author-context.ts"
import { findSampleRequest, type SampleSettings } from "../../pages/samples/sample-request.ts"
import { createSamples } from "../../pages/samples/samples.ts"
import { apiText } from "../frame/api-text.ts"
import type { WorkspaceServices } from "../frame/services.ts"
import { LandingPage } from "../pages/landing-page.tsx"

export function addLandingRoutes(app: AuthorApp, { publicUrl: baseUrl }: WorkspaceServices): void {
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
