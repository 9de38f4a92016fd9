/** The texts of the start page. */
export const landing = {
  heading: "Check purchase codes from your own code",
  intro: (site: string) =>
    `The author API of ${site}: ask whether a buyer's code is real, and read your account and your items, wherever you write code.`,
  open: "Open workspace",
  docs: "Read the docs",
  call: "Request",
  callNote: "Try it: the public test key in it works right away.",
  answer: "Response",
  facts: [
    {
      title: "Keys you can put in your product",
      text: "A validation key checks purchases of the items you choose and nothing else. So it is safe to ship.",
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
