/**
 * Requests that servers and proxies may split differently. Each hides a second request in its body, in a header or
 * after an ambiguous end. `statuses` are the responses on one connection to the message and then to a probe of
 * `/healthz`: the probe gets none if the message ends the connection.
 */
export type SmugglingMessage = Readonly<{
  name: string
  text: string
  statuses: readonly number[]
}>

const validation = "/api/purchases/validation"

export function smugglingCorpus(hidden: string): readonly SmugglingMessage[] {
  const length = hidden.length
  const size = length.toString(16)
  const ended = `0\r\n\r\n${hidden}`
  const whole = `${size}\r\n${hidden}\r\n0\r\n\r\n`

  const message = (line: string, headers: readonly string[], body: string) =>
    [line, "Host: a", ...headers, "", body].join("\r\n")
  const post = (headers: readonly string[], body: string, path = validation, version = "1.1") =>
    message(`POST ${path} HTTP/${version}`, headers, body)
  const get = (headers: readonly string[], body = "") =>
    message("GET /api/items/all HTTP/1.1", headers, body)
  const line = (start: string) => message(start, [`Content-Length: ${length}`], hidden)
  const chunks = (body: string, path = validation) =>
    post(["Transfer-Encoding: chunked"], body, path)
  const all = (statuses: readonly number[], texts: Readonly<Record<string, string>>) =>
    Object.entries(texts).map(([name, text]) => ({ name, text, statuses }))

  const lengths = all([400], {
    "two lengths, the first 0": post(["Content-Length: 0", `Content-Length: ${length}`], hidden),
    "two lengths, the last 0": post([`Content-Length: ${length}`, "Content-Length: 0"], hidden),
    "a length twice": post([`Content-Length: ${length}`, `Content-Length: ${length}`], hidden),
    "a list of lengths": post([`Content-Length: ${length}, ${length}`], hidden),
    "a negative length": post(["Content-Length: -1"], hidden),
    "a length with a plus": post([`Content-Length: +${length}`], hidden),
    "a hexadecimal length": post([`Content-Length: 0x${size}`], hidden),
    "a length with a space": post([`Content-Length: 1 ${length}`], hidden),
    "an empty length": post(["Content-Length: "], hidden),
    "a length of 2^64": post(["Content-Length: 18446744073709551616"], hidden),
    "a length that wraps round": post([`Content-Length: ${2n ** 64n + BigInt(length)}`], hidden),
    "a length with an exponent": post(["Content-Length: 1e2"], hidden),
    "a length with a fraction": post(["Content-Length: 0.0"], hidden),
    "a length after a vertical tab": post(["Content-Length: \x0b0"], hidden),
    "a length before NUL": post(["Content-Length: 0\0"], hidden),
    "a space before the colon": post([`Content-Length : ${length}`], hidden),
    "a length with a parameter": post(["Content-Length: 0;a"], hidden),
    "a length in wide digits": post(["Content-Length: \xef\xbc\x90"], hidden),
    "a folded length": post(["Content-Length: 0\r\n 5"], hidden),
  })

  const codings = all([400], {
    "CL.TE": post([`Content-Length: ${ended.length}`, "Transfer-Encoding: chunked"], ended),
    "TE.CL": post(["Transfer-Encoding: chunked", "Content-Length: 4"], whole),
    "TE.CL with length 0": post(["Transfer-Encoding: chunked", "Content-Length: 0"], whole),
    "a coding before a space": post(["Transfer-Encoding : chunked", "Content-Length: 5"], ended),
    "an unknown coding": post(["Transfer-Encoding: xchunked"], ended),
    "an unknown coding and a length": post(
      ["Transfer-Encoding: x", `Content-Length: ${length}`],
      hidden,
    ),
    "chunked, then identity": post(["Transfer-Encoding: chunked, identity"], ended),
    "identity and a length": post(
      ["Transfer-Encoding: identity", `Content-Length: ${length}`],
      hidden,
    ),
    "identity, then chunked": post(["Transfer-Encoding: identity, chunked"], ended),
    "gzip, then chunked": post(["Transfer-Encoding: gzip, chunked"], ended),
    "chunked twice in a list": post(["Transfer-Encoding: chunked, chunked"], ended),
    "TE.TE": post(["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], ended),
    "TE.TE, the last unknown": post(["Transfer-Encoding: chunked", "Transfer-Encoding: x"], ended),
    "TE.TE, the first unknown": post(
      ["Transfer-Encoding: cow", "Transfer-Encoding: chunked"],
      ended,
    ),
    "a coding after a vertical tab": post(["Transfer-Encoding: \x0bchunked"], ended),
    "a quoted coding": post(['Transfer-Encoding: "chunked"'], ended),
    "an empty coding": post(["Transfer-Encoding: "], ended),
    "a folded coding": post(["Transfer-Encoding:\r\n chunked"], ended),
    "a coding on a folded line": post(["X: y\r\n Transfer-Encoding: chunked"], ended),
    "a coding after a space": post([" Transfer-Encoding: chunked"], ended),
    "a coding before NUL": post(["Transfer-Encoding: chunked\0"], ended),
    "a coding with a parameter": post(["Transfer-Encoding: chunked;q=1"], ended),
    "a coding in HTTP/1.0": post(["Transfer-Encoding: chunked"], whole, validation, "1.0"),
    "a coding after a lone CR": post(["X: y\rTransfer-Encoding: chunked"], ended),
    "a coding after a lone LF": post(["X: y\nTransfer-Encoding: chunked"], ended),
  })

  const chunking = all([400], {
    "an extension with LF": chunks(`2;\nxx\r\n${size}\r\n0\r\n\r\n${hidden}`),
    "an extension with CR": chunks(`2;a\rxx\r\n0\r\n\r\n${hidden}`),
    "a size with 0x": chunks(`0x${size}\r\n${hidden}\r\n0\r\n\r\n`),
    "a negative size": chunks(`-1\r\n${hidden}`),
    "a size with a plus": chunks(`+0\r\n\r\n${hidden}`),
    "a size of 2^64": chunks(`1${"0".repeat(16)}\r\n\r\n${hidden}`),
    "a size before a space": chunks(`0 \r\n\r\n${hidden}`),
    "a size after a space": chunks(` 0\r\n\r\n${hidden}`),
    "an empty size": chunks(`\r\n\r\n${hidden}`),
    "a size that is no number": chunks(`g\r\n\r\n${hidden}`),
    "a size with an underscore": chunks(`0_2\r\nxx\r\n0\r\n\r\n${hidden}`),
    "sizes that end with LF": chunks(`0\n\n${hidden}`),
    "no CRLF after a chunk": chunks(`2\r\nxx0\r\n\r\n${hidden}`),
    "other bytes after a chunk": chunks(`2\r\nxxyy0\r\n\r\n${hidden}`),
    "LF after a chunk": chunks(`2\r\nxx\n0\r\n\r\n${hidden}`),
    "a request in the trailers": chunks(`0\r\n${hidden}`),
    "a length in the trailers": chunks(`0\r\nContent-Length: ${length}\r\n\r\n${hidden}`),
    "trailers of a GET": get(["Transfer-Encoding: chunked"], `0\r\nX: y\r\n\r\n${hidden}`),
    "trailers of a probe": chunks(`0\r\nX: y\r\n\r\n${hidden}`, "/healthz"),
    "trailers of a page": chunks(`0\r\nX: y\r\n\r\n${hidden}`, "/login"),
    "trailers of a feed": chunks(`0\r\nX: y\r\n\r\n${hidden}`, "/operator/feed"),
  })

  const heads = all([400], {
    "a head that ends with LF LF": `POST ${validation} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\n\n${hidden}`,
    "a head that ends with CRLF LF": `POST ${validation} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\n${hidden}`,
    "NUL in a value": get(["X: a\0b"], hidden),
    "NUL in a name": get(["X\0: a"], hidden),
    "a header without a colon": get(["foo"], hidden),
    "a header without a name": get([": b"], hidden),
    "a header whose name is no token": get(["X(): b"], hidden),
    "a folded first header": `GET /api/items/all HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n${hidden}`,
    "CR in a value": get(["X: a\rb"], hidden),
    "CR CR LF": get(["X: a\r"], hidden),
    "blank lines before the request": `\r\n\r\n${get([])}`,
    "other bytes before the request": `xx\r\n${get([])}`,
    "no Host": `GET /api/items/all HTTP/1.1\r\n\r\n${hidden}`,
    "a folded Host": `GET /api/items/all HTTP/1.1\r\nHost: a\r\n b\r\n\r\n${hidden}`,
    "a Host before a space": `GET /api/items/all HTTP/1.1\r\nHost : a\r\n\r\n${hidden}`,
    "the preface of HTTP/2": `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}`,
    "a TLS handshake": `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${"a".repeat(100)}`,
    "an authority as the target": line("GET a:80 HTTP/1.1"),
    "an asterisk as the target": line("OPTIONS * HTTP/1.1"),
  })

  /** The runtime reports every request line that it cannot parse as an unknown version. */
  const lines = all([505], {
    "LF alone": post(["Content-Length: 0"], hidden).replaceAll("\r\n", "\n"),
    "a space in the target": line("GET /api/items/all HTTP/1.1 HTTP/1.1"),
    "tabs in the request line": line("GET\t/api/items/all\tHTTP/1.1"),
    "no version": line("GET /api/items/all"),
    "HTTP/1.2": line("GET /api/items/all HTTP/1.2"),
    "HTTP/2.0": line("GET /api/items/all HTTP/2.0"),
    "a version in lower case": line("GET /api/items/all http/1.1"),
    "NUL in the method": line("G\0ET /api/items/all HTTP/1.1"),
    "NUL in the target": line("GET /api/items\0/all HTTP/1.1"),
  })

  const received = [
    ...all([401, 200], {
      "leading zeros": post([`Content-Length: 000${length}`], hidden),
      "a length after a tab": post([`Content-Length:\t${length}`], hidden),
      "a length with an underscore": post(
        ["Content_Length: 0", `Content-Length: ${length}`],
        hidden,
      ),
      "Connection names the length": post(
        ["Connection: Content-Length", `Content-Length: ${length}`],
        hidden,
      ),
      "an unknown expectation": post(["Expect: 200-ok", `Content-Length: ${length}`], hidden),
      "the operator's path": post([`Content-Length: ${length}`], hidden, "/operator/feed"),
      "a body of GET": get([`Content-Length: ${length}`], hidden),
      "a body of HEAD": line("HEAD /api/items/all HTTP/1.1"),
      "the target as a URL": line("GET http://b/api/items/all HTTP/1.1"),
      "an upgrade to WebSocket": get(
        ["Connection: Upgrade", "Upgrade: websocket", `Content-Length: ${length}`],
        hidden,
      ),
      "an upgrade to HTTP/2": get(
        [
          "Connection: Upgrade, HTTP2-Settings",
          "Upgrade: h2c",
          "HTTP2-Settings: AAMAAABk",
          `Content-Length: ${length}`,
        ],
        hidden,
      ),
      "line breaks in a parameter": line("GET /api/items/all?x=%0d%0aContent-Length:%200 HTTP/1.1"),
    }),
    ...all([100, 401, 200], {
      "Expect: 100-continue": post(["Expect: 100-continue", `Content-Length: ${length}`], hidden),
    }),
    ...all([404, 200], { "an unknown path": line("POST /api/nowhere HTTP/1.1") }),
    ...all([405, 200], {
      "a method that is not allowed": line("POST /api/items/all HTTP/1.1"),
      "a body of DELETE": line(`DELETE ${validation} HTTP/1.1`),
      "a body of TRACE": line(`TRACE ${validation} HTTP/1.1`),
      "a body of a probe": line("POST /healthz HTTP/1.1"),
    }),
    ...all([204, 200], { "a body of OPTIONS": line(`OPTIONS ${validation} HTTP/1.1`) }),
    ...all([403, 200], { "a body of a page": line("POST /nowhere HTTP/1.1") }),
    ...all([413, 200], {
      "a body over the limit": post(["Content-Length: 70000"], hidden.padEnd(70_000, "x")),
    }),
    ...all([401, 200], {
      "two Hosts": message(
        "GET /api/items/all HTTP/1.1",
        ["Host: b", `Content-Length: ${length}`],
        hidden,
      ),
      "a Host with a user": line("GET /api/items/all HTTP/1.1").replace("Host: a", "Host: u@a"),
      "a Host with a path": line("GET /api/items/all HTTP/1.1").replace("Host: a", "Host: a/b"),
    }),
  ]

  const last = [
    ...all([401], {
      "a coding after a tab": post(["Transfer-Encoding:\tchunked"], whole),
      "a coding in capitals": post(["TRANSFER-ENCODING: CHUNKED"], whole),
      "an extension of a chunk": chunks(`${size};a=b\r\n${hidden}\r\n0\r\n\r\n`),
      "a chunked body of GET": get(["Transfer-Encoding: chunked"], whole),
      "a length in HTTP/1.0": post([`Content-Length: ${length}`], hidden, validation, "1.0"),
      "a chunked body on the operator's path": chunks(whole, "/operator/feed"),
    }),
    ...all([405], {
      "a chunked body of a probe": chunks(whole, "/healthz"),
      CONNECT: line("CONNECT a:80 HTTP/1.1"),
    }),
    ...all([413], {
      "a chunked form": chunks(whole, "/login"),
      "a chunked body over the limit": chunks(`11170\r\n${"x".repeat(70_000)}\r\n${whole}`),
      "an extension over the limit": chunks(`2;${"a".repeat(40_000)}\r\nxx\r\n0\r\n\r\n`),
    }),
    ...all([431], {
      "too many headers": get(
        Array.from({ length: 300 }, (_, at) => `X${at}: y`),
        hidden,
      ),
      "a header over the limit": get([`X: ${"y".repeat(70_000)}`], hidden),
    }),
    ...all([], {
      "a method in lower case": line("get /api/items/all HTTP/1.1"),
      "half a chunk": chunks(`fff\r\n${hidden}`),
      "a chunk of 4 GB": chunks(`100000000\r\n\r\n${hidden}`),
      "half a body": post([`Content-Length: ${length + 1_000}`], hidden),
    }),
  ]
  return [...lengths, ...codings, ...chunking, ...heads, ...lines, ...received, ...last]
}
