/** Code in colours. Only tags are added, so a reader copies the same text. */

const quoted = String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\`(?:\\.|[^\`\\])*\``
const slashes = String.raw`\/\/.*|\/\*[^]*?\*\/`
const hashes = String.raw`(?<=^|\s)#.*`
const nothing = "(?!)"
const words = (text: string) => String.raw`\b(?:${text.replaceAll(" ", "|")})\b`

/** `name` comes first: a name of JSON is a string, too. */
const grammar = (name: string, comment: string, keyword: string) =>
  new RegExp(
    String.raw`(?<name>${name})|(?<comment>${comment})|(?<string>${quoted})|(?<number>(?<=[\s([,=])\d[\d.]*\b)|(?<keyword>${keyword})`,
    "gm",
  )

const shell = grammar(
  String.raw`\$\{?\w+\}?`,
  hashes,
  String.raw`^[a-z]\w*|(?<=\s)--?[A-Za-z][\w-]*`,
)
const javascript = grammar(
  nothing,
  slashes,
  words("async await catch const else export from function if import let new null return try"),
)

const grammars: Readonly<Record<string, RegExp>> = {
  json: grammar(String.raw`"(?:\\.|[^"\\])*"(?=\s*:)`, nothing, words("true false null")),
  curl: shell,
  sh: shell,
  php: grammar(
    String.raw`\$\w+`,
    `${slashes}|${hashes}`,
    String.raw`<\?php|${words("echo else elseif false foreach function if new null require return true use")}`,
  ),
  javascript,
  ts: javascript,
  python: grammar(
    nothing,
    hashes,
    words(
      "and as def elif else except False for from if import in None not or return True try with",
    ),
  ),
  java: grammar(
    nothing,
    slashes,
    words("byte catch class else if import int new public return static String throws try void"),
  ),
  go: grammar(
    nothing,
    slashes,
    words(
      "case const default defer else func if import int nil package return string switch type struct",
    ),
  ),
  csharp: grammar(
    nothing,
    slashes,
    words("catch class const else if int new null public return static string try using var"),
  ),
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }
const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => escapes[sign] ?? sign)

/** As HTML. Text in a language that is not known here stays plain. */
export function highlight(language: string, text: string): string {
  const pattern = grammars[language]
  if (pattern === undefined) return escaped(text)
  let html = ""
  let end = 0
  for (const { 0: token, index, groups = {} } of text.matchAll(pattern)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)
    html += `${escaped(text.slice(end, index))}<span class="${kind}">${escaped(token)}</span>`
    end = index + token.length
  }
  return html + escaped(text.slice(end))
}
