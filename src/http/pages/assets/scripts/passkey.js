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

for (const { form, value } of document.querySelectorAll("input[data-passkey]")) {
  const { origin, create, get } = JSON.parse(value)
  if (!isPossible || location.origin !== origin) continue
  const options = create ?? get
  options.challenge = toBytes(options.challenge)
  if (create) {
    create.user.id = toBytes(create.user.id)
    for (const known of create.excludeCredentials) known.id = decode(known.id)
  }
  document.querySelector("[data-no-passkeys]")?.remove()
  form.hidden = false
  const problem = form.querySelector(".error")
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    problem.hidden = true
    try {
      const { id, response } = create
        ? await navigator.credentials.create({ publicKey: create })
        : await navigator.credentials.get({ publicKey: get })
      for (const field of form.querySelectorAll("[data-response]"))
        field.value = field.name === "id" ? id : encode(response[field.name])
      form.submit()
    } catch {
      // Canceled, or this device has no passkey or already one.
      problem.hidden = false
    }
  })
}
