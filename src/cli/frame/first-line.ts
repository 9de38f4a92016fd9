/** For secrets, which are read from standard input so that no list of processes shows them. */
export async function readFirstLine(input: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const chunk of input) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes("\n")) break
  }
  return text.split(/\r?\n/, 1)[0] ?? ""
}
