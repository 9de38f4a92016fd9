/** The script is served as text, never run here. */
declare const text: string
export default text
