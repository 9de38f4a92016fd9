// Fills in the code of a link: `/license#code=CODE` or `/license#CODE`. The fragment is removed, so that the address
// can be shared.
const field = document.getElementById("purchase_code")

function fill() {
  const fragment = location.hash.slice(1)
  // The skip link has a fragment, too.
  if (fragment === "" || document.getElementById(fragment)) return
  const isForm = fragment.startsWith("code=")
  const form = isForm ? fragment : `code=${fragment.replace(/[+&]/g, encodeURIComponent)}`
  // Unlike decodeURIComponent, accepts a percent sign that encodes nothing.
  field.value = new URLSearchParams(form).get("code")
  history.replaceState(null, "", location.pathname + location.search)
}

fill()
addEventListener("hashchange", fill)

for (const link of document.querySelectorAll("a[hreflang]")) {
  link.addEventListener("click", () => {
    if (field.value !== "") link.hash = new URLSearchParams({ code: field.value })
  })
}
