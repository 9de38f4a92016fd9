/** Stylesheets and scripts as they are sent: without comments, blanks and long names. */

/** Strings stay as they are. */
export const compactStyle = (text: string): string =>
  text
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s+/g, " ")
    .replace(/("[^"]*")|;? ?([{},>]) ?|([:;]) |(?<=[ :,(-])0(?=\.)/g, "$1$2$3")

/** The script must be loaded as a module: short names of two scripts would clash otherwise. */
export const compactScript = (text: string): string =>
  // @ts-expect-error Bun 1.4.4 knows `minify`, its types do not.
  new Bun.Transpiler({ loader: "js", minify: true }).transformSync(text)
