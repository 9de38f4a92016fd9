import { expect, test } from "bun:test"
import { highlight } from "./highlight.ts"

test.each(["json", "sh", "php", "ts", "python", "java", "go", "csharp", "http", ""])(
  "%p: only tags are added, and the text is escaped",
  (language) => {
    const text = `<b>&amp; "a<i>" 'c' # <u>\n// <s> $x \`&\`\n"open`
    const html = highlight(language, text)
    const plain = html.replace(/<\/?span[^>]*>/g, "")
    expect(plain).not.toMatch(/[<>]/)
    expect(plain.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")).toBe(
      text,
    )
  },
)
