import { formatTimestamp, secondsBefore } from "../platform/time.ts"
import type { AuditEvent, AuditSubject, Recording } from "./audit-event.ts"

export const createEvent = (
  { now, actor }: Pick<Recording, "now" | "actor">,
  subject: AuditSubject,
  count = 1,
) => ({
  ...subject,
  at: formatTimestamp(now()),
  actor,
  account: null,
  subjectId: "",
  subjectName: "",
  count,
})

/** Repetitions within a minute are one event: an author can repeat a change without end. */
export const tallyPerMinute = ({ audit, now }: Recording, event: AuditEvent): Promise<void> =>
  audit.tally(event, secondsBefore(now(), 60))

export const tallyPerHour = (
  { audit }: Pick<Recording, "audit">,
  event: AuditEvent,
): Promise<void> => audit.tally(event, `${event.at.slice(0, 13)}:00:00Z`)

/** `route` is a pattern as in `POST /console/authors/:id/suspend`: ids and codes that somebody tried are not stored. */
export const recordRejected = (
  recording: Recording,
  route: string,
  account: AuditEvent["account"] = null,
): Promise<void> => {
  const kind = recording.actor.kind === "operator" ? "operator" : "person"
  const event = createEvent(recording, { kind, action: "rejected" })
  return tallyPerHour(recording, { ...event, account, subjectId: route })
}

/** `subjectId` is the name of the operator or token, or the id of the key that signs or that was removed. */
export const recordEvent = (
  recording: Recording,
  subject: Extract<AuditSubject, { kind: "operator" | "token" | "signing_key" }>,
  subjectId: string,
): Promise<void> => recording.audit.insert({ ...createEvent(recording, subject), subjectId })
