import { routes } from "../access/paths.ts"
import { may, type PageApp, type View } from "../platform/pages/context.ts"
import { RowMenu } from "../platform/pages/data-table.tsx"
import { ButtonLink, CopyButton } from "../platform/pages/elements.tsx"
import { PostForm } from "../platform/pages/form-fields.tsx"
import { WorkspacePage } from "../platform/pages/layout.tsx"
import { addList } from "../platform/pages/list.tsx"
import { formatTimestamp } from "../platform/time.ts"
import { listInactiveKeyUse } from "../usage/usage.ts"
import type { WorkspaceServices } from "../workspace/services.ts"
import { isLive } from "./key.ts"
import { findPastedKey } from "./key-operations.ts"
import {
  keyColumns,
  keyFilterNames,
  type ListedKey,
  openKeyList,
  PastedKeyProblem,
  redirectPastedKey,
} from "./key-table.tsx"

export const addKeysRoutes = (app: PageApp, services: WorkspaceServices): void =>
  addList(app, {
    path: routes.keys,
    file: "keys",
    filterNames: keyFilterNames,
    isPrivate: true,
    async open(c, request) {
      const { id } = c.var.account
      const { view } = c.var
      const texts = view.texts.keys
      const found = await redirectPastedKey(
        c,
        (pasted) => findPastedKey(services, id, pasted),
        ({ id }) => `${view.paths.key(id)}${may(view, "secrets") ? "/leak?done=found" : ""}`,
      )
      if (found !== null) return found
      const log = await services.failedRequests.list(id, formatTimestamp(services.now()))
      const usedIds = new Set(listInactiveKeyUse(log).keys())
      const isAll = request.text === "" && Object.values(request.filters).every((each) => !each)
      return {
        ...openKeyList(services, view, request, id, usedIds),
        columns: keyColumns(view),
        linkOf: ({ key }: ListedKey) => view.paths.key(key.id),
        menuOf: (row: ListedKey) => <KeyMenu view={view} row={row} />,
        empty: isAll ? texts.none : view.texts.lists.none,
        page: (list) => (
          <WorkspacePage
            view={view}
            title={texts.title}
            action={
              may(view, "secrets") && (
                <ButtonLink href={view.paths.newKey}>{texts.create}</ButtonLink>
              )
            }
          >
            <PastedKeyProblem c={c} unknown={view.texts.keyPages.find.none} />
            {usedIds.size > 0 && request.filters.state === "" && (
              <p class="notice warning">
                {texts.stillUsed(usedIds.size)}{" "}
                <a href={`${view.paths.keys}?state=inactive`}>{texts.states.inactive}</a>
              </p>
            )}
            <PostForm view={view} id={revealFormId} />
            {list}
          </WorkspacePage>
        ),
      }
    },
  })

/** One form for all "Reveal" buttons of the page. Each button submits its own key ID. */
const revealFormId = "reveal"

const KeyMenu = ({ view, row: { key, state } }: { view: View; row: ListedKey }) => {
  const { actions, reveal } = view.texts.keys
  const path = view.paths.key(key.id)
  return (
    <RowMenu view={view} id={key.id} name={key.name}>
      {isLive(state) && may(view, "secrets") && (
        <>
          <button type="submit" class="link" form={revealFormId} formaction={`${path}/reveal`}>
            {reveal}
          </button>
          {state === "active" && (
            <a href={`${path}/replace`} data-dialog>
              {actions.rotate}
            </a>
          )}
          <a href={`${path}/leak`} data-dialog>
            {view.texts.keyPages.leak.link}
          </a>
        </>
      )}
      {isLive(state) && may(view, "manage") && (
        <>
          <a href={`${path}#rename`}>{actions.rename}</a>
          <a href={`${path}/revoke`} data-dialog>
            {actions.revoke}
          </a>
        </>
      )}
      <CopyButton view={view} text={key.id} label={actions.copyId} />
    </RowMenu>
  )
}
