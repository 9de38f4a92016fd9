/** The texts of the start page. */
export const landing = {
  heading: "Check purchase codes from your own code",
  intro: (site: string) =>
    `The author API of ${site}: ask whether a buyer's code is real, and read your account and your items, wherever you write code.`,
  open: "Open workspace",
  docs: "Read the docs",
  call: "A call that works",
  callNote: "Copy it and run it. The key in it is a test key for everybody.",
  answer: "Its answer",
  facts: [
    {
      title: "Keys that are safe to ship",
      text: "A validation key checks purchases of the items you choose and nothing else. Put it into what you sell.",
    },
    {
      title: "Codes for your tests",
      text: "Valid, refunded, unknown, unavailable: each test code always gets the same answer, and no real sale is touched.",
    },
    {
      title: "Any language",
      text: "HTTP and JSON. Samples in curl, PHP, JavaScript, Python and Java, and clients for PHP and TypeScript.",
    },
  ],
}
