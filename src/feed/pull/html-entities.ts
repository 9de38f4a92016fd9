/** Character references of HTML, as stores have them in names and descriptions. */

/** Latin-1's upper half in order, U+00A0 to U+00FF. */
const latin1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr " +
  "deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest " +
  "Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml " +
  "ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig " +
  "agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml " +
  "eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml"

const others: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" },
  ...{
    ndash: "–",
    mdash: "—",
    lsquo: "‘",
    rsquo: "’",
    sbquo: "‚",
    ldquo: "“",
    rdquo: "”",
    bdquo: "„",
  },
  ...{ hellip: "…", bull: "•", euro: "€", trade: "™", permil: "‰", lsaquo: "‹", rsaquo: "›" },
  ...{ larr: "←", uarr: "↑", rarr: "→", darr: "↓", minus: "−", infin: "∞", check: "✓", star: "☆" },
  ...{ ensp: " ", emsp: " ", thinsp: " ", zwnj: "", zwj: "", lrm: "", rlm: "" },
  ...{ Scedil: "Ş", scedil: "ş", Gbreve: "Ğ", gbreve: "ğ", Idot: "İ", imath: "ı", inodot: "ı" },
  ...{ Scaron: "Š", scaron: "š", Zcaron: "Ž", zcaron: "ž", OElig: "Œ", oelig: "œ", Yuml: "Ÿ" },
  newline: "\n",
}

const names: ReadonlyMap<string, string> = new Map([
  ...latin1.split(" ").map((name, at) => [name, String.fromCodePoint(0xa0 + at)] as const),
  ...Object.entries(others),
])

const reference = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,9}));/g

/** An unknown name stays as it is. */
export function decodeEntities(text: string): string {
  return text.replace(reference, (whole, decimal, hex, name) => {
    if (name !== undefined) return names.get(name) ?? whole
    return characterOf(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
  })
}

const windows1252 = new TextDecoder("windows-1252")

/** As in browsers, 128 to 159 mean Windows-1252, and what is no character becomes U+FFFD. Control characters are dropped. */
function characterOf(code: number): string {
  if (code > 0 && code < 0x20) return code === 0x09 || code === 0x0a ? " " : ""
  if (code >= 0x80 && code <= 0x9f) return windows1252.decode(Uint8Array.of(code))
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : "\ufffd"
}
