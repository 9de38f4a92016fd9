/** The stylesheet, the font, the scripts and the icon, under URLs that change with their content. */

import { readFileSync } from "node:fs"
import fontFile from "./fonts/inter.woff2" with { type: "file" }
import icon from "./icon.svg" with { type: "text" }
import activateScript from "./scripts/activate.js" with { type: "text" }
import docsScript from "./scripts/docs-script.js" with { type: "text" }
import licenseScript from "./scripts/license.js" with { type: "text" }
import passkeyScript from "./scripts/passkey.js" with { type: "text" }
import script from "./scripts/script.js" with { type: "text" }
import base from "./styles/base.css" with { type: "text" }
import blocks from "./styles/blocks.css" with { type: "text" }
import docs from "./styles/docs.css" with { type: "text" }
import forms from "./styles/forms.css" with { type: "text" }
import layout from "./styles/layout.css" with { type: "text" }
import lists from "./styles/lists.css" with { type: "text" }
import narrow from "./styles/narrow.css" with { type: "text" }
import overview from "./styles/overview.css" with { type: "text" }
import pictures from "./styles/pictures.css" with { type: "text" }
import tables from "./styles/tables.css" with { type: "text" }

/** Shortens names, so scripts must be loaded as modules to avoid collisions. */
const compactScript = (text: string): string =>
  // @ts-expect-error Bun 1.4.4 knows `minify`, its types do not.
  new Bun.Transpiler({ loader: "js", minify: true }).transformSync(text)

type Asset = Readonly<{ path: string; type: string; content: string | Uint8Array<ArrayBuffer> }>

const hashed = (name: string, type: string, content: Asset["content"]): Asset => ({
  path: `/assets/${name.replace(".", `.${Bun.hash(content).toString(36)}.`)}`,
  type,
  content,
})

const font = hashed("inter.woff2", "font/woff2", readFileSync(fontFile))

/** In this order: later rules override earlier ones. */
const style = [base, layout, blocks, forms, tables, pictures, docs, overview, lists, narrow]
  .join("\n")
  .replace("inter.woff2", font.path)
const hashedScript = (name: string, text: string) =>
  hashed(name, "text/javascript; charset=utf-8", compactScript(text))

export const asset = {
  font,
  style: hashed("style.css", "text/css; charset=utf-8", style),
  script: hashedScript("script.js", script),
  docsScript: hashedScript("docs.js", docsScript),
  activateScript: hashedScript("activate.js", activateScript),
  licenseScript: hashedScript("license.js", licenseScript),
  passkeyScript: hashedScript("passkey.js", passkeyScript),
  icon: hashed("icon.svg", "image/svg+xml", icon),
}

export const assets: readonly Asset[] = Object.values(asset)
