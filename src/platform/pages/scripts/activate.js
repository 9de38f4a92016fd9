// Offline activation: requests a receipt. The key, the nonce and the site are in the fragment, which
// browsers do not send. Nothing is stored.
const fragment = new URLSearchParams(location.hash.slice(1))
const [key, nonce, site] = ["key", "nonce", "site"].map((name) => fragment.get(name) ?? "")
const form = document.querySelector("form[data-activates]")
const output = document.querySelector("[data-receipt]")
const licenseLink = document.querySelector("main a")

function show(outcome) {
  for (const text of document.querySelectorAll("[data-outcome]")) {
    text.hidden = text.dataset.outcome !== outcome
  }
  output.hidden = outcome !== "ok"
}

for (const link of document.querySelectorAll("a[hreflang]")) link.hash = location.hash
// Another activation link may be opened in this tab.
addEventListener("hashchange", () => location.hash.includes("key=") && location.reload())

// Buyers must not see keys of other kinds.
const hasLink = /^pzr_[vt]k_/.test(key) && /^[\w-]{16,128}$/.test(nonce)
show(hasLink ? "" : "no_link")
form.hidden = !hasLink
const siteText = document.querySelector("[data-site]")
siteText.hidden = !hasLink || site === ""
siteText.querySelector("bdi").textContent = site

const whitespace = "[\\p{White_Space}\\p{Default_Ignorable_Code_Point}]+"
const edges = new RegExp(`^${whitespace}|${whitespace}$`, "gu")

const rejections = ["unknown_code", "revoked_code", "expired_code", "site_limit"]

async function requestReceipt() {
  const code = form.elements.purchase_code.value.replace(edges, "")
  licenseLink.hash = new URLSearchParams({ code })
  const siteField = site === "" ? {} : { site }
  const response = await fetch("/api/purchases/validation", {
    method: "POST",
    body: new URLSearchParams({ api_key: key, purchase_code: code, nonce, ...siteField }),
  })
  const { status } = response
  const names = ["pazar-reason", "signature-input", "signature"]
  const headers = Object.fromEntries(names.map((name) => [name, response.headers.get(name)]))
  // The link was checked before, so the code is invalid.
  if (status === 400) return "unknown_code"
  if (status === 401 || status === 403) return "key"
  const reason = headers["pazar-reason"]
  // A proxy may also return 404.
  if (status === 404) return rejections.includes(reason) ? reason : "unknown"
  // A busy server does not sign its response.
  if (headers.signature === null) return "unknown"
  // A product that pins keys from before rotations follows their endorsements.
  const keySet = await fetch("/.well-known/pazar-keys.json", { cache: "no-cache" })
  const keys = (await keySet.json()).keys.map(({ x, endorsed }) => ({ x, endorsed }))
  const body = await response.text()
  const receipt = { status, body, headers, nonce, key, code, ...siteField, keys }
  const bytes = new TextEncoder().encode(JSON.stringify(receipt))
  const encoded = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
  const line = `pazar1.${encoded.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`
  output.querySelector("input").value = line
  output.querySelector("button").dataset.copy = line
  return "ok"
}

form.addEventListener("submit", async (event) => {
  event.preventDefault()
  show("validating")
  // The request fails without an internet connection.
  const outcome = await requestReceipt().catch(() => "unknown")
  show(outcome)
  if (outcome === "ok") output.querySelector("input").select()
})
