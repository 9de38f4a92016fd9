// Asks for a receipt. The key, the nonce and the site are in the fragment, which no browser sends. Nothing is kept.
const given = new URLSearchParams(location.hash.slice(1))
const [key, nonce, site] = ["key", "nonce", "site"].map((name) => given.get(name) ?? "")
const form = document.querySelector("form[data-activates]")
const output = document.querySelector("[data-receipt]")

function show(outcome) {
  for (const text of document.querySelectorAll("[data-outcome]")) {
    text.hidden = text.dataset.outcome !== outcome
  }
  output.hidden = outcome !== "ok"
}

for (const link of document.querySelectorAll("a[hreflang]")) link.hash = location.hash
// Another link may be opened in this tab.
addEventListener("hashchange", () => location.hash.includes("key=") && location.reload())

// Keys of other kinds are not for the eyes of buyers.
const hasLink = /^pzr_[vt]k_/.test(key) && /^[\w-]{16,128}$/.test(nonce)
show(hasLink ? "" : "no_link")
form.hidden = !hasLink
const place = document.querySelector("[data-site]")
place.hidden = !hasLink || site === ""
place.querySelector("bdi").textContent = site

const blank = "[\\p{White_Space}\\p{Default_Ignorable_Code_Point}]+"
const edges = new RegExp(`^${blank}|${blank}$`, "gu")

const rejections = ["unknown_code", "revoked_code", "site_limit"]

async function ask() {
  const code = form.elements.purchase_code.value.replace(edges, "")
  const where = site === "" ? {} : { site }
  const answer = await fetch("/api/purchases/validation", {
    method: "POST",
    body: new URLSearchParams({ api_key: key, purchase_code: code, nonce, ...where }),
  })
  const { status } = answer
  const names = ["pazar-reason", "signature-input", "signature"]
  const headers = Object.fromEntries(names.map((name) => [name, answer.headers.get(name)]))
  // The link was looked at before, so it is the code that cannot be asked about.
  if (status === 400) return "unknown_code"
  if (status === 401 || status === 403) return "key"
  const reason = headers["pazar-reason"]
  // Something else on the way may answer 404 too.
  if (status === 404) return rejections.includes(reason) ? reason : "cannot_say"
  // As that of a busy server.
  if (headers.signature === null) return "cannot_say"
  const receipt = { status, body: await answer.text(), headers, nonce, key, code, ...where }
  const bytes = new TextEncoder().encode(JSON.stringify(receipt))
  const encoded = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
  const line = `pazar1.${encoded.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`
  output.querySelector("input").value = line
  output.querySelector("button").dataset.copy = line
  return "ok"
}

form.addEventListener("submit", async (event) => {
  event.preventDefault()
  show("asking")
  // Without a network none comes.
  const outcome = await ask().catch(() => "cannot_say")
  show(outcome)
  if (outcome === "ok") output.querySelector("input").select()
})
