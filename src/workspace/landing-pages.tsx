import { raw } from "hono/html"
import { renderApiResponse } from "../api/endpoint.ts"
import { publicTestKey, publicTestSecret } from "../contract/operation.ts"
import { createSamples, findSampleRequest, type Sample, SamplesBlock } from "../keys/samples.tsx"
import { currentView, type PageApp } from "../platform/pages/context.ts"
import { ButtonLink } from "../platform/pages/elements.tsx"
import { highlight } from "../platform/pages/highlight.ts"
import { homeLink, PublicPage, SupportLink } from "../platform/pages/layout.tsx"
import { currentLocale, t } from "../platform/t.ts"
import { validatePurchaseEndpoint } from "../purchases/purchase-endpoints.ts"
import { validatePurchase } from "../purchases/purchase-operations.ts"
import type { Catalog } from "../purchases/test-catalog.ts"

export function addLandingPages(
  app: PageApp,
  { publicUrl: baseUrl, testCatalog }: Readonly<{ publicUrl: string; testCatalog: Catalog }>,
): void {
  app.get("/", async (c) => {
    const { path } = validatePurchaseEndpoint
    const locale = currentLocale()
    const settings = { baseUrl, secret: publicTestSecret, locale }
    const code = findSampleRequest(path, settings)?.form?.purchase_code ?? ""
    const caller = { address: () => c.env.address }
    const parameters = { code, site: null }
    const found = await validatePurchase(testCatalog, publicTestKey, parameters, caller)
    const json = await renderApiResponse(validatePurchaseEndpoint, found, locale)
    const response = JSON.stringify(JSON.parse(json), null, 2)
    return c.html(<LandingPage samples={createSamples(path, settings)} response={response} />)
  })
}

type LandingProps = Readonly<{ samples: readonly Sample[]; response: string }>

const LandingPage = ({ samples, response }: LandingProps) => {
  const [path, text] = homeLink() ?? ["/login", t("Sign in")]
  return (
    <PublicPage title={t("Validate purchase codes from your own code")}>
      <div class="hero">
        <h1>{t("Validate purchase codes from your own code")}</h1>
        <p>
          {t(
            "The author API of {site}: validate purchase codes, and read your account and your items.",
            { site: currentView().site.name },
          )}
        </p>
        <p class="actions">
          <ButtonLink href={path}>{text}</ButtonLink>
          <a href="/docs">{t("Read the docs")}</a>
          <SupportLink />
        </p>
      </div>
      <div class="example">
        <div>
          <h2>{t("Request")}</h2>
          <SamplesBlock id="landing" title={t("Request")} samples={samples} />
          <p class="hint">{t("Run it: it contains a public test key.")}</p>
        </div>
        <div>
          <h2>{t("Response")}</h2>
          <pre tabindex={0}>
            <code>{raw(highlight("json", response))}</code>
          </pre>
        </div>
      </div>
      <ul class="plain-list promises">
        {facts.map(({ title, text }) => (
          <li>
            <h2>{t(title)}</h2>
            <p class="hint">{t(text)}</p>
          </li>
        ))}
      </ul>
    </PublicPage>
  )
}

const facts = [
  {
    title: "Keys you can ship",
    text: "A validation key can only validate purchases of the items you choose, release sites and create download links. It is safe inside a product.",
  },
  {
    title: "Test codes",
    text: "Valid, refunded, unknown, unavailable: one test code each, separate from real sales.",
  },
  {
    title: "Any language",
    text: "HTTP and JSON. Samples in curl, PHP, JavaScript, Python, Java, Go and C#, and clients for PHP and TypeScript.",
  },
] as const
