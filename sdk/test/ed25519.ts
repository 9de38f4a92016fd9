/** Removes Ed25519 from this runtime until the returned function is called. */
export function hideEd25519(): () => void {
  const { subtle } = crypto
  // Shadows the method of the prototype.
  Object.defineProperty(subtle, "importKey", {
    value: () => Promise.reject(new DOMException("Unrecognized name.", "NotSupportedError")),
    configurable: true,
  })
  return () => Reflect.deleteProperty(subtle, "importKey")
}
