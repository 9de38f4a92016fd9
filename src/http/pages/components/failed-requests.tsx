import {
  type InactiveKeyUse,
  type LoggedRequest,
  sumCalls,
} from "../../../domain/usage/failed-requests.ts"
import { type FailureKind, failureKindOf } from "../../../domain/usage/outcome.ts"
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
  invalidCodes: "plain",
  clientErrors: "warning",
  serverErrors: "danger",
}

/** Codes of the author are shown in full; others are shortened with an ellipsis. */
const isOwnCode = (code: string) => code !== "" && !code.includes("…")

/** The purchase belongs to an item outside the key's scope. */
const isOfOtherItem = ({ operation, reason, code }: LoggedRequest) =>
  operation !== "release_site" && reason === "unknown_code" && isOwnCode(code)

/** Explains the error code. Some error codes have their own texts for validations and releases. */
export function explainFailure({ texts: { log } }: View, request: LoggedRequest) {
  if (isOfOtherItem(request)) return log.otherItem
  const { operation, reason } = request
  const validationText =
    operation === "validate_purchase" ? log.validationErrors[reason] : undefined
  const releaseText = operation === "release_site" ? log.releaseErrors[reason] : undefined
  return validationText ?? releaseText ?? log.errors[reason]
}

type Props = Readonly<{
  view: View
  rows: readonly LoggedRequest[]
  pathOfKey(keyId: string): string
}>

export const FailedRequestTable = ({ view, rows, pathOfKey }: Props) => {
  const { columns, log: texts } = view.texts
  return (
    <Table
      rows={rows}
      columns={[
        {
          head: texts.when,
          class: "name",
          cell: (request) => <When view={view} request={request} />,
        },
        {
          head: texts.keyAndOperation,
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
          head: texts.reason,
          isClear: true,
          cell: (request) => {
            const { what, todo } = explainFailure(view, request)
            return (
              <>
                <Pill tone={tones[failureKindOf(request.reason)]}>{what}</Pill>
                <br />
                <span class="hint">
                  {todo}{" "}
                  {isOfOtherItem(request) && (
                    <a href={pathOfKey(request.keyId)}>{view.texts.overview.seeKey}</a>
                  )}
                </span>
              </>
            )
          },
        },
        {
          head: columns.ipRange,
          class: "mono",
          cell: ({ ipRange }) => ipRange || texts.severalIpRanges,
        },
        {
          head: columns.code,
          cell: ({ code }) =>
            code === "" ? (
              texts.noCode
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
  request: { firstAt, lastAt },
}: Readonly<{ view: View; request: LoggedRequest }>) => (
  <>
    <RelativeTime view={view} at={lastAt} />
    {firstAt !== lastAt && (
      <>
        <br />
        <span class="hint">
          <SentenceWithTime
            view={view}
            at={firstAt}
            form="datetime"
            sentence={view.texts.log.since}
          />
        </span>
      </>
    )}
  </>
)

const ipRangesShown = 50

type InactiveKeyRequestsProps = Readonly<{
  view: View
  logPath: string
  ipRanges: readonly InactiveKeyUse[]
}>

/** The IP ranges that still use an inactive key, for example after a leak. */
export const InactiveKeyRequests = ({ view, logPath, ipRanges }: InactiveKeyRequestsProps) => {
  const { columns } = view.texts
  const { title, summary, none } = view.texts.keyPages.inactiveRequests
  return (
    <Panel id="still-called" title={title}>
      {ipRanges.length === 0 ? (
        <p class="hint">{none}</p>
      ) : (
        <>
          <p>{summary(sumCalls(ipRanges))}</p>
          <Table
            class="numbers stack dense"
            rows={ipRanges.slice(0, ipRangesShown)}
            columns={[
              {
                head: columns.ipRange,
                isRowHead: true,
                class: "mono",
                cell: ({ ipRange }) => ipRange || view.texts.log.severalIpRanges,
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
