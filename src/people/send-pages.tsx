import type { PageContext } from "../platform/pages/context.ts"
import { QuietButton } from "../platform/pages/form-fields.tsx"
import { t } from "../platform/t.ts"
/** Submits the form of a link and sends the link by e-mail. */
export const SendButton = () => (
  <QuietButton name="send" value="1">
    {t("Send by e-mail")}
  </QuietButton>
)

export const isToBeSent = (c: PageContext) => c.get("form").text("send") !== ""
