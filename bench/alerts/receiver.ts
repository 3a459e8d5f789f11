// A receiver of webhooks that notes when the first octet of each connection comes.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

export interface Arrival {
  atMs: number
  text: string
}

/** `answers`: else it hangs. Times are by `performance.now()`. */
export async function startReceiver(answers: boolean) {
  const arrivals: Arrival[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const arrival = { atMs: 0, text: '' }
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (part) => {
      if (arrival.atMs === 0) {
        arrival.atMs = performance.now()
        arrivals.push(arrival)
      }
      arrival.text += part.toString()
      if (answers && arrival.text.endsWith('}')) socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  const stop = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/hook`, arrivals, stop }
}

/** Seconds at some places of a distribution. */
export function spread(ms: readonly number[]): string {
  if (ms.length === 0) return 'none'
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number) =>
    `${(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] / 1_000).toFixed(3)} s`
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)}`
}
