/** Converts HTML to plain text: removes tags, decodes entities, breaks lines at blocks. Linear in the length of any input. */
import { decodeHTMLStrict } from "entities/decode"

const paragraphs = new Set(
  "blockquote dl fieldset figure form h1 h2 h3 h4 h5 h6 hr ol p pre table ul".split(" "),
)
const lines = new Set(
  (
    "address article aside caption dd div dt figcaption footer header li main nav option section " +
    "summary tbody thead tr"
  ).split(" "),
)
const hidden = new Set(["script", "style", "template", "noscript", "iframe"])
const tagName = /^<\/?([a-z][a-z0-9]*)/i

export function stripHtml(html: string): string {
  const { text, hasBlocks } = removeTags(html)
  // Some programs store plain text with inline tags: without block elements, line breaks are kept.
  const source = hasBlocks
    ? text.replace(/[ \t\r\n\f]+/g, " ")
    : text.replace(/\r\n?|\n/g, breakMark)
  return layOut(source)
}

/** Placeholders for breaks, because line breaks of the source are first replaced by spaces. */
const [breakMark, lineMark, paragraphMark] = ["\u0001", "\u0002", "\u0003"]
const marks = /[\u0001-\u0003]/g
const withoutMarks = (text: string) => text.replace(marks, "")

/** Control characters except whitespace. An entity such as `&#1;` must not become a placeholder. */
const controls = /[\0-\x08\x0b\x0e-\x1f]/g
const spaces = /[ \t\r\n\f\u00a0\u2002\u2003\u2009]+/g
/** Decodes entities with a semicolon. Unknown names stay unchanged. */
const decodeText = (text: string) =>
  text.includes("&") ? decodeHTMLStrict(text).replace(controls, "") : text

function findMark(name: string): string {
  if (name === "br") return breakMark
  if (paragraphs.has(name)) return paragraphMark
  return lines.has(name) ? lineMark : ""
}

function removeTags(html: string): Readonly<{ text: string; hasBlocks: boolean }> {
  let text = ""
  let hasBlocks = false
  let at = 0
  // `1 < 2 > 0` does not contain a tag.
  const markup = /<[a-z/!?]/gi
  for (;;) {
    markup.lastIndex = at
    const start = markup.exec(html)?.index ?? -1
    const end = start === -1 ? -1 : endOfTag(html, start)
    if (end === -1) return { text: text + withoutMarks(html.slice(at)), hasBlocks }
    text += withoutMarks(html.slice(at, start))
    const tag = html.slice(start, Math.min(end, start + nameUnitsMax))
    const name = tagName.exec(tag)?.[1]?.toLowerCase() ?? ""
    const mark = findMark(name)
    at = end
    if (mark !== "") {
      text += mark
      hasBlocks = true
    } else if (name === "td" || name === "th") text += " "
    else if (hidden.has(name) && !tag.startsWith("</")) at = endOfHidden(html, name, end)
  }
}

/** A block starts a new line, a paragraph follows an empty line, and two breaks make an empty line. */
function layOut(text: string): string {
  const laidOut: string[] = []
  for (const part of text.split(/([\u0001-\u0003])/)) {
    const last = laidOut.at(-1)
    const line = decodeText(part).replace(spaces, " ").trim()
    if (part === breakMark) laidOut.push("")
    else if (part === lineMark) {
      if (last !== "" && last !== undefined) laidOut.push("")
    } else if (part === paragraphMark) {
      if (last !== "" && last !== undefined) laidOut.push("", "")
      else if (last === "" && laidOut.at(-2) !== "" && laidOut.length > 1) laidOut.push("")
    } else if (line !== "") {
      if (last === "") laidOut[laidOut.length - 1] = line
      else laidOut.push(line)
    }
  }
  return laidOut
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
}

/** Longer than any tag name of HTML, the longest of which has ten letters. */
const nameUnitsMax = 16

/** Returns -1 if the tag does not end: the rest is then text. */
function endOfTag(html: string, start: number): number {
  if (html.startsWith("<!--", start)) {
    const end = html.indexOf("-->", start + 4)
    return end === -1 ? html.length : end + 3
  }
  let first = -1
  let quotedEnds = 0
  let quote = ""
  for (let at = start; at < html.length; at += 1) {
    const unit = html.charAt(at)
    if (unit === ">") {
      if (quote === "") return at + 1
      if (first === -1) first = at + 1
      // A quoted value may contain `>`, but an unclosed quote must not hide the rest of the text.
      quotedEnds += 1
      if (quotedEnds === quotedEndsMax) return first
    } else if (quote !== "") quote = unit === quote ? "" : quote
    else if ((unit === '"' || unit === "'") && html.charAt(at - 1) === "=") quote = unit
  }
  return first
}

const quotedEndsMax = 8

function endOfHidden(html: string, name: string, start: number): number {
  const closing = new RegExp(`</${name}`, "gi")
  closing.lastIndex = start
  const end = closing.exec(html) === null ? -1 : html.indexOf(">", closing.lastIndex)
  return end === -1 ? html.length : end + 1
}
