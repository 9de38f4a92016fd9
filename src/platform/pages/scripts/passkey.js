// Passkeys (WebAuthn). Forms stay hidden in a browser without them, and at another address than the public one, for
// which passkeys are. An IP address cannot have any.
const encode = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
const decode = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) =>
    each.charCodeAt(0),
  )
const toBytes = (text) => new TextEncoder().encode(text)

const isPossible = window.PublicKeyCredential && !/^[\d.]+$|:/.test(location.hostname)

// A challenge is valid for ten minutes, and this page may have been open for longer.
async function renew(input) {
  const page = await (await fetch("/login")).text()
  const fresh = new DOMParser().parseFromString(page, "text/html").querySelector("[data-passkey]")
  input.value = fresh.value
  input.form.elements.form_token.value = fresh.form.elements.form_token.value
}

function request({ create, get }) {
  const publicKey = create ?? get
  publicKey.challenge = toBytes(publicKey.challenge)
  if (get) return navigator.credentials.get({ publicKey })
  create.user.id = toBytes(create.user.id)
  for (const known of create.excludeCredentials) known.id = decode(known.id)
  return navigator.credentials.create({ publicKey })
}

for (const input of document.querySelectorAll("input[data-passkey]")) {
  const { form } = input
  const { origin, get } = JSON.parse(input.value)
  if (!isPossible || location.origin !== origin) continue
  document.querySelector("[data-no-passkeys]")?.remove()
  form.hidden = false
  const problem = form.querySelector(".error")
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    problem.hidden = true
    try {
      if (get && performance.now() > 540_000) await renew(input)
      const { id, response } = await request(JSON.parse(input.value))
      for (const field of form.querySelectorAll("[data-response]"))
        field.value = field.name === "id" ? id : encode(response[field.name])
      form.submit()
    } catch {
      // Canceled, or this device has no passkey or already one.
      problem.hidden = false
    }
  })
}
