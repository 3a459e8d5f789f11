// Whatever a request has looked up by the threads that read the store takes the turn of the caller.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestApi, noSiteWatch, startMs } from '../../../test/helpers/api.ts'
import { Database } from '../../store/sqlite/database.ts'
import { openSqliteStore } from '../../store/sqlite/index.ts'
import { createReading } from '../../store/sqlite/reads/verbs.ts'

const address = 0xc0000201
const led = { address, names: [], sinceMs: null, confirmedMs: null, sharedWith: [], domains: 0, domainsOfOthers: 0 }

test('sums and last minutes of traffic take the turn of the caller', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'turns-'))
  const file = join(folder, 'test.db')
  const asked: { userId: string; verb: string }[] = []
  let reading: Record<string, (...args: never[]) => Promise<unknown>> = {}
  let database: Database | undefined
  const api = await createTestApi({
    openStore: async (clock) => {
      const run = async (userId: string, verb: string, args: readonly unknown[]) => {
        asked.push({ userId, verb })
        return reading[verb](...(args as never[]))
      }
      const store = await openSqliteStore(file, { clock, readers: { run } })
      database = new Database(file, { isReadOnly: true })
      reading = { ...createReading(database) }
      return store
    },
    siteWatch: { ...noSiteWatch, addressesOf: () => ({ addresses: [{ ...led, isOwn: true }], omitted: 0 }) },
  })
  t.after(async () => {
    database?.close()
    await api.close()
    rmSync(folder, { recursive: true })
  })
  const { user, headers } = await api.addCaller('ann@example.net')
  await api.store.addSites(user.id, ['192.0.2.1'], startMs - 1)

  const paths = { sites: 'lastTraffic', 'sites/192.0.2.1': 'lastTraffic', 'traffic?by=site': 'sumSeries' }
  for (const [path, verb] of Object.entries({ ...paths, overview: 'sumSeries' })) {
    asked.length = 0
    const { statusCode, body } = await api.server.inject({ url: `/api/v1/${path}`, headers })
    assert.equal(statusCode, 200, body)
    assert.ok(
      asked.some((each) => each.verb === verb),
      `${path} asks ${verb}`,
    )
    assert.deepEqual(
      asked.filter(({ userId }) => userId !== user.id),
      [],
      path,
    )
  }
})
