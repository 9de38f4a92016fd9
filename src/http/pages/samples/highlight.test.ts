import { expect, test } from "bun:test"
import { highlight } from "./highlight.ts"

/** As in `keyword:const`. */
const tokensOf = (language: string, text: string) =>
  [...highlight(language, text).matchAll(/<span class="(\w+)">(.*?)<\/span>/gs)].map(
    ([, kind, token]) => `${kind}:${token}`,
  )

test.each([
  [
    "json",
    '{ "a": "b", "c": [1.5, true, null] }',
    ['name:"a"', 'string:"b"', 'name:"c"', "number:1.5", "keyword:true", "keyword:null"],
  ],
  [
    "curl",
    'curl -i --max-time 5 \\\n  -H b \\\n  http://10.0.0.1:80 "https://x.example#y"\n# that\'s it',
    [
      ...["keyword:curl", "keyword:-i", "keyword:--max-time", "number:5", "keyword:-H"],
      ...['string:"https://x.example#y"', "comment:# that's it"],
    ],
  ],
  [
    "php",
    "<?php\n$a = 'it\\'s'; // \"b\"\nif ($a) echo 1;",
    [
      ...["keyword:&lt;?php", "name:$a", "string:'it\\'s'", 'comment:// "b"'],
      ...["keyword:if", "name:$a", "keyword:echo", "number:1"],
    ],
  ],
  [
    "javascript",
    "const iffy = `a` /* no\nif */",
    ["keyword:const", "string:`a`", "comment:/* no\nif */"],
  ],
  ["python", "if x is None:  # why", ["keyword:if", "keyword:None", "comment:# why"]],
  ["java", 'String s = "/* a */";', ["keyword:String", 'string:"/* a */"']],
])("%s: its tokens", (language, text, expected) => {
  expect(tokensOf(language, text)).toEqual(expected)
})

test.each(["json", "sh", "php", "ts", "python", "java", "http", ""])(
  "%p: only tags are added, and no text becomes one",
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
