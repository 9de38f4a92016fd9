// Converts times, which the page shows in UTC, to the zone of the reader.
const { lang } = document.documentElement
const relativeTime = new Intl.RelativeTimeFormat(lang)
const justNow = new Intl.RelativeTimeFormat(lang, { numeric: "auto" }).format(0, "second")
const day = { dateStyle: "medium" }
const datetime = {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
}
const short = {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
}
const forms = { day, datetime, short }
const zoneName = new Intl.DateTimeFormat(lang, { timeZoneName: "short" })
  .formatToParts()
  .find(({ type }) => type === "timeZoneName").value
const units = Object.entries({ day: 86_400, hour: 3_600, minute: 60 })

function formatAgo(date) {
  const seconds = (date - Date.now()) / 1000
  // Beyond 30 days the date is clearer.
  if (Math.abs(seconds) > 30 * 86_400) return date.toLocaleString(lang, day)
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? []
  return unit ? relativeTime.format(Math.trunc(seconds / size), unit) : justNow
}

function showLocalTimes() {
  for (const time of document.querySelectorAll("[data-form]")) {
    const { form } = time.dataset
    const date = new Date(time.dateTime)
    time.title = date.toLocaleString(lang, { dateStyle: "long", timeStyle: "long" })
    const isOld = form === "short" && date.getFullYear() !== new Date().getFullYear()
    time.textContent =
      form === "ago" ? formatAgo(date) : date.toLocaleString(lang, isOld ? day : forms[form])
  }
  for (const zone of document.querySelectorAll("[data-zone]")) zone.textContent = zoneName
}

showLocalTimes()
setInterval(showLocalTimes, 30_000)

// Copying, showing passwords, sign-in links and searching while typing. Pages work without the script.
const announcer = document.getElementById("announcer")

// Browsers allow clipboard access on https and localhost only.
const copies = "button:is([data-copy], [data-copy-before], [data-copy-json], [data-copy-code])"
for (const button of isSecureContext ? document.querySelectorAll(copies) : []) {
  button.hidden = false
  const label = button.textContent
  button.addEventListener("click", async () => {
    const { copy, copyBefore, copyJson } = button.dataset
    const block = button.closest("details, .sample")
    const shown = () =>
      (copyBefore === undefined
        ? block.querySelector("details > pre, :has(:checked) + div")
        : button.previousElementSibling
      ).textContent
    const isJson = copyJson !== undefined
    await navigator.clipboard.writeText(
      copy ?? (isJson ? JSON.stringify(JSON.parse(shown())) : shown()),
    )
    button.textContent = announcer.dataset.copied
    announcer.textContent = announcer.dataset.copied
    setTimeout(() => {
      button.textContent = label
      announcer.textContent = ""
    }, 2000)
  })
}

for (const toggle of document.querySelectorAll("input[data-shows-passwords]")) {
  toggle.closest("label").hidden = false
  toggle.addEventListener("change", () => {
    for (const field of toggle.form.querySelectorAll("input[autocomplete$=-password]")) {
      field.type = toggle.checked ? "text" : "password"
    }
  })
}

// Opening a sign-in link does not use it up; submitting its form does.
document.querySelector("form[data-submits]")?.requestSubmit()

// The next code replaces the checked one.
document.getElementById("purchase_code")?.select()

// Removes broken pictures.
for (const picture of document.querySelectorAll("main img")) {
  if (picture.complete && picture.naturalWidth === 0) picture.remove()
}
document.addEventListener("error", ({ target }) => target.matches("main img") && target.remove(), {
  capture: true,
})

async function readPage(url) {
  const response = await fetch(url)
  return new DOMParser().parseFromString(await response.text(), "text/html")
}

const find = document.getElementById("find")
addEventListener("keydown", (event) => {
  const isShortcut =
    event.key === "/"
      ? !event.target.closest("input, select, textarea")
      : event.key === "k" && (event.ctrlKey || event.metaKey)
  if (find === null || !isShortcut) return
  event.preventDefault()
  if (!find.checkVisibility()) find.closest("[popover]").showPopover()
  find.focus()
})

