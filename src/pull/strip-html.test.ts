import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { stripHtml } from "./strip-html.ts"

describe("becomes plain text", () => {
  test.each<[html: string, text: string]>([
    ["<b>Bold</b> and <i>italic</i>", "Bold and italic"],
    ["<h2>Ege</h2><p>Hızlı ve <b>sade</b>.</p><p>Son.</p>", "Ege\n\nHızlı ve sade.\n\nSon."],
    ["<p>First</p>\n\n\n<p>Second</p>\n", "First\n\nSecond"],
    ["<ul>\n  <li>One</li>\n  <li>Two</li>\n</ul>", "One\nTwo"],
    ["<div>a</div><div>b</div>", "a\nb"],
    ["one<br>two<br/>three", "one\ntwo\nthree"],
    ["one<br><br>two", "one\n\ntwo"],
    ["<p>wrapped\n  in the source</p>", "wrapped in the source"],
    ["<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>", "1 2\n3"],
    ["Fish &amp; chips &ndash; &pound;5 &Ccedil;&scedil;&#287;&#x131;", "Fish & chips – £5 Çşğı"],
    ["It&#146;s &#8217;quoted&rsquo;", "It’s ’quoted’"],
    ["a&nbsp;&nbsp;b&emsp;c", "a b c"],
    ["&ge;5 &alpha;&rarr;&omega; &check;", "≥5 α→ω ✓"],
    ["<p>a&#1;&#0;b&#13;&#10;c&#2;</p>", "a\ufffdb c"],
    ["&#xd800; &#x110000; &#128;", "\ufffd \ufffd €"],
    ["&lt;b&gt; is a tag, &bogus; is none", "<b> is a tag, &bogus; is none"],
    ["1 < 2 and 3 > 2", "1 < 2 and 3 > 2"],
    ["a <b", "a <b"],
    ['<a title="a > b" href="x">link</a>', "link"],
    ["x<script>if (a < b) '</p>'</script>y<style>p{}</style>", "xy"],
    ["before<!-- a <p> -->after", "beforeafter"],
    ["", ""],
  ])("%j", (html, text) => {
    expect(stripHtml(html)).toBe(text)
  })
})

test("text without blocks keeps its line breaks", () => {
  expect(stripHtml("One <b>bold</b> line\r\n\r\nTwo")).toBe("One bold line\n\nTwo")
})

test("text without markup stays unchanged", () => {
  const word = fc.stringMatching(/^[a-zçğıöşü0-9.,]{1,10}$/)
  const line = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "))
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
      expect(stripHtml(lines.join("\n"))).toBe(lines.join("\n"))
    }),
  )
})

test("escaped text is restored inside any tags", () => {
  const escaped = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
  const word = fc.stringMatching(/^[a-z&<>;"'#]{1,12}$/)
  fc.assert(
    fc.property(word, fc.constantFrom("p", "b", "li", "span", "td"), (text, tag) => {
      expect(stripHtml(`<${tag} class="x">${escaped(text)}</${tag}>`)).toBe(text)
    }),
  )
})

// In quadratic time, one of these inputs would take more than an hour.
test("a million characters of any repeated markup are stripped in linear time", () => {
  const pieces = ["<", ">", "</", "<p", "<br>", "<td>", "<a b='", '<a b="', "'", '"', "<!--", "-->"]
  const others = ["<script>", "</script", "<style>", "</style", "&", "&#1", "&lt", "\n", " ", "a"]
  const piece = fc.array(fc.constantFrom(...pieces, ...others), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 3 }), (parts) => {
      const html = parts
        .map((part) => part.join(""))
        .map((part) => part.repeat(1_000_000 / parts.length / part.length))
        .join("")
      expect(stripHtml(html).length).toBeLessThanOrEqual(html.length)
    }),
    { numRuns: 20, examples: [[[["<"], [">"]]], [[["<script>"], ["</script"]]]] },
  )
})
