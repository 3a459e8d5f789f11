// What a store keeps of the installation's own conditions: those that go on, or whose end somebody still has to be told, and when the service lived last.
import type { Condition } from './condition.ts'

export interface ConditionStore {
  /** The earliest first. */
  conditions(): Promise<Condition[]>
  /** In place of all that there were. */
  saveConditions(conditions: readonly Condition[]): Promise<void>
  /** Null: the service never lived with this store. */
  lastSignOfLife(): Promise<number | null>
  signOfLife(atMs: number): Promise<void>
  /** Channels that have failed since before then, or have given up messages since the other time, and have not worked since. */
  failingChannels(since: { failingBeforeMs: number; deadAfterMs: number }): Promise<FailingChannel[]>
}

export interface FailingChannel {
  id: string
  userId: string
  name: string
  email: string
  sinceMs: number
  /** What came of its last attempt, in our own words. */
  text: string
}
