import { type DatedSigningKey, dateSigningKeys } from "../../domain/keys/signing-key.ts"
import type { Setting } from "../../domain/values/setting.ts"
import { rotateSigningKey } from "../../operations/keys/signing-key-operations.ts"
import { addConfirmedChange } from "../pages/app/confirm-change.tsx"
import { type Column, DataTable } from "../pages/components/data-table.tsx"
import { QuietLink } from "../pages/components/elements.tsx"
import { addList, readInMemory } from "../pages/components/list.tsx"
import type { PageApp, View } from "../pages/page-context.ts"
import { may } from "../pages/page-context.ts"
import { ConsolePage, stateColumn } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

export function addSettingsRoutes(app: PageApp, services: ConsoleServices): void {
  addList(app, {
    path: paths.settings,
    file: null,
    open(c, request) {
      const view = c.var.view
      const { navigation, serverSettings: texts } = view.texts
      const columns = settingColumns(view)
      return {
        columns,
        read: readInMemory(services.settings, columns, request),
        search: texts.name,
        empty: view.texts.lists.none,
        page: async (list) => (
          <ConsolePage view={view} title={navigation.settings}>
            <SigningKeys view={view} keys={dateSigningKeys(await services.signingKeys.list())} />
            <h2>{texts.title}</h2>
            <p class="hint">{texts.intro}</p>
            {list}
          </ConsolePage>
        ),
      }
    },
  })

  addConfirmedChange(app, services, {
    Layout: ConsolePage,
    path: paths.rotateSigningKey,
    find: async () => "current",
    confirm: ({ texts }) => ({
      ...texts.signingKeys.rotate,
      isDangerous: true,
      back: paths.settings,
    }),
    async apply(c) {
      await rotateSigningKey(services.signingKeyServices(c.var.actor))
      return c.redirect(`${paths.settings}?done=signing_key_rotated`, 303)
    },
  })
}

function settingColumns({ texts }: View): readonly Column<Setting>[] {
  const { name, value, origin, origins, file } = texts.serverSettings
  return [
    { head: name, kind: "code", value: (setting) => setting.name },
    {
      head: value,
      kind: "code",
      isWide: true,
      value: (setting) =>
        setting.isSecret && setting.origin !== "default" ? "••••" : setting.value,
    },
    {
      head: origin,
      value: (setting) =>
        setting.origin === "file" && setting.path !== null
          ? file(setting.path)
          : origins[setting.origin],
    },
  ]
}

type SigningKeysProps = Readonly<{ view: View; keys: readonly DatedSigningKey[] }>

const SigningKeys = ({ view, keys }: SigningKeysProps) => {
  const { signingKeys: texts } = view.texts
  return (
    <section class="panel" aria-labelledby="keys-title">
      <div class="head">
        <h2 id="keys-title">{texts.title}</h2>
        {may(view, "manage") && (
          <QuietLink href={paths.rotateSigningKey} data-dialog>
            {texts.rotate.submit}
          </QuietLink>
        )}
      </div>
      <p class="hint">
        {texts.intro} <a href="/.well-known/pazar-keys.json">{texts.keySet}</a>
      </p>
      <DataTable view={view} columns={signingKeyColumns(view)} rows={keys} />
    </section>
  )
}

const tones = { current: "good", next: "plain", retired: "warning" } as const

function signingKeyColumns({ texts }: View): readonly Column<DatedSigningKey>[] {
  const { states, since, retired } = texts.signingKeys
  return [
    { head: texts.columns.key, kind: "code", isWide: true, value: ({ id }) => id },
    stateColumn<DatedSigningKey>(texts.columns.state, ({ state }) => [tones[state], states[state]]),
    { head: texts.authors.created, kind: "time", priority: 2, value: ({ createdAt }) => createdAt },
    { head: since, kind: "time", value: ({ signsSince }) => signsSince },
    { head: retired, kind: "time", value: ({ retiredAt }) => retiredAt },
  ]
}
