import { raw } from "hono/html"
import type { PageTexts } from "../translations/texts.ts"
import { highlight } from "./highlight.ts"
import type { Sample } from "./samples.ts"

type SamplesProps = Readonly<{
  texts: PageTexts
  id: string
  title: string
  samples: readonly Sample[]
}>

/** Tabs of radio buttons work without the script. */
export const SamplesBlock = ({ texts, id, title, samples }: SamplesProps) => (
  <fieldset class="sample">
    <legend class="visually-hidden">{texts.docs.samples(title)}</legend>
    {samples.map(({ id: sampleId, name, language, text }, at) => (
      <>
        <label class="tab">
          <input
            type="radio"
            class="visually-hidden"
            name={`language-${id}`}
            value={sampleId}
            checked={at === 0}
          />
          {name}
        </label>
        <div class="sample-panel">
          <pre tabindex={0}>
            <code data-sample={`${id} ${sampleId}`}>{raw(highlight(language, text))}</code>
          </pre>
        </div>
      </>
    ))}
    <button type="button" class="quiet" data-copy-code hidden>
      {texts.words.copy}
    </button>
  </fieldset>
)
