import type { View } from "../view.ts"

/** Shows every password of its form. Hidden until the script is there: it does nothing without it. */
export const ShowPasswords = ({ view }: { view: View }) => (
  <label class="choice" hidden>
    <input type="checkbox" data-shows-passwords />
    {view.words.signIn.show}
  </label>
)
