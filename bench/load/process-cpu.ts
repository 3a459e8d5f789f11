// What a process and those that it started have cost, as Linux tells it (proc(5)).
import { readdirSync, readFileSync } from 'node:fs'

/** `getconf CLK_TCK`, the same on every Linux that Node.js runs on. */
const ticksPerSecond = 100

interface Stat {
  parent: number
  ticks: number
}

/** The name stands in parentheses and may contain anything: what follows it counts. */
function statOf(pid: number): Stat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
  } catch {
    return null
  }
}

/** User and system time since its start, of all threads and of its children that run, in seconds. */
export function processCpu(pid: number): number {
  const stats = new Map<number, Stat>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null
    if (stat !== null) stats.set(Number(name), stat)
  }
  let ticks = 0
  const family = [pid]
  for (const member of family) {
    ticks += stats.get(member)?.ticks ?? 0
    for (const [other, { parent }] of stats) if (parent === member) family.push(other)
  }
  return ticks / ticksPerSecond
}
