import { may } from "../access/page-view.ts"
import { routes } from "../access/paths.ts"
import { currentView, Page, type PageApp } from "../platform/pages/context.ts"
import { RowMenu } from "../platform/pages/data-table.tsx"
import { ButtonLink, CopyButton, PostForm } from "../platform/pages/elements.tsx"
import { addList } from "../platform/pages/list.tsx"
import { t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import { listInactiveKeyUse } from "../usage/usage.ts"
import { isLive } from "./key.ts"
import { findPastedKey } from "./key-operations.ts"
import {
  type KeyPageServices,
  keyColumns,
  keyFilterNames,
  type ListedKey,
  openKeyList,
  PastedKeyProblem,
  redirectPastedKey,
} from "./key-table.tsx"

export const addKeysRoutes = (app: PageApp, services: KeyPageServices): void =>
  addList(app, {
    path: routes.keys,
    file: "keys",
    filterNames: keyFilterNames,
    isPrivate: true,
    async open(c, request) {
      const { id } = c.var.account
      const view = currentView()
      const found = await redirectPastedKey(
        c,
        (pasted) => findPastedKey(services, id, pasted),
        ({ id }) => `${view.paths.key(id)}${may("secrets") ? "/leak?done=found" : ""}`,
      )
      if (found !== null) return found
      const log = await services.failedRequests.list(id, formatTimestamp(services.now()))
      const usedIds = new Set(listInactiveKeyUse(log).keys())
      const isAll = request.text === "" && Object.values(request.filters).every((each) => !each)
      return {
        ...openKeyList(services, request, id, usedIds),
        columns: keyColumns(),
        linkOf: ({ key }: ListedKey) => view.paths.key(key.id),
        menuOf: (row: ListedKey) => <KeyMenu row={row} />,
        empty: isAll
          ? t("You have no valid key. Create one to send requests.")
          : t("No results match this filter."),
        page: (list) => (
          <Page
            title={t("API Access")}
            action={
              may("secrets") && (
                <ButtonLink href={view.paths.newKey}>{t("Create a key # another")}</ButtonLink>
              )
            }
          >
            <PastedKeyProblem
              c={c}
              unknown={t(
                "This key is not yours. If you found it in public, report it to your marketplace.",
              )}
            />
            {usedIds.size > 0 && request.filters.state === "" && (
              <p class="notice warning">
                {t("{n inactive key still sends|inactive keys still send} requests.", {
                  n: usedIds.size,
                })}{" "}
                <a href={`${view.paths.keys}?state=inactive`}>{t("Inactive keys")}</a>
              </p>
            )}
            <PostForm id={revealFormId} />
            {list}
          </Page>
        ),
      }
    },
  })

/** One form for all "Reveal" buttons of the page. Each button submits its own key ID. */
const revealFormId = "reveal"

const KeyMenu = ({ row: { key, state } }: { row: ListedKey }) => {
  const path = currentView().paths.key(key.id)
  return (
    <RowMenu id={key.id} name={key.name}>
      {isLive(state) && may("secrets") && (
        <>
          <button type="submit" class="link" form={revealFormId} formaction={`${path}/reveal`}>
            {t("Reveal")}
          </button>
          {state === "active" && (
            <a href={`${path}/replace`} data-dialog>
              {t("Rotate")}
            </a>
          )}
          <a href={`${path}/leak`} data-dialog>
            {t("This key leaked")}
          </a>
        </>
      )}
      {isLive(state) && may("manage") && (
        <>
          <a href={`${path}#rename`}>{t("Rename")}</a>
          <a href={`${path}/revoke`} data-dialog>
            {t("Revoke")}
          </a>
        </>
      )}
      <CopyButton text={key.id} label={t("Copy key ID")} />
    </RowMenu>
  )
}
