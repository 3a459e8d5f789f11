// Octets as they come to lines of text, of bounded length.

/** Octets of the longest line that is read. */
export const lineBytesMax = 65_536

const newline = 0x0a

/** The lines that each chunk ends, together; null stands for one that is too long. An end without a line break ends the last line. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<(string | null)[]> {
  let rest: Buffer[] = []
  let restBytes = 0
  const take = (part: Buffer) => {
    restBytes += part.length
    if (restBytes > lineBytesMax) rest = []
    else rest.push(part)
  }
  const line = (): string | null => {
    const text = restBytes > lineBytesMax ? null : Buffer.concat(rest).toString('utf8')
    rest = []
    restBytes = 0
    return text
  }
  for await (const chunk of chunks) {
    const octets = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const lines: (string | null)[] = []
    let from = 0
    for (let at = octets.indexOf(newline); at !== -1; at = octets.indexOf(newline, from)) {
      if (at > from) take(octets.subarray(from, at))
      lines.push(restBytes === 0 ? '' : line())
      from = at + 1
    }
    if (from < octets.length) take(octets.subarray(from))
    yield lines
  }
  if (restBytes > 0) yield [line()]
}
