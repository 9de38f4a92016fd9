/** Failed calls, on the pages of an author and in the console. */
import {
  type FailureKind,
  failureKindOf,
  type InactiveKeyUse,
  type LoggedRequest,
  sumCalls,
} from "../../../domain/usage/failed-requests.ts"
import type { View } from "../view.ts"
import { CopyPreviousButton } from "./copy-button.tsx"
import {
  displayName,
  NamedLink,
  Pill,
  RelativeTime,
  SentenceWithTime,
} from "./formatted-values.tsx"
import { numberColumn, Panel, Table } from "./panels-and-tables.tsx"

const tones: Readonly<Record<FailureKind, "plain" | "warning" | "danger">> = {
  codes: "plain",
  errors: "danger",
  stopped: "warning",
}

/** An own code is shown whole (`shownCode`). */
const isOwnCode = (code: string) => code !== "" && !code.includes("…")

/** The code is the author's, but the key may not answer for its item. */
const isOfOtherItem = ({ operation, reason, code }: LoggedRequest) =>
  operation !== "release_site" && reason === "unknown_code" && isOwnCode(code)

/** Why a call failed. Validations and releases have meanings of their own for some reasons. */
export function explainFailure({ texts: { log } }: View, call: LoggedRequest) {
  if (isOfOtherItem(call)) return log.otherItem
  const { operation, reason } = call
  const ofValidation = operation === "validate_purchase" ? log.validationReasons[reason] : undefined
  const ofRelease = operation === "release_site" ? log.releaseReasons[reason] : undefined
  return ofValidation ?? ofRelease ?? log.reasons[reason]
}

type Props = Readonly<{
  view: View
  rows: readonly LoggedRequest[]
  pathOfKey(keyId: string): string
}>

export const FailedRequestTable = ({ view, rows, pathOfKey }: Props) => {
  const { columns, log: words } = view.texts
  return (
    <Table
      rows={rows}
      columns={[
        { head: words.when, class: "name", cell: (call) => <When view={view} call={call} /> },
        {
          head: words.keyAndCall,
          class: "name",
          cell: ({ keyId, keyName, operation }) => (
            <>
              <div>
                <NamedLink
                  class="clamp"
                  href={pathOfKey(keyId)}
                  name={displayName(keyName, keyId)}
                />
              </div>{" "}
              {view.texts.keyPages.operations[operation]}
            </>
          ),
        },
        {
          head: words.reason,
          isClear: true,
          cell: (call) => {
            const { what, todo } = explainFailure(view, call)
            return (
              <>
                <Pill tone={tones[failureKindOf(call.reason)]}>{what}</Pill>
                <br />
                <span class="hint">
                  {todo}{" "}
                  {isOfOtherItem(call) && (
                    <a href={pathOfKey(call.keyId)}>{view.texts.overview.seeKey}</a>
                  )}
                </span>
              </>
            )
          },
        },
        { head: columns.ipRange, class: "mono", cell: ({ ipRange }) => ipRange || words.several },
        {
          head: columns.code,
          cell: ({ code }) =>
            code === "" ? (
              words.noCode
            ) : (
              <>
                <bdi class="mono">{code}</bdi>{" "}
                {isOwnCode(code) && <CopyPreviousButton view={view} />}
              </>
            ),
        },
        numberColumn(view, columns.requests, "calls"),
      ]}
    />
  )
}

const When = ({
  view,
  call: { firstAt, lastAt },
}: Readonly<{ view: View; call: LoggedRequest }>) => (
  <>
    <RelativeTime view={view} at={lastAt} />
    {firstAt !== lastAt && (
      <>
        <br />
        <span class="hint">
          <SentenceWithTime
            view={view}
            at={firstAt}
            form="moment"
            sentence={view.texts.log.since}
          />
        </span>
      </>
    )}
  </>
)

/** The log lists all of them. */
const stillCallingMax = 50

type InactiveKeyRequestsProps = Readonly<{
  view: View
  /** The entries about the key. */
  logPath: string
  ipRanges: readonly InactiveKeyUse[]
}>

/** After a leak, the trail stays visible: the networks that call a key which no longer works. */
export const InactiveKeyRequests = ({ view, logPath, ipRanges }: InactiveKeyRequestsProps) => {
  const { columns } = view.texts
  const { title, summary, none } = view.texts.stillCalled
  return (
    <Panel id="still-called" title={title}>
      {ipRanges.length === 0 ? (
        <p class="hint">{none}</p>
      ) : (
        <>
          <p>{summary(sumCalls(ipRanges))}</p>
          <Table
            class="numbers stack dense"
            rows={ipRanges.slice(0, stillCallingMax)}
            columns={[
              {
                head: columns.ipRange,
                isRowHead: true,
                class: "mono",
                cell: ({ ipRange }) => ipRange || view.texts.log.several,
              },
              numberColumn(view, columns.requests, "calls"),
              {
                head: columns.lastRequest,
                cell: ({ lastAt }) => <RelativeTime view={view} at={lastAt} />,
              },
            ]}
          />
          <p>
            <a href={logPath}>{view.texts.log.seeWhy}</a>
          </p>
        </>
      )}
    </Panel>
  )
}
