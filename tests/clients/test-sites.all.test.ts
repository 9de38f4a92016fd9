/** The server and both clients agree which sites are test sites, and a filter in WordPress cannot make one. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import { isTestSite as isTestInTypescript, normalizeSite } from "../../sdk/src/normalize.ts"
import { isTestSite, parseSite, temporaryHosts } from "../../src/purchases/site.ts"
import { propertyRuns } from "../harness/full-test-run.ts"
import { runPhp } from "../harness/php/php.ts"
import { clientFolder, openInstalledClient, type PhpClient } from "../harness/php/php-client.ts"

let client: PhpClient
beforeAll(() => {
  client = openInstalledClient()
})
afterAll(() => client.close())

const ownLabels = [
  ...["dev", "develop", "development", "local", "localhost", "staging", "stage", "test", "testing"],
  ...["tests", "demo", "beta", "sandbox", "preview", "qa", "uat", "contest", "devshop", "x", "www"],
]
const endings = [
  ...["com", "co.uk", "dev", "example.com", "test", "example", "invalid", "localhost", "local"],
  ...["internal", "lan", "home.arpa", "arpa", "xn--p1ai", "de1", ...temporaryHosts],
]
const label = fc.oneof(
  fc.constantFrom(...ownLabels),
  fc.stringMatching(/^[a-z]([a-z0-9_]{0,6}[a-z0-9])?$/),
)
const number = fc.tuple(fc.constantFrom("", "2"), label).map(([digits, name]) => name + digits)
const octet = fc.oneof(
  fc.constantFrom(0, 10, 16, 31, 64, 100, 127, 168, 169, 172, 192, 254),
  fc.nat(255),
)
const host = fc.oneof(
  fc
    .tuple(fc.array(number, { maxLength: 3 }), fc.constantFrom(...endings))
    .map(([labels, ending]) => [...labels, ending].join(".")),
  fc.constantFrom(...temporaryHosts, ...temporaryHosts.map((name) => `x${name}`)),
  fc.tuple(octet, octet, octet, octet).map((octets) => octets.join(".")),
  fc.constantFrom("[::1]", "[fc00::1]", "[fe80::1]", "[2001:db8::1]", "[::]"),
  label,
)
const url = fc
  .tuple(
    fc.constantFrom("", "http://", "https://", "HTTPS://www."),
    host,
    fc.constantFrom("", "/", ":8080/shop"),
  )
  .map(([scheme, name, path]) => (/^[a-z]/.test(name) ? scheme : "") + name + path)

test("the server and both clients agree which sites are test sites", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(url, { minLength: 50, maxLength: 50 }), async (sites) => {
      const server = sites.map((site) => isTestSite(parseSite(site) ?? ""))
      const [answers] = await client.run({ steps: [{ call: "isTestSite", arguments: sites }] })
      const php: readonly unknown[] = Array.isArray(answers) ? answers : []
      expect(sites.filter((_, at) => php[at] !== server[at])).toEqual([])
      // The TypeScript client has no list of temporary hosts, to stay small: there test keys work on fewer sites.
      const isBelow = (site: string) =>
        temporaryHosts.some((name) => `.${site}`.endsWith(`.${name}`))
      const differing = sites.filter((site, at) => {
        const host = normalizeSite(site)
        const isTest = isTestInTypescript(host)
        return isTest !== server[at] && (isTest || !isBelow(host))
      })
      expect(differing).toEqual([])
    }),
    { numRuns: propertyRuns(40) },
  )
})

/** Returns the site that a product sends whose filter returns each of the values. */
async function filter(values: readonly string[], home: string): Promise<readonly string[]> {
  const wordpress = `${import.meta.dir}/../harness/php/wordpress-functions.php`
  const code = `require '${wordpress}'; require '${clientFolder}/pazar.php';
do_action('after_setup_theme');
[$home, $values] = json_decode(stream_get_contents(STDIN));
$site->home = $home;
$property = new ReflectionProperty('Pazar\\\\WordPress', 'site');
$property->setAccessible(true);
$options = ['name' => 'acme', 'title' => 'Acme', 'base_url' => 'https://x.example', 'key' => 'k'];
echo json_encode(array_map(static function (string $value) use ($property, $options, $site): string {
    $site->hooks = ['pazar_site' => [[static fn (): string => $value, 1]]];
    return $property->getValue(Pazar\\WordPress::boot($options));
}, $values));`
  const { stdout, stderr } = await runPhp(["-r", code], { input: JSON.stringify([home, values]) })
  expect(stderr).toBe("")
  return JSON.parse(stdout)
}

const tricks = [
  ...["localhost", "LOCALHOST.", "http://localhost/x", "user@localhost", "//localhost", "my-pc"],
  ...["http:/localhost", "http:localhost", "localhost/ x", "http:/localhost/ x", "l%6fcalhost"],
  ...[
    "ｌｏｃａｌｈｏｓｔ",
    "shop。test",
    "shop.te\u00adst",
    "shop\u00a0.test",
    "münchen",
    "x.ngrok.io",
  ],
  ...[
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "2130706433",
    "[::1]",
    "::1",
    "[::ffff:127.0.0.1]",
    "::ffff:7f00:1",
  ],
  ...[
    "<x>",
    "x<y z",
    "a\u0001b",
    "a\nb",
    "- -",
    "_ _",
    "http:///",
    "x".repeat(256),
    "a ".repeat(200),
  ],
  ...[
    "dev.shop.com",
    "www.www.localhost",
    "xn--localhost-",
    "xn--lcalhost-8wa",
    "shop..test",
    ".test",
    "test.",
  ],
]

test("no filter turns a site with a limit into one without", async () => {
  const value = fc.oneof(
    url,
    fc.constantFrom(...tricks),
    fc
      .tuple(fc.constantFrom(...tricks), fc.string({ maxLength: 3 }))
      .map((parts) => parts.join("")),
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(..."localhst.tes/:%@#?[]\\ 01x\u3002\u00ad\u200b") }),
  )
  const own = "shop.example.com"
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 200, maxLength: 200 }), async (values) => {
      const wellFormed = values.map((each) => each.toWellFormed())
      const sent = await filter([...tricks, ...wellFormed], `https://${own}`)
      const readers = sent.map((site) => parseSite(site))
      const free = sent.filter((_, at) => readers[at] === null || isTestSite(readers[at] ?? ""))
      expect(free).toEqual([])
    }),
    { numRuns: propertyRuns(10) },
  )
  // For the server these two are names of machines, not addresses.
  const harmless = ["127.1", "0x7f.1"]
  const others = (await filter(tricks, `https://${own}`)).filter((site) => site !== own)
  expect(others.toSorted()).toEqual(harmless.toSorted())
})

test("a filter may rename a site, and may name a test site on a test site", async () => {
  const names = [
    "second.example.com",
    "https://www.Second.example.com/x",
    "Machine 7",
    "Büro Ankara 2",
  ]
  expect(await filter(names, "https://shop.example.com")).toEqual([
    ...["second.example.com", "second.example.com", "Machine 7", "Büro Ankara 2"],
  ])
  const tests = ["localhost", "dev.shop.com", "x.ngrok.io", "<x>"]
  expect(await filter(tests, "https://staging.shop.com")).toEqual([
    ...["localhost", "dev.shop.com", "x.ngrok.io", "staging.shop.com"],
  ])
})
