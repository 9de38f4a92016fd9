import { shownName } from "../../pages/parts/name.ts"
import type { View } from "../../pages/view.ts"
import type { ItemFacts } from "../frame/item-facts.ts"

const screenshotsMax = 8

/** The picture, video or sound that buyers see, and the screenshots. Loaded from the marketplace's own host. */
export const ItemPreview = ({ view, item }: { view: View; item: ItemFacts }) => {
  const words = view.words.items
  const screenshots = (item.media.screenshots ?? []).slice(0, screenshotsMax)
  return (
    <>
      <Medium label={words.preview(shownName(item.name, item.id))} media={item.media} />
      {screenshots.length > 0 && (
        <div class="screenshots">
          {screenshots.map((url, index) => (
            <a href={url} rel="noopener noreferrer">
              <Picture url={url} label={words.screenshot(index + 1)} />
            </a>
          ))}
        </div>
      )}
    </>
  )
}

const Medium = ({ label, media }: { label: string; media: ItemFacts["media"] }) => {
  if ("preview_audio" in media) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: a feed brings no captions.
      <audio class="preview" controls preload="none" src={media.preview_audio} aria-label={label} />
    )
  }
  if (media.preview_video === undefined) return <Picture url={media.preview_image} label={label} />
  return (
    // biome-ignore lint/a11y/useMediaCaption: a feed brings no captions.
    <video
      class="preview"
      controls
      preload="none"
      src={media.preview_video}
      poster={media.preview_image}
      aria-label={label}
    />
  )
}

const Picture = ({ url, label }: { url: string; label: string }) => (
  <img class="preview" src={url} alt={label} loading="lazy" referrerpolicy="no-referrer" />
)
