import { may } from "../access/page-view.ts"
import { paths } from "../access/paths.ts"
import type { Setting } from "../config/settings.ts"
import { addConfirmedChange } from "../platform/pages/confirm.tsx"
import type { PageApp } from "../platform/pages/context.ts"
import { type Column, column, DataTable, stateColumn } from "../platform/pages/data-table.tsx"
import { QuietLink } from "../platform/pages/elements.tsx"
import { addList, readInMemory } from "../platform/pages/list.tsx"
import { Page } from "../platform/pages/page.tsx"
import { t } from "../platform/t.ts"
import { type DatedSigningKey, dateSigningKeys } from "../signing/signing-key.ts"
import { rotateSigningKey } from "../signing/signing-key-operations.ts"

import type { ConsoleServices } from "./services.ts"

export function addSettingsRoutes(app: PageApp, services: ConsoleServices): void {
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

function settingColumns(): readonly Column<Setting>[] {
  return [
    column(t("Setting"), (setting) => setting.name, { kind: "code" }),
    column(
      t("Value"),
      (setting) => (setting.isSecret && setting.origin !== "default" ? "••••" : setting.value),
      { kind: "code", isWide: true },
    ),
    column(t("Source"), (setting) =>
      setting.origin === "file" && setting.path !== null
        ? t("file {path}", { path: setting.path })
        : t(originTexts[setting.origin]),
    ),
  ]
}

type SigningKeysProps = Readonly<{ keys: readonly DatedSigningKey[] }>

const SigningKeys = ({ keys }: SigningKeysProps) => (
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
    <DataTable columns={signingKeyColumns()} rows={keys} />
  </section>
)

const tones = { current: "good", next: "plain", retired: "warning" } as const

function signingKeyColumns(): readonly Column<DatedSigningKey>[] {
  return [
    column(t("Key"), ({ id }) => id, { kind: "code", isWide: true }),
    stateColumn<DatedSigningKey>(t("Status"), ({ state }) => [
      tones[state],
      t(signingKeyStateTexts[state]),
    ]),
    column(t("Created # date"), ({ createdAt }) => createdAt, { kind: "time", priority: 2 }),
    column(t("Signs since"), ({ signsSince }) => signsSince, { kind: "time" }),
    column(t("Retired # date"), ({ retiredAt }) => retiredAt, { kind: "time" }),
  ]
}

const originTexts = {
  environment: "environment",
  file: "a file",
  default: "default",
} as const

const signingKeyStateTexts = {
  current: "Current",
  next: "Next",
  retired: "Retired",
} as const
