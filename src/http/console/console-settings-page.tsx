import { type DatedSigningKey, dateSigningKeys } from "../../domain/keys/signing-key.ts"
import type { Setting } from "../../domain/values/setting.ts"
import { rotateSigningKey } from "../../operations/keys/signing-key-operations.ts"
import { recordOperatorEvent } from "../../operations/record-event.ts"
import { operatorsIn } from "../../operations/sign-in/password-operations.ts"
import * as shared from "../pages/app/security-page.tsx"
import { type Column, DataTable } from "../pages/components/data-table.tsx"
import { Pill } from "../pages/components/formatted-values.tsx"
import { addList, readInMemory } from "../pages/components/list.tsx"
import { createCookies } from "../pages/cookies.ts"
import { addConfirmedChange } from "./layout/confirm-change.tsx"
import {
  actorOf,
  type ConsoleApp,
  type ConsoleView,
  viewOf,
  viewWithNotice,
  visitorOf,
} from "./layout/console-context.ts"
import { ConsolePage, consoleArea } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

export const addSettingsRoutes = (app: ConsoleApp, { settings }: ConsoleServices): void =>
  addList(app, {
    path: paths.settings,
    file: null,
    open(c, request) {
      const view = viewOf(c)
      const { navigation, serverSettings: texts } = view.texts
      const columns: readonly Column<Setting>[] = [
        { head: texts.name, kind: "code", value: ({ name }) => name },
        {
          head: texts.value,
          kind: "code",
          isWide: true,
          value: ({ value, isSecret, origin }) =>
            isSecret && origin !== "default" ? "••••" : value,
        },
        {
          head: texts.origin,
          value: ({ origin, path }) =>
            origin === "file" && path !== null ? texts.file(path) : texts.origins[origin],
        },
      ]
      return {
        view,
        columns,
        read: readInMemory(settings, columns, request),
        search: texts.name,
        empty: view.texts.lists.none,
        page: (list) => (
          <ConsolePage view={view} title={navigation.settings}>
            <p>{texts.intro}</p>
            {list}
          </ConsolePage>
        ),
      }
    },
  })

export function addSigningKeyRoutes(app: ConsoleApp, services: ConsoleServices): void {
  app.get(paths.signingKeys, async (c) => {
    const view = viewWithNotice(c)
    const { signingKeys: texts } = view.texts
    const rotate = (
      <a class="button quiet" href={paths.rotateSigningKey} data-dialog>
        {texts.rotate.submit}
      </a>
    )
    return c.html(
      <ConsolePage view={view} title={texts.title} action={rotate}>
        <p>
          {texts.intro} <a href="/.well-known/pazar-keys.json">{texts.keySet}</a>
        </p>
        <DataTable
          view={view}
          columns={signingKeyColumns(view)}
          rows={dateSigningKeys(await services.signingKeys.list())}
        />
      </ConsolePage>,
    )
  })

  addConfirmedChange(app, services, {
    path: paths.rotateSigningKey,
    find: async () => "current",
    confirm: ({ texts }) => ({
      ...texts.signingKeys.rotate,
      isDangerous: true,
      back: paths.signingKeys,
    }),
    async apply(c) {
      await rotateSigningKey(services.signingKeyServices(actorOf(c)))
      return c.redirect(`${paths.signingKeys}?done=signing_key_rotated`, 303)
    },
  })
}

const tones = { current: "good", next: "plain", retired: "warning" } as const

function signingKeyColumns({ texts }: ConsoleView): readonly Column<DatedSigningKey>[] {
  const { states, since, retired } = texts.signingKeys
  return [
    { head: texts.columns.key, kind: "code", isWide: true, value: ({ id }) => id },
    {
      head: texts.columns.state,
      value: ({ state }) => states[state],
      cell: ({ state }) => <Pill tone={tones[state]}>{states[state]}</Pill>,
    },
    {
      head: texts.author.created,
      kind: "time",
      priority: 2,
      value: ({ createdAt }) => createdAt,
    },
    { head: since, kind: "time", value: ({ signsSince }) => signsSince },
    { head: retired, kind: "time", value: ({ retiredAt }) => retiredAt },
  ]
}

export const addSecurityRoutes = (app: ConsoleApp, services: ConsoleServices): void =>
  shared.addSecurityRoutes(app, services, {
    ...consoleArea,
    path: paths.security,
    loginPath: paths.login,
    cookies: createCookies(services.publicUrl, "console"),
    owners: operatorsIn(services.operators),
    ownerOf: (c) => visitorOf(c).operator,
    isTwoFactorRequired: services.twoFactorPolicy.isRequired,
    record: (c, action) =>
      recordOperatorEvent({ ...services, actor: actorOf(c) }, visitorOf(c).operator.name, action),
  })
