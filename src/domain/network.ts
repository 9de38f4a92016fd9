/**
 * Networks stand for whoever is calling: fine enough to tell callers apart, coarse enough not to
 * be an address. IPv4 by its first three numbers, IPv6 by its first three groups.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "")
  if (plain.includes(".")) return `${plain.split(".").slice(0, 3).join(".")}.0/24`
  const [head = ""] = plain.split("::")
  const groups = head.split(":").filter((group) => group !== "")
  return `${[...groups, "0", "0", "0"].slice(0, 3).join(":")}::/48`
}
