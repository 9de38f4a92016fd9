import type { MetadataStore } from "../platform/database/metadata.ts"
import type { Message } from "../platform/problem.ts"
import type { Timestamp } from "../platform/time.ts"

const mailFailureMetadataKey = "failure of the mail server"

/** The mail server has accepted no connection since `since`. */
export type MailFailure = Readonly<{ since: Timestamp; problem: Message }>

export async function findMailFailure(
  metadata: Pick<MetadataStore, "find">,
): Promise<MailFailure | null> {
  const failure = await metadata.find(mailFailureMetadataKey)
  return failure === null ? null : JSON.parse(failure)
}

/** `problem` is null if the mail server works. */
export async function recordMailServer(
  metadata: Pick<MetadataStore, "find" | "put" | "remove">,
  problem: Message | null,
  at: Timestamp,
): Promise<void> {
  const failure = await findMailFailure(metadata)
  if (problem !== null) {
    const since = failure?.since ?? at
    await metadata.put(mailFailureMetadataKey, JSON.stringify({ since, problem }))
  } else if (failure !== null) await metadata.remove(mailFailureMetadataKey)
}
