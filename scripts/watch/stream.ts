// The stream of changes (server-sent events, WHATWG HTML section 9.2), as messages of the watch.
import type { Message } from './watch.ts'

/** Text in pieces as they come, whose messages may end anywhere. */
export class StreamText {
  #rest = ''
  /** The place of the last message: whoever connects again asks for what came after it. */
  lastId: string | null = null

  /** The messages that are whole by now. */
  push(text: string): Message[] {
    const blocks = (this.#rest + text).split('\n\n')
    this.#rest = blocks.pop() ?? ''
    return blocks.flatMap((block) => this.#messageOf(block))
  }

  /** What was not whole is lost with the connection; it is told again. */
  broken(): void {
    this.#rest = ''
  }

  #messageOf(block: string): Message[] {
    const fields = new Map(
      block.split('\n').map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon), line.slice(colon + 1).trimStart()]
      }),
    )
    this.lastId = fields.get('id') ?? this.lastId
    const type = fields.get('event')
    if (type === 'reset' || type === 'events') return [{ type }]
    if (type !== 'event') return []
    const { id, change } = JSON.parse(fields.get('data') ?? '{}')
    return [{ type, id, change }]
  }
}

interface StreamOptions {
  url: string
  headers: Record<string, string>
  signal: AbortSignal
  retryMs: number
}

/** Keeps reading until the signal; gives what came since it was last asked. */
export function readStream({ url, headers, signal, retryMs }: StreamOptions): () => Message[] {
  const text = new StreamText()
  // Nothing is known of what was before.
  const waiting: Message[] = [{ type: 'reset' }]
  const connect = async () => {
    const since: Record<string, string> = text.lastId === null ? {} : { 'last-event-id': text.lastId }
    const response = await fetch(url, { headers: { ...headers, ...since }, signal })
    if (!response.ok || response.body === null) throw new Error(`${url}: HTTP ${response.status}`)
    if (text.lastId === null) waiting.push({ type: 'reset' })
    for await (const part of response.body.pipeThrough(new TextDecoderStream())) waiting.push(...text.push(part))
  }
  const run = async () => {
    while (!signal.aborted) {
      await connect().catch(() => {})
      text.broken()
      if (text.lastId === null) waiting.push({ type: 'reset' })
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
  void run()
  return () => waiting.splice(0)
}
