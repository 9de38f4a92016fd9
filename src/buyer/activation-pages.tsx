import { activatePath, licensePath } from "../access/paths.ts"
import { asset } from "../platform/pages/assets.ts"
import type { PageApp, View } from "../platform/pages/context.ts"
import { CopyButton } from "../platform/pages/elements.tsx"
import { Field } from "../platform/pages/form-fields.tsx"
import { PublicPage } from "../platform/pages/layout.tsx"

/**
 * Offline activation: a buyer gets a receipt for a product that cannot send requests. The page is the same for all:
 * its script reads the key and the nonce from the fragment, and sends the request to the API.
 */
export function addActivateRoutes(app: PageApp): void {
  app.get(activatePath, (c) => c.html(<ActivatePage view={c.var.view} />))
}

const classes: Readonly<Record<string, string>> = { ok: "notice good", validating: "notice" }

const ActivatePage = ({ view }: { view: View }) => {
  const texts = view.texts.activation
  const head = <script type="module" src={asset.activateScript.path} />
  return (
    <PublicPage view={view} title={texts.title} head={head}>
      <h1>{texts.title}</h1>
      <p>{texts.intro}</p>
      <p data-site hidden>
        {texts.site} <bdi />
      </p>
      <form method="post" data-activates hidden>
        <Field
          name="purchase_code"
          label={view.texts.check.purchaseCode}
          autocomplete="off"
          maxlength={255}
          isRequired
        />
        <p>
          <button type="submit">{texts.submit}</button>
        </p>
      </form>
      <div role="status">
        {Object.entries(texts.outcomes).map(([name, text]) => (
          <p
            class={classes[name] ?? "notice warning"}
            data-outcome={name}
            hidden={name !== "no_script"}
          >
            {text}
          </p>
        ))}
      </div>
      <div data-receipt hidden>
        <div class="field">
          <label for="receipt">{texts.receipt}</label>
          <input id="receipt" type="text" readonly aria-describedby="receipt-hint" />
          <p class="hint" id="receipt-hint">
            {texts.pasteSoon}
          </p>
        </div>
        <CopyButton view={view} text="" isMain />
      </div>
      <p>
        <a href={licensePath}>{texts.license}</a>
      </p>
    </PublicPage>
  )
}
