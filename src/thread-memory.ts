// How much memory the heap of a thread may take. Left to itself, V8 lets the young generation of every thread grow to 192 MiB and an old one to four times
// what is in use before it looks for garbage: a service of five threads would hold a gigabyte of what nobody needs.
import type { ResourceLimits } from 'node:worker_threads'

/** Three semi-spaces of 16 MiB, as V8 had them for ten years: the many rows of a collector die young in them. */
const busyYoungMb = 48
/** For threads that do one thing after the other: what they collect at a time is less, and so is the pause. */
const youngMb = 24

/**
 * Limits by what a thread does. V8 collects garbage the sooner the nearer the limit is, and ends a thread that goes beyond it: so each is ten times what
 * the thread had in use when all its tables were full (`test/robustness/siege`). Where there is none its tables follow a setting of the operator:
 * the detector's `detect.targetsMax`. Columns, slots, caches of SQLite and answers on their way are no part of the heap.
 */
export const threadMemory = {
  collector: { maxYoungGenerationSizeMb: busyYoungMb, maxOldGenerationSizeMb: 1_024 },
  detector: { maxYoungGenerationSizeMb: busyYoungMb },
  reader: { maxYoungGenerationSizeMb: youngMb, maxOldGenerationSizeMb: 1_024 },
  /** One that ends when its work is done: a backup, a check. */
  errand: { maxYoungGenerationSizeMb: youngMb, maxOldGenerationSizeMb: 1_024 },
} as const satisfies Record<string, ResourceLimits>
