const height = 20
const dayWidth = 3

type SparklineProps = Readonly<{
  days: readonly number[]
  /** The calls that fill the whole height: the same for all keys of a table. */
  highest: number
}>

/** The calls of thirty days. Hidden from screen readers: the number is beside it. */
export const Sparkline = ({ days, highest }: SparklineProps) => {
  const width = days.length * dayWidth
  const bars = days.map((calls, index) => {
    const tall = Math.max(3, Math.round((calls / highest) * height))
    return calls === 0 ? "" : `M${index * dayWidth + 1} ${height}v-${tall}`
  })
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      <path class="none" d={`M0 ${height - 0.5}h${width}`} />
      <path d={bars.join("")} />
    </svg>
  )
}
