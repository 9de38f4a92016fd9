import type { PageContext } from "../platform/pages/context.ts"
import { Field } from "../platform/pages/form-fields.tsx"
import { t } from "../platform/t.ts"
import { trimWhitespace } from "../platform/text.ts"
import { noteUnitsMax } from "./audit-event.ts"
/** The submitted note. Empty on the confirmation page. */
export const noteIn = (c: PageContext) =>
  c.req.method === "POST"
    ? trimWhitespace(c.get("form").text("note").slice(0, noteUnitsMax).toWellFormed())
    : ""

export const NoteField = ({ c }: { c: PageContext }) => (
  <Field
    name="note"
    label={t("Note")}
    value={noteIn(c)}
    hint={t("Only operators see the note, here and in the audit log.")}
    maxlength={noteUnitsMax}
    autocomplete="off"
  />
)
