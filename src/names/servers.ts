// Which resolvers are asked: those of the settings, or those of the system.
import { getServers } from 'node:dns'
import { isIP } from 'node:net'

export interface Server {
  address: string
  port: number
  family: 4 | 6
}

const serversMax = 8

/** `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`; null when the text is none of these. */
export function parseServer(text: string): Server | null {
  const parts = isIP(text) === 0 ? /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(text) : null
  const address = parts === null ? text : parts[1]
  const port = parts === null ? 53 : Number(parts[2])
  const family = isIP(address)
  if ((family !== 4 && family !== 6) || port < 1 || port > 65_535) return null
  return { address, port, family }
}

export function formatServer(server: Server): string {
  return server.family === 6 ? `[${server.address}]:${server.port}` : `${server.address}:${server.port}`
}

export function systemServers(): Server[] {
  return getServers()
    .map(parseServer)
    .filter((server) => server !== null)
    .slice(0, serversMax)
}
