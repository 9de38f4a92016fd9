import { type Declaration, flag, jsonOnly } from "../frame/command.ts"

export const usage = {
  name: "usage",
  options: {
    by: { type: "string", value: "key|account|operation|reason", default: "key" },
    since: { type: "string", value: "TIME", default: "24h" },
    limit: { type: "string", value: "N", default: "50" },
    json: flag,
  },
  summary: "count the calls of all accounts, the most used first",
  help: `  --by      what to count by: key (the default), account, operation or reason
  --since   how far back, as in 24h (the default) or 7d, or an ISO 8601 time with a zone
  --limit   how many rows; 50 unless said otherwise

Calls with test keys are counted apart, those with keys that no longer work not at all. Whole hours are counted;
before the last week, whole days. A running server writes its counts every two seconds, with thousands of busy
keys less often.`,
} as const satisfies Declaration

export const status = {
  name: "status",
  options: jsonOnly,
  summary: "show version, store, what is in it, and whether a server answers",
  help: `Run it with the settings of the server. It asks /readyz of the server that the store knows on this
machine, else at HOST and PORT. Exit status 2: the store is missing, moved, older, newer or cannot be reached. A node
is a server on this store, on any machine; it notes itself once a minute. Records wait for an account or item that
is not there; they are taken when it arrives. Warnings and problems are what needs your attention, as the console
lists it; an import is among them until one of the same source succeeds, for at most 7 days.`,
} as const satisfies Declaration
