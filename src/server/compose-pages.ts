import type { SignInOutcome } from "../access/actor.ts"
import type { ListedAuditEvent } from "../access/audit-event.ts"
import { AuditTable } from "../access/audit-pages.tsx"
import { tokens } from "../access/token.ts"
import type { BuyerServices } from "../buyer/buyer-operations.ts"
import { addBuyerPages } from "../buyer/buyer-pages.tsx"
import type { Config } from "../config/config.ts"
import { type ConsoleServices, createConsole } from "../console/console.tsx"
import { readConsoleHome } from "../console/home.ts"
import { addDocsPages } from "../docs/docs-pages.tsx"
import {
  createAwayVisits,
  createIdentityProvider,
  type ProviderFailed,
} from "../people/identity.ts"
import type { Pages } from "../people/page-app.tsx"
import { createPasskeyVerifier } from "../people/passkey.ts"
import { createPasswordHasher } from "../people/password.ts"
import { recordOperatorSignIn } from "../people/sign-in-operations.ts"
import {
  createCodeThrottle,
  createResetThrottle,
  createSignInThrottle,
} from "../people/sign-in-throttle.ts"
import {
  createPendingSignIns,
  createTwoFactorCipher,
  twoFactorMetadataKey,
} from "../people/two-factor.ts"
import { pathOf } from "../platform/http/request-head.ts"
import type { Log } from "../platform/log.ts"
import { createReleaserIds, createSiteIds } from "../purchases/site.ts"
import { createTestCatalog } from "../purchases/test-catalog.ts"
import type { Metrics } from "../usage/metrics.ts"
import { createWorkspace } from "../workspace/workspace.tsx"
import type { App } from "./app.ts"

type PagesOptions = Readonly<{
  /** The URL of the listener, the base of links without PAZAR_PUBLIC_URL. */
  url: string
  log: Log
  signIns: Metrics["signIns"]
  isWritable(): boolean
  readThreads(): Promise<readonly Metrics[]>
  buyers: Pick<BuyerServices, "slots" | "limits">
}>

export function createPages(config: Config, app: App, options: PagesOptions): Pages {
  const { store, now, masterKeys } = app
  const { sites, sales } = store
  const shared = createShared(config, app, options)
  const workspace = createWorkspace(
    {
      ...shared,
      testCatalog: createTestCatalog(store.metadata, now),
      pictures: config.pictures,
    },
    (pages, services) => {
      addDocsPages(pages, services)
      const [siteIdOf, releaserOf] = [createSiteIds(masterKeys), createReleaserIds(masterKeys)]
      addBuyerPages(pages, { ...options.buyers, sales, sites, siteIdOf, releaserOf, now })
    },
  )
  const services: ConsoleServices = {
    ...shared,
    readHome: async () =>
      readConsoleHome(config, store, {
        now: now(),
        isWritable: options.isWritable(),
        threads: await options.readThreads(),
      }),
    settings: config.settings,
  }
  const console = createConsole(services, workspace)
  return {
    fetch(request, visit) {
      const isConsole = /^\/console(?:\/|$)/.test(pathOf(request.url))
      return (isConsole ? console : workspace).fetch(request, visit)
    },
  }
}

function createShared(
  config: Config,
  app: App,
  { url, log, signIns }: Pick<PagesOptions, "url" | "log" | "signIns">,
) {
  const { store, now, masterKeys, emailCipher } = app
  const { siteLocale, siteName, supportUrl, signInUrl, identityProvider: provider } = config
  const { audit, emails, operators, signInFailures: failures } = store
  const publicUrl = config.publicUrl ?? url
  const throttling = { failures, now, digest: tokens.digest }
  const mailing = app.createMailing(publicUrl)
  function onProviderFailure(failure: ProviderFailed): void {
    const { kind, message } = failure
    if (kind === "unavailable") log.failure("OpenID Connect failed", failure)
    else log.repeatedInfo("OpenID Connect response rejected", { message }, {})
  }
  return {
    ...store,
    ...app,
    tokens,
    hasher: createPasswordHasher(config.passwordCost),
    throttle: createSignInThrottle(throttling),
    codeThrottle: createCodeThrottle(throttling),
    twoFactorCipher: createTwoFactorCipher(masterKeys),
    passkeyVerifier: createPasskeyVerifier(masterKeys, publicUrl, now),
    pendingSignIns: createPendingSignIns(masterKeys),
    twoFactorPolicy: {
      isRequired: async () => (await store.metadata.find(twoFactorMetadataKey)) === "required",
      put: (isRequired: boolean) =>
        store.metadata.put(twoFactorMetadataKey, isRequired ? "required" : "optional"),
    },
    mailing,
    resets: mailing && {
      ...{ emails, emailCipher, now },
      resetThrottle: createResetThrottle(throttling),
    },
    async onSignIn(outcome: SignInOutcome, name: string | null, ipRange: string) {
      signIns[outcome] += 1
      const details = { ipRange, ...(name !== null && { username: name }) }
      // A throttled sign-in costs a stranger nothing, so only the first of ten seconds has a line.
      if (outcome === "throttled") log.repeatedInfo("sign-in", { outcome }, details)
      else log.info("sign-in", { outcome, ...details })
      const record = async () => {
        const operator = await operators.findByName(name ?? "")
        if (operator !== null)
          await recordOperatorSignIn({ audit, now }, outcome, operator.name, ipRange)
      }
      if (outcome === "ok") await record()
      // After the response: its duration must not reveal who is an operator.
      else setTimeout(() => record().catch((fault) => log.failure("failed to record", fault)), 100)
    },
    identityProvider: provider && createIdentityProvider(provider, onProviderFailure),
    awayVisits: createAwayVisits(masterKeys),
    siteLocale,
    site: {
      name: siteName,
      supportUrl,
      signInUrl,
      identityHost: provider && new URL(provider.issuer).host,
    },
    renderHistory: (events: readonly ListedAuditEvent[]) => AuditTable({ events, isOfOne: true }),
    publicUrl,
    publicHost: config.publicUrl === null ? null : new URL(config.publicUrl).hostname,
  }
}
