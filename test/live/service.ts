// The service under test, as an operator runs it: a process started by the command line, talked to over HTTP with a token made by it.
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '../../client/index.ts'
import { type Lab, said } from './lab.ts'

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const readyMs = 15_000

/** Runs a command of `floodgauge` to its end; gives what it wrote to standard output. */
export function floodgauge(...args: string[]): string {
  return execFileSync(process.execPath, [main, ...args], { encoding: 'utf8', maxBuffer: 1 << 28, timeout: 120_000 })
}

async function freeTcpPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

export interface Service {
  url: string
  client: Client
}

export async function startService(
  lab: Lab,
  dataFolder: string,
  listen: { netflow: number; ipfix: number; sflow: number },
): Promise<Service> {
  const url = `http://127.0.0.1:${await freeTcpPort()}`
  const ports = Object.entries(listen).flatMap(([protocol, port]) => [`--${protocol}`, `127.0.0.1:${port}`])
  const running = lab.start(process.execPath, [main, 'serve', '--data', dataFolder, '--http', url.slice(7), ...ports])
  const end = Date.now() + readyMs
  for (;;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.status === 200) break
    if (Date.now() > end || running.child.exitCode !== null)
      throw new Error(`the service is not ready: ${said(running)}`)
    await sleep(100)
  }
  const email = 'lab@example.net'
  floodgauge('user', 'add', email, '--data', dataFolder)
  const made = floodgauge('token', 'create', email, '--data', dataFolder, '--scope', 'read,write')
  const token = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(made)?.[0]
  if (token === undefined) throw new Error(`no token in: ${made}`)
  return { url, client: createClient({ baseUrl: url, email, token }) }
}
