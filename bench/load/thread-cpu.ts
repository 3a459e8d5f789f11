// What each thread of a process has cost, by the thread's name, as Linux tells it (proc(5)).
import { readdirSync, readFileSync } from 'node:fs'

/** Seconds of CPU since the start, to the nanosecond; empty where the kernel does not say. */
export function threadCpu(pid: number): Map<string, number> {
  const seconds = new Map<string, number>()
  for (const thread of threadsOf(pid)) {
    const read = (file: string) => readFileSync(`/proc/${pid}/task/${thread}/${file}`, 'utf8').trim()
    const name = read('comm')
    // Documentation/scheduler/sched-stats.rst: time on the processor, nanoseconds, comes first.
    const [nanoseconds] = read('schedstat').split(' ')
    seconds.set(name, (seconds.get(name) ?? 0) + Number(nanoseconds) / 1e9)
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
