/** The first letter is behind the picture, in case it cannot be loaded. */
export const Thumbnail = ({
  name,
  url,
  isLarge,
}: {
  name: string
  url: string
  isLarge?: boolean
}) => (
  <span class={isLarge ? "thumb large" : "thumb"} aria-hidden="true">
    {[...name.trim()][0] ?? "?"}
    <img src={url} alt="" loading="lazy" referrerpolicy="no-referrer" />
  </span>
)
