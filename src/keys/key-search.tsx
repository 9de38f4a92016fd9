import { workspaceOf } from "../access/paths.ts"
import { displayName } from "../platform/pages/elements.tsx"
import { type FoundGroup, foundMax } from "../platform/pages/search.tsx"
import { t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import { type KeyListServices, keyKindTexts, listByEnding, listKeyFacts } from "./key-table.tsx"

type FindOptions = Readonly<{
  accountId: number | null
  text: string
}>

export async function findKeys(
  services: KeyListServices,
  { accountId, text }: FindOptions,
): Promise<FoundGroup> {
  const { ids, total } = await services.keySearch.search({
    ...{ accountId, text, kind: null, isLive: null, at: formatTimestamp(services.now()) },
    ...{ sort: "created", isDescending: true, offset: 0, rowsMax: foundMax },
    matchingIds: await listByEnding(services, accountId, text),
  })
  const rows = (await listKeyFacts(services, ids)).map(
    ({ key: { id, name, kind, username } }) =>
      [
        workspaceOf(username).key(id),
        displayName(name, id),
        accountId === null ? username : t(keyKindTexts[kind]),
      ] as const,
  )
  return { title: t("API Access"), rows, total }
}
