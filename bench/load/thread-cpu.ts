// What each thread of a process has cost, by the thread's name, as Linux tells it (proc(5)).
import { readdirSync, readFileSync } from 'node:fs'

/** `getconf CLK_TCK`, the same on every Linux that Node.js runs on. */
const ticksPerSecond = 100

/** Seconds of CPU since the start; empty where the kernel does not say. */
export function threadCpu(pid: number): Map<string, number> {
  const seconds = new Map<string, number>()
  for (const thread of threadsOf(pid)) {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
    // The name stands in parentheses and may contain anything; user and system time are the 12th and 13th field after it.
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    seconds.set(name, (seconds.get(name) ?? 0) + ticks / ticksPerSecond)
  }
  return seconds
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}
