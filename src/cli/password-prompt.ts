// A password from standard input: typed twice without being shown, or the first line of what is piped.
import type { ReadStream } from 'node:tty'
import { UsageError } from './usage.ts'

/** Octets. */
const lineMax = 4_096

export async function readPassword(input: ReadStream, prompts: NodeJS.WritableStream): Promise<string> {
  if (!input.isTTY) return (await readLine(input)).text
  input.setRawMode(true)
  try {
    prompts.write('New password: ')
    const first = await readLine(input)
    prompts.write('\nOnce more: ')
    const second = await readLine(input, first.rest)
    prompts.write('\n')
    if (first.text !== second.text) throw new UsageError('the two differ')
    return first.text
  } finally {
    input.setRawMode(false)
    input.pause()
  }
}

interface Line {
  text: string
  /** What came after it. */
  rest: string
}

/** In raw mode the keys arrive as they are: the end of line, the last character taken back, control-C and control-D. */
async function readLine(input: ReadStream, begun = ''): Promise<Line> {
  let line = ''
  const decoder = new TextDecoder()
  const take = (text: string): Line | null => {
    for (const [at, key] of [...text].entries()) {
      if (key === '\r' || key === '\n')
        return {
          text: line,
          rest: [...text]
            .slice(at + 1)
            .join('')
            .replace(/^\n/, ''),
        }
      if (input.isTTY && (key === '\u0003' || key === '\u0004')) throw new UsageError('nothing is changed')
      line = input.isTTY && (key === '\u007f' || key === '\b') ? [...line].slice(0, -1).join('') : line + key
      if (line.length > lineMax) throw new UsageError('a password is not that long')
    }
    return null
  }
  const before = take(begun)
  if (before !== null) return before
  for await (const chunk of input.iterator({ destroyOnReturn: false })) {
    const found = take(decoder.decode(chunk, { stream: true }))
    if (found !== null) return found
  }
  return { text: line, rest: '' }
}
