// Times in the reader's zone. The page itself says UTC.
const { lang } = document.documentElement
const relativeTime = new Intl.RelativeTimeFormat(lang)
const justNow = new Intl.RelativeTimeFormat(lang, { numeric: "auto" }).format(0, "second")
const day = { dateStyle: "medium" }
const moment = {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
}
const hour = { hour: "2-digit", minute: "2-digit" }
const forms = { day, hour, moment }
const units = Object.entries({ day: 86_400, hour: 3_600, minute: 60 })

function formatAgo(date) {
  const seconds = (date - Date.now()) / 1000
  // Weeks away, the date says more.
  if (Math.abs(seconds) > 30 * 86_400) return date.toLocaleString(lang, day)
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? []
  return unit ? relativeTime.format(Math.trunc(seconds / size), unit) : justNow
}

function showLocalTimes() {
  for (const time of document.querySelectorAll("[data-form]")) {
    const { form, at } = time.dataset
    const date = new Date(at ?? time.dateTime)
    time.title = date.toLocaleString(lang, { dateStyle: "long", timeStyle: "long" })
    time.textContent = form === "ago" ? formatAgo(date) : date.toLocaleString(lang, forms[form])
  }
}

showLocalTimes()
setInterval(showLocalTimes, 30_000)
