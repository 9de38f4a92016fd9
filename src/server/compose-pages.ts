/** Composition of the pages: the workspace of authors and the console of operators. */
import { version } from "../../package.json"
import type { SignInOutcome } from "../access/actor.ts"
import type { ListedAuditEvent } from "../access/audit-event.ts"
import { AuditTable } from "../access/audit-pages.tsx"
import { tokens } from "../access/token.ts"
import type { BuyerServices } from "../buyer/buyer-operations.ts"
import { addBuyerPages } from "../buyer/buyer-pages.tsx"
import type { Config } from "../config/config.ts"
import { type ConsoleServices, createConsole } from "../console/console.tsx"
import type { ConsoleHome } from "../console/home.ts"
import { addDocsPages } from "../docs/docs-pages.tsx"
import { readDiskSpace } from "../doctor/check-machine.ts"
import { listFailedChecks } from "../doctor/quick-checks.ts"
import {
  createAwayVisits,
  createIdentityProvider,
  type ProviderFailed,
} from "../people/identity.ts"
import { createPasskeyVerifier } from "../people/passkey.ts"
import { createPasswordHasher } from "../people/password.ts"
import type { Pages } from "../people/session-pages.ts"
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
import { formatTimestamp, lastRange, secondsBefore } from "../platform/time.ts"
import { createReleaserIds, createSiteIds } from "../purchases/site.ts"
import { createTestCatalog } from "../purchases/test-catalog.ts"
import { findLastBackup } from "../store/metadata.ts"
import { nodeGoneSeconds } from "../store/node.ts"
import { describeStore } from "../store/open-store.ts"
import type { Store } from "../store/store.ts"
import { durationQuantile, type Metrics, sumMetrics } from "../usage/metrics.ts"
import { summarizeDays } from "../usage/usage.ts"
import { createWorkspace } from "../workspace/workspace.tsx"
import type { App } from "./app.ts"

/** `url` is the URL of the listener, the base of links without PAZAR_PUBLIC_URL. */
export function createPages(
  config: Config,
  app: App,
  url: string,
  log: Log,
  { signIns }: Pick<Metrics, "signIns">,
  isWritable: () => boolean,
  readThreads: () => Promise<readonly Metrics[]>,
  buyers: Pick<BuyerServices, "slots" | "limits">,
): Pages {
  const { store, now, masterKeys, emailCipher } = app
  const { siteLocale, siteName, supportUrl, signInUrl, publicUrl, passwordCost } = config
  const { identityProvider: provider } = config
  const { audit, emails, operators, sites, sales, signInFailures: failures } = store
  const throttling = { failures, now, digest: tokens.digest }
  const mailing = app.createMailing(publicUrl ?? url)
  function onProviderFailure(failure: ProviderFailed): void {
    const { kind, message } = failure
    if (kind === "unavailable") log.failure("OpenID Connect failed", failure)
    else log.repeatedInfo("OpenID Connect response rejected", { message }, {})
  }
  const shared = {
    ...store,
    ...app,
    tokens,
    hasher: createPasswordHasher(passwordCost),
    throttle: createSignInThrottle(throttling),
    codeThrottle: createCodeThrottle(throttling),
    twoFactorCipher: createTwoFactorCipher(masterKeys),
    passkeyVerifier: createPasskeyVerifier(masterKeys, publicUrl ?? url, now),
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
    publicUrl: publicUrl ?? url,
    publicHost: publicUrl === null ? null : new URL(publicUrl).hostname,
  }
  const workspace = createWorkspace(
    {
      ...shared,
      testCatalog: createTestCatalog(store.metadata, now),
      pictures: config.pictures,
    },
    (pages, services) => {
      addDocsPages(pages, services)
      const [siteIdOf, releaserOf] = [createSiteIds(masterKeys), createReleaserIds(masterKeys)]
      addBuyerPages(pages, { ...buyers, sales, sites, siteIdOf, releaserOf, now })
    },
  )
  const services: ConsoleServices = {
    ...shared,
    readHome: async () => readConsoleHome(config, store, now(), isWritable(), await readThreads()),
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

const rowsShown = 5

/** Reads the home page of the console. All queries are fast enough for a page. */
export async function readConsoleHome(
  config: Config,
  store: Store,
  now: Date,
  isWritable: boolean,
  threads: readonly Metrics[],
): Promise<ConsoleHome> {
  const { store: location } = config
  const range = lastRange(formatTimestamp(now), 2)
  const { routes } = sumMetrics(threads)
  return {
    nodes: await store.nodes.list(secondsBefore(now, nodeGoneSeconds)),
    lastBackup: await findLastBackup(store.metadata),
    days: summarizeDays(range, await store.usage.listOfAll(range)),
    latencySecondsP99: durationQuantile(routes.validate_purchase.buckets, 0.99),
    busiest: await store.usage.listBusiest(range, rowsShown),
    runs: await store.feed.listRuns(rowsShown),
    events: await store.audit.list({ accountId: null, kind: null }, null, rowsShown),
    version,
    store: { kind: location.kind, location: describeStore(location), schema: store.schemaVersion },
    isReady: await store.probe().then(
      () => true,
      () => false,
    ),
    isWritable,
    disk: readDiskSpace(config),
    warnings: await listFailedChecks(config, store, version, now),
  }
}
