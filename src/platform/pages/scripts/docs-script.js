// Remembers the language of the samples, sends requests, marks the current heading, and searches while
// typing. The pages work without the script.

const languages = document.querySelectorAll(".sample input")
function chooseLanguage(language) {
  for (const input of languages) if (input.value === language) input.checked = true
}
// A browser that blocks cookies also blocks storage.
try {
  chooseLanguage(localStorage.getItem("pazar-language"))
} catch {}
for (const input of languages) {
  input.addEventListener("change", () => {
    const { top } = input.getBoundingClientRect()
    chooseLanguage(input.value)
    // The samples above may have a new height.
    scrollBy({ top: input.getBoundingClientRect().top - top, behavior: "instant" })
    try {
      localStorage.setItem("pazar-language", input.value)
    } catch {}
  })
}

for (const run of document.querySelectorAll("[data-run]")) {
  run.querySelector(".actions").hidden = false
  const [title, pill, errorCode] = run.querySelector("[role=status]").children
  const output = run.querySelector(".code")
  run.querySelector("button").addEventListener("click", async () => {
    const { run: path, method, header, value } = run.dataset
    const fields = new URLSearchParams({ lang: document.documentElement.lang })
    for (const { name, value } of run.querySelectorAll("select, input")) fields.set(name, value)
    const isPost = method === "POST"
    const response = await fetch(isPost ? path : `${path}?${fields}`, {
      method,
      headers: { [header]: value },
      body: isPost ? fields : null,
      cache: "no-store",
    }).catch(() => null)
    const body = await response?.json().catch(() => null)
    const isJson = body != null
    for (const each of [pill, errorCode, output]) each.hidden = !isJson
    title.textContent = isJson ? run.dataset.title : run.dataset.failed
    if (!isJson) return
    const { status } = response
    pill.textContent = status
    const isTemporary = status === 429 || status > 499
    pill.className = `pill ${status < 400 ? "good" : isTemporary ? "warning" : "danger"}`
    errorCode.textContent = response.headers.get("Pazar-Reason")
    output.querySelector("code").textContent = JSON.stringify(body, null, 2)
  })
}

const index = document.querySelector(".docs-index")
// On a phone the open index would push the page down; the width is that of narrow.css.
index.open = !matchMedia("(max-width: 52rem)").matches
const currentLink = index.querySelector("[aria-current]")
if (currentLink) index.scrollTop = currentLink.offsetTop - index.clientHeight / 2

const headings = [...index.querySelectorAll(".index-headings a")]
function markHeading() {
  const topOf = ({ hash }) => document.getElementById(hash.slice(1)).getBoundingClientRect().top
  // The last headings of a page may be too low to scroll to the top.
  const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2
  const chosen = headings.find((link) => link.hash === location.hash && topOf(link) >= 0)
  const read = headings.findLast((link) => topOf(link) < innerHeight / 4)
  const current = isEnd ? (chosen ?? headings.at(-1)) : read
  for (const link of headings) {
    if (link === current) link.setAttribute("aria-current", "true")
    else link.removeAttribute("aria-current")
  }
}
if (headings.length > 0) {
  for (const event of ["scroll", "hashchange"]) addEventListener(event, markHeading)
  markHeading()
}

const search = document.querySelector(".search")
const [field, list] = search.children
const output = document.getElementById("results") ?? list
let timer
field.addEventListener("input", () => {
  clearTimeout(timer)
  timer = setTimeout(showResults, 150)
})
async function showResults() {
  const query = field.value
  // Without a response the form still works.
  const response = await fetch(`${search.action}?${new URLSearchParams({ q: query })}`).catch(
    () => null,
  )
  const page = new DOMParser().parseFromString((await response?.text()) ?? "", "text/html")
  if (field.value !== query) return
  output.replaceChildren(...(query.trim() === "" ? [] : page.querySelectorAll("#results > *")))
}
