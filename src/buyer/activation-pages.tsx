import { activatePath, licensePath } from "../access/paths.ts"
import { asset } from "../platform/pages/assets.ts"
import type { PageApp } from "../platform/pages/context.ts"
import { CopyButton } from "../platform/pages/elements.tsx"
import { Field } from "../platform/pages/form-fields.tsx"
import { PublicPage } from "../platform/pages/layout.tsx"
import { t } from "../platform/t.ts"

/**
 * Offline activation: a buyer gets a receipt for a product that cannot send requests. The page is the same for all:
 * its script reads the key and the nonce from the fragment, and sends the request to the API.
 */
export function addActivateRoutes(app: PageApp): void {
  app.get(activatePath, (c) => c.html(<ActivatePage />))
}

const classes: Readonly<Record<string, string>> = { ok: "notice good", validating: "notice" }

const ActivatePage = () => {
  const head = <script type="module" src={asset.activateScript.path} />
  return (
    <PublicPage title={t("Offline activation")} head={head}>
      <h1>{t("Offline activation")}</h1>
      <p>
        {t(
          "For products that cannot connect to this server. Enter your purchase code, then paste the receipt into the product’s settings.",
        )}
      </p>
      <p data-site hidden>
        {t("The receipt is for this site only:")} <bdi />
      </p>
      <form method="post" data-activates hidden>
        <Field
          name="purchase_code"
          label={t("Purchase code")}
          autocomplete="off"
          maxlength={255}
          isRequired
        />
        <p>
          <button type="submit">{t("Get a receipt")}</button>
        </p>
      </form>
      <div role="status">
        {Object.entries(outcomeTexts).map(([name, text]) => (
          <p
            class={classes[name] ?? "notice warning"}
            data-outcome={name}
            hidden={name !== "no_script"}
          >
            {t(text)}
          </p>
        ))}
      </div>
      <div data-receipt hidden>
        <div class="field">
          <label for="receipt">{t("Receipt")}</label>
          <input id="receipt" type="text" readonly aria-describedby="receipt-hint" />
          <p class="hint" id="receipt-hint">
            {t("Paste it soon. It is valid for a limited time.")}
          </p>
        </div>
        <CopyButton text="" isMain />
      </div>
      <p>
        <a href={licensePath}>{t("See your license and its sites")}</a>
      </p>
    </PublicPage>
  )
}

export const outcomeTexts = {
  no_script: "This page requires JavaScript. Enable it and open the link again.",
  no_link: "This URL is incomplete. Open the link in the product’s settings again.",
  validating: "Checking the code…",
  ok: "The code is valid. Copy the receipt and paste it into your product.",
  unknown_code: "This purchase code is invalid. Check it.",
  revoked_code: "This purchase was refunded or charged back.",
  expired_code: "The subscription of this purchase has ended.",
  site_limit:
    "This purchase code has reached its site limit. See your license below to release another site. A site not seen for 30 days frees its slot.",
  key: "The product’s key is no longer valid. Update the product, or ask its author.",
  unknown:
    "The code cannot be validated right now. It may still be valid. Try again in a few minutes.",
} as const
