// Lets some threads go first when there are too few processors for all. Linux has a nice value for each thread; raising it takes no privilege.
import { constants, getPriority, setPriority } from 'node:os'

/** Nice values of threads that can wait: threads of the usual priority get three times as much of a processor, and ten times as much. */
const niceness = { afterCollectors: 5, afterAll: 10 } as const

/**
 * Lowers the priority of this thread, whose work can wait a while: what a collector does not read in time is lost. On other systems than Linux it would
 * slow the whole process, so nothing is done there.
 */
export function letCollectorsGoFirst(): void {
  lowerBy(niceness.afterCollectors)
}

/** Likewise of a thread that whoever comes may have work as hard as it can: it takes what no other thread of the service wants. */
export function letAllGoFirst(): void {
  lowerBy(niceness.afterAll)
}

function lowerBy(nice: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Math.min(getPriority() + nice, constants.priority.PRIORITY_LOW))
  } catch {
    // A sandbox may forbid the call: then all threads have the same priority.
  }
}
