import type { Session } from "../../../domain/sign-in/session.ts"
import type { View } from "../view.ts"
import { PostForm } from "./fields.tsx"
import { Heads, Moment, Pill } from "./values.tsx"

type Props = Readonly<{
  view: View
  /** A form is sent to this path, followed by the id of a session or `all`. */
  path: string
  sessions: readonly Session[]
  currentId: string
}>

/** The browsers that are signed in. */
export const SessionTable = ({ view, path, sessions, currentId }: Props) => {
  const words = view.words.security
  return (
    <section class="panel" aria-labelledby="sessions-title">
      <h2 id="sessions-title">{words.sessions}</h2>
      <table class="stack">
        <Heads
          of={[
            words.browser,
            words.network,
            words.since,
            words.seen,
            <span class="visually-hidden">{words.signOut}</span>,
          ]}
        />
        <tbody>
          {sessions.map((session) => (
            <SessionRow
              view={view}
              path={path}
              session={session}
              isCurrent={session.id === currentId}
            />
          ))}
        </tbody>
      </table>
      <details>
        <summary>{words.signOutAll}</summary>
        <p>{words.signOutAllHint}</p>
        <PostForm view={view} action={`${path}/all`}>
          <button type="submit" class="danger">
            {words.signOutAll}
          </button>
        </PostForm>
      </details>
    </section>
  )
}

type RowProps = Pick<Props, "view" | "path"> & Readonly<{ session: Session; isCurrent: boolean }>

const SessionRow = ({ view, path, session, isCurrent }: RowProps) => {
  const words = view.words.security
  return (
    <tr>
      <td>
        <span title={session.device}>{describeDevice(session.device) || words.unknownDevice}</span>{" "}
        {isCurrent && <Pill tone="good">{words.thisOne}</Pill>}
      </td>
      <td class="mono" data-label={words.network}>
        {session.network}
      </td>
      <td data-label={words.since}>
        <Moment view={view} at={session.createdAt} />
      </td>
      <td data-label={words.seen}>
        <Moment view={view} at={session.lastSeenAt} />
      </td>
      <td>
        {!isCurrent && (
          <PostForm view={view} action={`${path}/${session.id}`}>
            <button type="submit" class="quiet">
              {words.signOut}
            </button>
          </PostForm>
        )}
      </td>
    </tr>
  )
}

/** A user agent is long and names other browsers too; the first match in this order is the right one. */
const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
  ["curl/", "curl"],
] as const

const systems = [
  ["Android", "Android"],
  ["iPhone", "iOS"],
  ["iPad", "iPadOS"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const

/** As in "Firefox · Linux"; empty when neither is known. */
function describeDevice(userAgent: string): string {
  const find = (known: readonly (readonly [sign: string, name: string])[]) =>
    known.find(([sign]) => userAgent.includes(sign))?.[1]
  return [find(browsers), find(systems)].filter((name) => name !== undefined).join(" · ")
}
