/** CRC-32 as in zip and PNG (reflected polynomial EDB88320), over the ASCII codes of a text. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1
  }
  return remainder
})

export function crc32(ascii: string): number {
  let remainder = 0xffffffff
  for (let at = 0; at < ascii.length; at++) {
    const entry = table[(remainder ^ ascii.charCodeAt(at)) & 0xff] ?? 0
    remainder = (remainder >>> 8) ^ entry
  }
  return (remainder ^ 0xffffffff) >>> 0
}
