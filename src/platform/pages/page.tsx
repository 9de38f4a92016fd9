import { currentView, type PageProps } from "./context.ts"

/** A page in the frame of the workspace or the console, whichever it belongs to. */
export const Page = (props: PageProps) => {
  const { Frame } = currentView()
  return <Frame {...props} />
}
