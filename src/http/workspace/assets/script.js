// Copying, showing passwords and searching while typing. Everything else works without this.
const announcer = document.getElementById("announcer")

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false
  const label = button.textContent
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy)
    button.textContent = announcer.dataset.copied
    announcer.textContent = announcer.dataset.copied
    setTimeout(() => {
      button.textContent = label
      announcer.textContent = ""
    }, 2000)
  })
}

for (const toggle of document.querySelectorAll("input[data-shows]")) {
  toggle.closest("label").hidden = false
  toggle.addEventListener("change", () => {
    document.getElementById(toggle.dataset.shows).type = toggle.checked ? "text" : "password"
  })
}

// The letter behind a picture is better than a broken picture.
for (const picture of document.querySelectorAll(".thumb img")) {
  const drop = () => picture.remove()
  if (picture.complete && picture.naturalWidth === 0) drop()
  else picture.addEventListener("error", drop)
}

const search = document.querySelector("form[data-live]")
if (search !== null) {
  let timer = 0
  let latest = 0
  search.addEventListener("input", () => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      latest += 1
      const turn = latest
      const address = `${search.getAttribute("action")}?${new URLSearchParams(new FormData(search))}`
      const page = await fetch(address).then((response) => response.text())
      if (turn !== latest) return
      const found = new DOMParser().parseFromString(page, "text/html").getElementById("results")
      document.getElementById("results").replaceWith(found)
      history.replaceState(null, "", address)
    }, 200)
  })
}
