/** Makes this runtime one that cannot verify signatures, until the returned function is called. */
export function hideEd25519(): () => void {
  const { subtle } = crypto
  // Hides the method of the prototype until it is deleted.
  Object.defineProperty(subtle, "importKey", {
    value: () => Promise.reject(new DOMException("Unrecognized name.", "NotSupportedError")),
    configurable: true,
  })
  return () => Reflect.deleteProperty(subtle, "importKey")
}