// Filters of a list apply when they are changed. The form itself sends a private search, and reads charts again.
const search = document.querySelector("form[data-live]")
const hasOnlyList = document.getElementById("results") && !document.querySelector(".plot")
if (search && (search.method === "post" || !hasOnlyList)) {
  search.addEventListener("change", ({ target }) => {
    if (target.type !== "search") search.requestSubmit()
  })
} else if (search) {
  let timer = 0
  let latest = 0
  search.addEventListener("input", () => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      latest += 1
      const turn = latest
      const url = `${search.getAttribute("action")}?${new URLSearchParams(new FormData(search))}`
      const page = await readPage(url)
      if (turn !== latest) return
      // Another page was returned, such as the sign-in: open it.
      if (page.getElementById("results") === null) return location.assign(url)
      for (const id of ["totals", "results", "count"]) {
        const shown = document.getElementById(id)
        shown?.replaceChildren(...(page.getElementById(id)?.childNodes ?? []))
      }
      showLocalTimes()
      history.replaceState(null, "", url)
    }, 200)
  })
}

// Confirmation pages open over the page. Their forms are sent as usual.
document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[data-dialog]")
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const page = await readPage(link.href).catch(() => null)
  const main = page?.querySelector("main")
  if (!main?.querySelector("form")) return location.assign(link.href)
  const dialog = document.createElement("dialog")
  dialog.setAttribute("aria-label", main.querySelector("h1")?.textContent ?? "")
  for (const form of main.querySelectorAll("form")) {
    form.action = new URL(form.getAttribute("action") ?? "", link.href)
  }
  main.querySelector(".crumb")?.remove()
  dialog.append(...main.childNodes)
  // "Cancel" leads back to this page.
  dialog.addEventListener("click", (click) => {
    const isBack = click.target.closest?.("a[data-cancel]")
    if (!isBack && click.target !== dialog) return
    click.preventDefault()
    dialog.close()
  })
  dialog.addEventListener("close", () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  showLocalTimes()
})

// A form is busy until the next page arrives. A download leaves the page as it is.
document.addEventListener("submit", ({ target, submitter, defaultPrevented }) => {
  const isDownload = submitter?.formAction.endsWith(".csv")
  if (!defaultPrevented && !isDownload) target.setAttribute("aria-busy", "true")
})
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[aria-busy]")) form.removeAttribute("aria-busy")
})

// Replaces an element whose `data-version` has changed, until it has no `data-refresh`, for at most five minutes.
async function refresh(element) {
  const { refresh: url, version } = element.dataset
  for (let attempt = 0; attempt < 150; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 2000))
    const page = await readPage(url).catch(() => null)
    const found = page?.getElementById(element.id)
    if (!found || (found.dataset.refresh === url && found.dataset.version === version)) continue
    // The element stays, because screen readers announce changes of an existing element.
    element.replaceChildren(...found.childNodes)
    showLocalTimes()
    element.dataset.version = found.dataset.version
    return found.dataset.refresh && refresh(element)
  }
}
for (const element of document.querySelectorAll("[data-refresh]")) refresh(element)

// The page in the back/forward cache must not contain a secret, so it is loaded again.
const secrets = document.querySelectorAll("[data-secret]")
if (secrets.length > 0) {
  addEventListener("pagehide", () => {
    for (const secret of secrets) secret.parentElement.remove()
  })
  // Loads the URL without submitting the form again.
  addEventListener("pageshow", ({ persisted }) => persisted && location.replace(location.pathname))
}

// Shows the values of a bar on hover and focus. All bars are one tab stop; arrow keys move between them.
const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }

for (const plot of document.querySelectorAll(".plot")) {
  const tip = plot.querySelector(".tip")
  const bars = [...plot.querySelectorAll(".bar")]
  // The title would be a second tooltip.
  const texts = bars.map((bar) => {
    const title = bar.firstElementChild
    title.remove()
    bar.setAttribute("aria-label", title.textContent.replaceAll("\n", ", "))
    return title.textContent
  })

  function show(bar) {
    tip.textContent = texts[bars.indexOf(bar)]
    tip.hidden = false
    const [{ left, width }, plotBox] = [bar.getBoundingClientRect(), plot.getBoundingClientRect()]
    const middle = left + width / 2 - plotBox.left - tip.offsetWidth / 2
    tip.style.left = `${Math.max(0, Math.min(middle, plotBox.width - tip.offsetWidth))}px`
  }
  function hide() {
    tip.hidden = true
  }
  function setTabStop(bar) {
    for (const each of bars) each.setAttribute("tabindex", each === bar ? 0 : -1)
  }

  setTabStop(bars.at(-1))
  for (const bar of bars) {
    bar.addEventListener("pointerenter", () => show(bar))
    bar.addEventListener("focus", () => show(bar))
    bar.addEventListener("blur", hide)
  }
  plot.addEventListener("pointerleave", hide)
  plot.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide()
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = Math.max(0, Math.min(bars.indexOf(document.activeElement) + step, bars.length - 1))
    setTabStop(bars[at])
    bars[at].focus()
  })
}
