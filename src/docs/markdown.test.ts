import { expect, test } from "bun:test"
import { listHeadings, renderInline, renderMarkdown } from "./markdown.ts"

test("a heading is a link to itself, named after the English one", () => {
  const headings = listHeadings(
    "# Ad\n\n## Ne `x`?\n\n## Son\n",
    "# Name\n\n## What `x` is\n\n## End\n",
  )
  expect(headings).toEqual([
    { id: "what-x-is", text: "Ne x?" },
    { id: "end", text: "Son" },
  ])
  expect(renderMarkdown("# Ad\n\n## Ne `x`?\n", headings)).toBe(
    '<h1>Ad</h1>\n<h2 id="what-x-is"><a href="#what-x-is">Ne <code>x</code>?</a></h2>\n',
  )
})

test("code is highlighted, can be scrolled by keyboard, and has a copy button", () => {
  const codeOf = (text: string) =>
    /^<div class="code"><pre tabindex="0"><code>(.*)<\/code><\/pre><button .* data-copy-before hidden>Copy<\/button><\/div>\n$/s.exec(
      renderMarkdown(text, [], "Copy"),
    )?.[1]
  expect(codeOf('```json\n{ "a": "<b>" }\n```\n')).toBe(
    '{ <span class="name">"a"</span>: <span class="string">"&lt;b&gt;"</span> }\n',
  )
  expect(codeOf("```\n<b>\n```\n")).toBe("&lt;b&gt;\n")
})

test("every cell has the label of its column", () => {
  expect(renderMarkdown('| a "b" | `c` |\n| - | - |\n| 1 | 2 |\n')).toContain(
    '<td data-label="a &quot;b&quot;">1</td><td data-label="c">2</td>',
  )
})

test("HTML is text", () => {
  expect(renderInline("<b>a</b> `<i>`")).toBe("&lt;b&gt;a&lt;/b&gt; <code>&lt;i&gt;</code>")
})
