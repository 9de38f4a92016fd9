/** Untrusted text could move the cursor of a terminal, change its title, or reorder lines (bidirectional overrides). */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const unsafeInJson = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu

/** For one line or one cell: line breaks are replaced too. */
export const replaceControlCharacters = (text: string) => text.replace(unsafe, "\ufffd")

/** For lines of JSON, whose value stays the same. JSON.stringify already escapes characters below U+0020. */
export const escapeControlCharacters = (text: string) =>
  text.replace(unsafeInJson, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  )
