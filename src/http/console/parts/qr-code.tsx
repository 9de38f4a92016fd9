import { encode } from "uqr"

type Props = Readonly<{ text: string; label: string }>

/** Around the code: cameras need it to find the corners. */
const quietModules = 4

/** Dark on white in both themes: not every camera reads the reverse. */
export const QrCode = ({ text, label }: Props) => {
  const { data, size } = encode(text, { ecc: "M", border: quietModules })
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("")
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path} shape-rendering="crispEdges" />
    </svg>
  )
}
