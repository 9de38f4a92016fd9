/** The words that the WordPress page of the PHP client has, as its HTML shows them. */
import { fileURLToPath } from "node:url"
import { runPhp } from "./php.ts"

type Texts = Readonly<Record<string, string>>

const file = fileURLToPath(new URL("../../../clients/php/src/wordpress-texts.php", import.meta.url))
const escapes: Texts = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#039;" }

/** A function for each language: the text of this name, with the values in it. */
export async function readWordPressTexts() {
  const code = `require '${file}'; echo json_encode([Pazar\\WordPressTexts::EN, Pazar\\WordPressTexts::TR]);`
  const [en, tr]: readonly [Texts, Texts] = JSON.parse((await runPhp(["-r", code])).stdout)
  const speak =
    (texts: Texts) =>
    (name: string, ...values: readonly string[]) => {
      const text = texts[name]
      if (text === undefined) throw new Error(`there is no text ${name}`)
      let nth = 0
      const filled = text.replaceAll(/%(\d\$)?s/g, () => values[nth++] ?? "")
      return filled.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? "")
    }
  return { en: speak(en), tr: speak(tr) }
}
