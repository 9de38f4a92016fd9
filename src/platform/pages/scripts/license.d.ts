/** The script is imported as text and served, not run. */
declare const text: string
export default text
