// Reads how many datagrams the kernel dropped because a socket's buffer was full: nothing else tells.
import { readFileSync } from 'node:fs'

const tables = ['/proc/net/udp', '/proc/net/udp6']

/** Sums the drops of all sockets bound to the ports, since they were bound; 0 where the kernel does not report them (only Linux does). */
export function kernelDrops(ports: readonly number[]): number {
  return tables.map((path) => dropsIn(contents(path), ports)).reduce((sum, drops) => sum + drops, 0)
}

/**
 * Reads the table of proc(5). In each line after the head the second field is the local address as hex ADDRESS:PORT, and the last one the drops.
 */
export function dropsIn(table: string, ports: readonly number[]): number {
  let drops = 0
  for (const line of table.split('\n').slice(1)) {
    const fields = line.trim().split(/\s+/)
    const port = Number.parseInt(fields[1]?.split(':')[1] ?? '', 16)
    if (ports.includes(port)) drops += Number(fields.at(-1)) || 0
  }
  return drops
}

function contents(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
