// Floods of requests as rows: who asks for what, over how many connections. Each goes on for as long as the siege does.
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { emails } from './parties.ts'

export interface Credentials {
  email: string
  token: string
}

interface Asked {
  method: 'GET' | 'POST'
  path: string
  from?: string
  body?: object
}

interface RequestFlood {
  name: string
  connections: number
  /** By each connection; 0: as soon as the answer is there. */
  pauseMs: number
  isSignedIn: boolean
  next: (number: number) => Asked
}

/** Connections that send one request and are then kept open. */
const idleConnections = 2_000
const idleFrom = '127.2.0.1'
const idlePerTurn = 20
const turnMs = 100
const answerMs = 30_000

const reads = [
  '/api/v1/overview',
  '/api/v1/search?q=nothing-has-this',
  '/api/v1/events?q=nothing-has-this',
  '/api/v1/events?limit=500',
  '/open/event/ddos?last=30',
  '/api/v1/events?state=ended&acknowledged=false&limit=500',
]

const floods: readonly RequestFlood[] = [
  {
    name: 'passwords that are guessed, from many addresses',
    connections: 24,
    pauseMs: 500,
    isSignedIn: false,
    next: (i) => ({
      method: 'POST',
      path: '/api/v1/session',
      from: `127.3.${i % 200}.1`,
      body: { email: i % 2 === 0 ? emails.honest : `nobody${i}@example.net`, password: `guess number ${i}` },
    }),
  },
  {
    name: 'a tenant who reads a year of events in circles',
    connections: 10,
    pauseMs: 0,
    isSignedIn: true,
    next: (i) => ({ method: 'GET', path: reads[i % reads.length], from: '127.4.0.1' }),
  },
]

/** Sends all of them; gives how many answers there were of each status, by flood. */
export async function sendRequests(
  { url, reader }: { url: string; reader: Credentials },
  end: AbortSignal,
): Promise<Record<string, Record<string, number>>> {
  const answers: Record<string, Record<string, number>> = {}
  const driven = floods.flatMap((flood) => {
    answers[flood.name] = {}
    let number = 0
    return Array.from({ length: flood.connections }, () =>
      drive({ flood, url, reader, end, counts: answers[flood.name], next: () => flood.next(number++) }),
    )
  })
  await Promise.all([...driven, keepIdle(url, end)])
  return answers
}

interface Drive {
  flood: RequestFlood
  url: string
  reader: Credentials
  end: AbortSignal
  counts: Record<string, number>
  next: () => Asked
}

async function drive({ flood, url, reader, end, counts, next }: Drive): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  while (!end.aborted) {
    const status = await ask(url, { agent, asked: next(), credentials: flood.isSignedIn ? reader : null })
    counts[status] = (counts[status] ?? 0) + 1
    // Whoever is told to wait would only be told again: an attacker comes back soon, all the same.
    const pauseMs = status === '429' ? Math.max(flood.pauseMs, turnMs) : flood.pauseMs
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  agent.destroy()
}

/** The status of the answer, or why there was none. */
function ask(
  url: string,
  { agent, asked, credentials }: { agent: Agent; asked: Asked; credentials: Credentials | null },
): Promise<string> {
  const { method, path, from, body } = asked
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    ...(credentials !== null && {
      'X-SVC-AuthEmail': credentials.email,
      'X-SVC-AuthToken': credentials.token,
    }),
    ...(text !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
  }
  return new Promise((resolve) => {
    const sent = request(
      `${url}${path}`,
      { method, headers, agent, localAddress: from, timeout: answerMs },
      (answer) => {
        answer.resume()
        answer.once('close', () => resolve(String(answer.statusCode)))
      },
    )
    sent.once('timeout', () => sent.destroy(new Error('no answer')))
    sent.once('error', ({ message }) => resolve(message))
    sent.end(text)
  })
}

/** Many connections of one address that do nothing after their first request, opened again when the service closes them. */
async function keepIdle(url: string, end: AbortSignal): Promise<void> {
  const { hostname: host, port } = new URL(url)
  const open = new Set<{ destroy: () => void }>()
  while (!end.aborted) {
    for (let i = 0; i < idlePerTurn && open.size < idleConnections; i++) {
      const socket = connect({ host, port: Number(port), localAddress: idleFrom })
      open.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => open.delete(socket))
      socket.resume()
      socket.write('GET /healthz HTTP/1.1\r\nHost: service\r\n\r\n')
    }
    await new Promise((resolve) => setTimeout(resolve, turnMs))
  }
  for (const socket of open) socket.destroy()
}
