/** The calls of thirty days. Hidden from screen readers: the numbers are beside it. */
export const Sparkline = ({ days }: { days: readonly number[] }) => {
  const highest = Math.max(1, ...days)
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${days.length * 4} 24`}
      width="120"
      height="24"
      aria-hidden="true"
    >
      {days.map((calls, index) => {
        const tall = calls === 0 ? 1 : Math.max(2, (calls / highest) * 24)
        return (
          <rect
            class={calls === 0 ? "none" : "ok"}
            x={index * 4}
            y={24 - tall}
            width={3}
            height={tall}
          />
        )
      })}
    </svg>
  )
}
