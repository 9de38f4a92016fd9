/** Incidents that operators receive by e-mail. The checks of `pazar doctor` describe it. */
import type { AlertKind } from "../domain/mail/email.ts"
import { failedBackupMetadataKey, type Store } from "../domain/store.ts"
import type { Message } from "../domain/values/problems/problem.ts"
import { listAutoDisabled } from "../operations/events/endpoint-operations.ts"
import { checkFailedBackup } from "./check-backups.ts"
import { describeDisabled } from "./check-store.ts"
import type { Finding } from "./finding.ts"
import { checkImportRun, checkPull } from "./quick-checks.ts"

/** Problems by a key that identifies the incident: a pull that becomes overdue again is another one. */
export type Incidents = ReadonlyMap<string, readonly Message[]>

const runsMax = 20

export async function listIncidents(
  { feed, pulls, endpoints, metadata }: Pick<Store, "feed" | "pulls" | "endpoints" | "metadata">,
  now: Date,
): Promise<ReadonlyMap<AlertKind, Incidents>> {
  const runs = await feed.listTroubledRuns(now, runsMax)
  const failedBackup = await metadata.find(failedBackupMetadataKey)
  const disabled = listAutoDisabled(await endpoints.listAll())
  return new Map<AlertKind, Incidents>([
    ["import", toIncidents(runs.map((run) => [`${run.id}`, checkImportRun(run)]))],
    [
      "pull",
      toIncidents(
        (await pulls.list()).flatMap((pull) =>
          checkPull(pull, now).map((finding) => [`${pull.name} ${pull.lastSuccessAt}`, finding]),
        ),
      ),
    ],
    ["backup", toIncidents(checkFailedBackup(failedBackup).map((finding) => ["backup", finding]))],
    [
      "webhook",
      toIncidents(
        disabled.map((endpoint) => [
          `${endpoint.id} ${endpoint.disabled?.at}`,
          describeDisabled(endpoint),
        ]),
      ),
    ],
  ])
}

const toIncidents = (findings: readonly (readonly [key: string, finding: Finding])[]): Incidents =>
  new Map(
    findings.map(([key, { messages }]) => {
      if (messages === undefined) throw new Error("an incident has no translated message")
      const { detail, why, hint } = messages
      return [key, [detail, why, hint].filter((each) => each !== null)]
    }),
  )
