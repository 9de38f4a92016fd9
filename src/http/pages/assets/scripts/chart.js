// The values of a bar on hover and on focus. All bars are one tab stop; arrow keys move between them.
const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }

for (const plot of document.querySelectorAll(".plot")) {
  const tip = plot.querySelector(".tip")
  const bars = [...plot.querySelectorAll(".bar")]
  // The browser would show a second tip beside ours.
  const texts = bars.map((bar) => {
    const title = bar.firstElementChild
    title.remove()
    const lines = title.textContent.split("\n")
    const { at } = bar.dataset
    if (at) lines[0] = new Date(at).toLocaleString(lang, moment)
    bar.setAttribute("aria-label", lines.join(", "))
    return lines.join("\n")
  })

  function show(bar) {
    tip.textContent = texts[bars.indexOf(bar)]
    tip.hidden = false
    const [{ left, width }, around] = [bar.getBoundingClientRect(), plot.getBoundingClientRect()]
    const middle = left + width / 2 - around.left - tip.offsetWidth / 2
    tip.style.left = `${Math.max(0, Math.min(middle, around.width - tip.offsetWidth))}px`
  }
  function hide() {
    tip.hidden = true
  }
  function stopAt(bar) {
    for (const each of bars) each.setAttribute("tabindex", each === bar ? 0 : -1)
  }

  stopAt(bars.at(-1))
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
    stopAt(bars[at])
    bars[at].focus()
  })
}
