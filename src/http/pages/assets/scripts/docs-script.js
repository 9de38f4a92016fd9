// The search, the remembered language of the samples, and running a request. The pages work without it.
const languages = document.querySelectorAll(".sample input")
function chooseLanguage(language) {
  for (const input of languages) if (input.value === language) input.checked = true
}
// Storage is refused where cookies are blocked.
try {
  chooseLanguage(localStorage.getItem("pazar-language"))
} catch {}
for (const input of languages) {
  input.addEventListener("change", () => {
    const { top } = input.getBoundingClientRect()
    chooseLanguage(input.value)
    // The samples above may have become longer or shorter.
    scrollBy({ top: input.getBoundingClientRect().top - top, behavior: "instant" })
    try {
      localStorage.setItem("pazar-language", input.value)
    } catch {}
  })
}

for (const run of document.querySelectorAll("[data-run]")) {
  run.hidden = false
  const [status, output] = [run.querySelector("[role=status]"), run.querySelector("pre")]
  run.querySelector("button").addEventListener("click", async () => {
    const { run: path, method, header, value, failed } = run.dataset
    const fields = new URLSearchParams({ lang: document.documentElement.lang })
    for (const { name, value } of run.querySelectorAll("select")) fields.set(name, value)
    const isPost = method === "POST"
    try {
      const answer = await fetch(isPost ? path : `${path}?${fields}`, {
        method,
        headers: { [header]: value },
        body: isPost ? fields : null,
        cache: "no-store",
      })
      const body = JSON.stringify(await answer.json(), null, 2)
      status.textContent = `${answer.status} ${answer.headers.get("Pazar-Reason")}`
      output.querySelector("code").textContent = body
      output.hidden = false
    } catch {
      status.textContent = failed
      output.hidden = true
    }
  })
}

// On a phone the index would stand before the page; the width is that of narrow.css.
document.querySelector(".docs-index").open = !matchMedia("(max-width: 52rem)").matches

const indexSearch = document.querySelector(".docs-index .search")
indexSearch.hidden = false
indexSearch.querySelector("input").addEventListener("input", ({ target }) => {
  const wanted = target.value.trim().toLocaleLowerCase(document.documentElement.lang)
  let found = 0
  for (const link of document.querySelectorAll(".docs-index li a")) {
    // A link to this page is found by all the text it leads to.
    const section = link.hash && document.getElementById(link.hash.slice(1))
    const text = `${link.textContent} ${section?.textContent ?? ""}`
    const isFound = text.toLocaleLowerCase(document.documentElement.lang).includes(wanted)
    link.parentElement.hidden = !isFound
    if (isFound) found += 1
  }
  document.querySelector("[data-no-match]").hidden = found > 0
})
