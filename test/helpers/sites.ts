// Sites as the store gives them, made from the texts of their hosts.
import { type HostRecord, readHostRecord } from '../../src/access/host-record.ts'

export interface TestSite {
  userId: string
  host: string
  record: HostRecord | null
  createdMs: number
  watchedMs: number
}

export function siteOf(userId: string, host: string, createdMs = 0): TestSite {
  return { userId, host, record: readHostRecord(host), createdMs, watchedMs: createdMs }
}
