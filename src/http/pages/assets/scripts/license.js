// Fills in the code of a link: `/license#code=CODE` or `/license#CODE`. The fragment is removed, so that the address
// can be shared.
const field = document.getElementById("purchase_code")

function fill() {
  const fragment = decodeURIComponent(location.hash.slice(1).replaceAll("+", " "))
  // The skip link has a fragment, too.
  if (fragment === "" || document.getElementById(fragment)) return
  field.value = fragment.replace(/^code=/, "")
  history.replaceState(null, "", location.pathname + location.search)
}

fill()
addEventListener("hashchange", fill)

for (const link of document.querySelectorAll("a[hreflang]")) {
  link.addEventListener("click", () => {
    if (field.value !== "") link.hash = new URLSearchParams({ code: field.value })
  })
}
