import { paths } from "../access/paths.ts"
import { addConfirmedChange } from "../people/confirm-pages.tsx"
import { may, type PageApp, type View } from "../platform/pages/context.ts"
import { type Column, DataTable } from "../platform/pages/data-table.tsx"
import { QuietLink } from "../platform/pages/elements.tsx"
import { addList, readInMemory } from "../platform/pages/list.tsx"
import type { Setting } from "../platform/setting.ts"
import { type DatedSigningKey, dateSigningKeys } from "../signing/signing-key.ts"
import { rotateSigningKey } from "../signing/signing-key-operations.ts"
import { ConsolePage, stateColumn } from "./frame.tsx"
import type { ConsoleServices } from "./services.ts"

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
