/**
 * Untrusted text on a terminal. Control characters would move its cursor or change its title, and
 * bidi overrides would reorder the line. Both are made visible here, for all commands.
 */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const unsafeInJson = /[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu

/** For one line or one cell: a line break in it is replaced too. */
export const replaceControlCharacters = (text: string) => text.replace(unsafe, "\ufffd")

/** For lines of JSON: the value stays the same. JSON itself escapes what is below U+0020. */
export const escapeControlCharacters = (text: string) =>
  text.replace(unsafeInJson, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  )
