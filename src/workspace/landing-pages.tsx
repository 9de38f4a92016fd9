import { raw } from "hono/html"
import { publicTestKey, publicTestSecret } from "../contract/operation.ts"
import {
  createSamples,
  findSampleRequest,
  type Sample,
  type SampleSettings,
  SamplesBlock,
} from "../keys/samples.tsx"
import type { Caller } from "../platform/ip-range.ts"
import type { PageApp, View } from "../platform/pages/context.ts"
import { ButtonLink, renderApiResponse } from "../platform/pages/elements.tsx"
import { highlight } from "../platform/pages/highlight.ts"
import { homeLink, PublicPage, SupportLink } from "../platform/pages/layout.tsx"
import { validatePurchaseEndpoint } from "../purchases/purchase-endpoints.ts"
import { validatePurchase } from "../purchases/purchase-operations.ts"
import type { WorkspaceServices } from "./services.ts"

export function addLandingRoutes(
  app: PageApp,
  { publicUrl: baseUrl, testCatalog }: WorkspaceServices,
): void {
  const { path } = validatePurchaseEndpoint

  async function readResponse(settings: SampleSettings, caller: Caller): Promise<string> {
    const code = findSampleRequest(path, settings)?.form?.purchase_code ?? ""
    const parameters = { code, site: null }
    const found = await validatePurchase(testCatalog, publicTestKey, parameters, caller)
    const json = await renderApiResponse(validatePurchaseEndpoint, found, settings.locale)
    return JSON.stringify(JSON.parse(json), null, 2)
  }

  app.get("/", async (c) => {
    const { view } = c.var
    const settings = { baseUrl, secret: publicTestSecret, locale: view.locale }
    const samples = createSamples(path, settings)
    const json = await readResponse(settings, { address: () => c.env.address })
    return c.html(<LandingPage view={view} samples={samples} response={json} />)
  })
}

type Props = Readonly<{ view: View; samples: readonly Sample[]; response: string }>

const LandingPage = ({ view, samples, response }: Props) => {
  const { landing, signIn } = view.texts
  const [path, text] = homeLink(view) ?? ["/login", signIn.title]
  return (
    <PublicPage view={view} title={landing.heading}>
      <div class="hero">
        <h1>{landing.heading}</h1>
        <p>{landing.intro(view.site.name)}</p>
        <p class="actions">
          <ButtonLink href={path}>{text}</ButtonLink>
          <a href="/docs">{landing.docs}</a>
          <SupportLink view={view} />
        </p>
      </div>
      <div class="example">
        <div>
          <h2>{landing.request}</h2>
          <SamplesBlock texts={view.texts} id="landing" title={landing.request} samples={samples} />
          <p class="hint">{landing.requestNote}</p>
        </div>
        <div>
          <h2>{landing.response}</h2>
          <pre tabindex={0}>
            <code>{raw(highlight("json", response))}</code>
          </pre>
        </div>
      </div>
      <ul class="plain-list promises">
        {landing.facts.map(({ title, text }) => (
          <li>
            <h2>{title}</h2>
            <p class="hint">{text}</p>
          </li>
        ))}
      </ul>
    </PublicPage>
  )
}
