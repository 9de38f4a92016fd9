import type { Actor } from "../access/actor.ts"
import { may } from "../access/page-view.ts"
import { paths } from "../access/paths.ts"
import type { Setting } from "../config/settings.ts"
import { addConfirmedChange } from "../platform/pages/confirm.tsx"
import { Page, type PageApp } from "../platform/pages/context.ts"
import { type Column, column, DataTable, stateColumn } from "../platform/pages/data-table.tsx"
import { QuietLink } from "../platform/pages/elements.tsx"
import { addList, readInMemory } from "../platform/pages/list.tsx"
import { t } from "../platform/t.ts"
import {
  type DatedSigningKey,
  dateSigningKeys,
  type SigningKeyStore,
} from "../signing/signing-key.ts"
import { rotateSigningKey, type SigningKeyServices } from "../signing/signing-key-operations.ts"

type SettingsServices = Readonly<{
  signingKeys: SigningKeyStore
  signingKeyServices(actor: Actor): SigningKeyServices
  settings: readonly Setting[]
}>

export function addSettingsPages(app: PageApp, services: SettingsServices): void {
  addList(app, {
    path: paths.settings,
    file: null,
    open(_, request) {
      const columns = settingColumns()
      return {
        columns,
        read: readInMemory(services.settings, columns, request),
        search: t("Setting"),
        empty: t("No results match this filter."),
        page: async (list) => (
          <Page title={t("Settings")}>
            <SigningKeys keys={dateSigningKeys(await services.signingKeys.list())} />
            <h2>{t("Server settings")}</h2>
            <p class="hint">
              {t(
                "Settings are environment variables. Restart the server to change one. Secrets are not shown.",
              )}
            </p>
            {list}
          </Page>
        ),
      }
    },
  })

  addConfirmedChange(app, {
    path: paths.rotateSigningKey,
    find: async () => "current",
    confirm: () => ({
      title: t("Rotate the signing key?"),
      text: t(
        "The next key signs from now on, and a new next key is created. Products keep working: the retired key stays published. If a key was compromised, run “pazar signing-key rotate --compromised ID” instead.",
      ),
      submit: t("Rotate the signing key"),
      isDangerous: true,
      back: paths.settings,
    }),
    async apply(c) {
      await rotateSigningKey(services.signingKeyServices(c.var.actor))
      return c.redirect(`${paths.settings}?done=signing_key_rotated`, 303)
    },
  })
}

const settingColumns = (): readonly Column<Setting>[] => [
  column(t("Setting"), ({ name }) => name, { kind: "code" }),
  column(
    t("Value"),
    ({ isSecret, origin, value }) => (isSecret && origin !== "default" ? "••••" : value),
    { kind: "code", isWide: true },
  ),
  column(t("Source"), ({ origin, path }) =>
    origin === "file" && path !== null ? t("file {path}", { path }) : t(originTexts[origin]),
  ),
]

const originTexts = { environment: "environment", file: "a file", default: "default" } as const

const SigningKeys = ({ keys }: Readonly<{ keys: readonly DatedSigningKey[] }>) => {
  const columns: readonly Column<DatedSigningKey>[] = [
    column(t("Key"), ({ id }) => id, { kind: "code", isWide: true }),
    stateColumn(t("Status"), ({ state }) => [
      signingKeyStates[state].tone,
      t(signingKeyStates[state].text),
    ]),
    column(t("Created # date"), ({ createdAt }) => createdAt, { kind: "time", priority: 2 }),
    column(t("Signs since"), ({ signsSince }) => signsSince, { kind: "time" }),
    column(t("Retired # date"), ({ retiredAt }) => retiredAt, { kind: "time" }),
  ]
  return (
    <section class="panel" aria-labelledby="keys-title">
      <div class="head">
        <h2 id="keys-title">{t("Signing keys")}</h2>
        {may("manage") && (
          <QuietLink href={paths.rotateSigningKey} data-dialog>
            {t("Rotate the signing key")}
          </QuietLink>
        )}
      </div>
      <p class="hint">
        {t(
          "The current key signs validation responses. Products pin it and the next one, and follow endorsements to later keys.",
        )}{" "}
        <a href="/.well-known/pazar-keys.json">{t("Published keys")}</a>
      </p>
      <DataTable columns={columns} rows={keys} />
    </section>
  )
}

const signingKeyStates = {
  current: { tone: "good", text: "Current" },
  next: { tone: "plain", text: "Next" },
  retired: { tone: "warning", text: "Retired" },
} as const
