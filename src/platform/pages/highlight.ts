/** Syntax highlighting. Adds only tags, so that the copied text stays the same. */

const quoted = String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\`(?:\\.|[^\`\\])*\``
const slashes = String.raw`\/\/.*|\/\*[^]*?\*\/`
const hashes = String.raw`(?<=^|\s)#.*`
const nothing = "(?!)"
const words = (text: string) => String.raw`\b(?:${text.replaceAll(" ", "|")})\b`

/** `name` is first: names in JSON are strings, too. */
const grammar = (keyword: string, comment: string, name = nothing) =>
  new RegExp(
    String.raw`(?<name>${name})|(?<comment>${comment})|(?<string>${quoted})|(?<number>(?<=[\s([,=])\d[\d.]*\b)|(?<keyword>${keyword})`,
    "gm",
  )

const shell = grammar(
  String.raw`^[a-z]\w*|(?<=\s)--?[A-Za-z][\w-]*`,
  hashes,
  String.raw`\$\{?\w+\}?`,
)
const javascript = grammar(
  words("async await catch const else export from function if import let new null return try"),
  slashes,
)
const phpWords = "echo else elseif false foreach function if new null require return true use"
const pythonWords =
  "and as def elif else except False for from if import in None not or return True try with"
const javaWords =
  "byte catch class else if import int new public return static String throws try void"
const goWords =
  "case const default defer else func if import int nil package return string switch type struct"
const csharpWords =
  "catch class const else if int new null public return static string try using var"

const grammars: Readonly<Record<string, RegExp>> = {
  json: grammar(words("true false null"), nothing, String.raw`"(?:\\.|[^"\\])*"(?=\s*:)`),
  curl: shell,
  sh: shell,
  php: grammar(String.raw`<\?php|${words(phpWords)}`, `${slashes}|${hashes}`, String.raw`\$\w+`),
  javascript,
  ts: javascript,
  python: grammar(words(pythonWords), hashes),
  java: grammar(words(javaWords), slashes),
  go: grammar(words(goWords), slashes),
  csharp: grammar(words(csharpWords), slashes),
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }
const escapeHtml = (text: string) => text.replace(/[&<>]/g, (sign) => escapes[sign] ?? sign)

/** Returns HTML. Unknown languages are not highlighted. */
export function highlight(language: string, text: string): string {
  const pattern = grammars[language]
  if (pattern === undefined) return escapeHtml(text)
  let html = ""
  let end = 0
  for (const { 0: token, index, groups = {} } of text.matchAll(pattern)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)
    html += `${escapeHtml(text.slice(end, index))}<span class="${kind}">${escapeHtml(token)}</span>`
    end = index + token.length
  }
  return html + escapeHtml(text.slice(end))
}
