import type { Session } from "../../../domain/sign-in/session.ts"
import type { View } from "../view.ts"
import { PostForm, QuietButton } from "./form-fields.tsx"
import { Pill, RelativeTime } from "./formatted-values.tsx"
import { Panel, Table } from "./panels-and-tables.tsx"

type Props = Readonly<{
  view: View
  /** A form is sent to this path, followed by the id of a session or `all`. */
  path: string
  sessions: readonly Session[]
  currentId: string
}>

export const SessionTable = ({ view, path, sessions, currentId }: Props) => {
  const { columns, security: words } = view.texts
  return (
    <Panel id="sessions-title" title={words.sessions}>
      <Table
        rows={sessions}
        columns={[
          {
            head: words.browser,
            cell: ({ id, device }) => (
              <>
                <span title={device}>{describeDevice(device) || words.unknownDevice}</span>{" "}
                {id === currentId && <Pill tone="good">{words.thisOne}</Pill>}
              </>
            ),
          },
          { head: columns.ipRange, class: "mono", cell: ({ ipRange }) => ipRange },
          {
            head: words.since,
            cell: ({ createdAt }) => <RelativeTime view={view} at={createdAt} />,
          },
          {
            head: columns.lastSeen,
            cell: ({ lastSeenAt }) => <RelativeTime view={view} at={lastSeenAt} />,
          },
          {
            head: <span class="visually-hidden">{words.signOut}</span>,
            cell: ({ id }) =>
              id !== currentId && (
                <PostForm view={view} action={`${path}/${id}`}>
                  <QuietButton>{words.signOut}</QuietButton>
                </PostForm>
              ),
          },
        ]}
      />
      <details>
        <summary>{words.signOutAll}</summary>
        <p>{words.signOutAllHint}</p>
        <PostForm view={view} action={`${path}/all`}>
          <button type="submit" class="danger">
            {words.signOutAll}
          </button>
        </PostForm>
      </details>
    </Panel>
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
