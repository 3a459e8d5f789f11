// Damage of the database file at random places: the service does not start, or is not ready, or works with every site watched. It is never ready while it
// watches less than what there is.
import assert from 'node:assert/strict'
import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../../src/clock.ts'
import { storeFileOf } from '../../../src/store/data-directory.ts'
import { openSqliteStore } from '../../../src/store/sqlite/index.ts'
import { metricSum, metricsOf } from '../../helpers/metrics.ts'
import { createRandom } from '../../helpers/random.ts'
import { startService } from '../../helpers/service.ts'

/** How many places are tried; `.ci/run` tries more. */
const places = Number(process.env.DAMAGE_PLACES ?? 4)
const sites = 2_000
const pageBytes = 4_096

let folder: string
let whole: string

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'floodgauge-damage-'))
  whole = join(folder, 'whole.db')
  const store = await openSqliteStore(whole, { clock: systemClock })
  const { id } = await store.addUser({ email: 'ann@example.net', siteQuota: sites, allowed: null })
  const hosts = Array.from({ length: sites }, (_, i) => `192.0.${2 + (i >> 8)}.${i & 255}`)
  for (let i = 0; i < sites; i += 1_000) await store.addSites(id, hosts.slice(i, i + 1_000), 1)
  await store.close()
})
after(() => rmSync(folder, { recursive: true, force: true }))

/** Writes zeros over a page, or noise over some octets of one. */
function damage(file: string, random: (below: number) => number): string {
  const pages = Math.floor(statSync(file).size / pageBytes)
  // The first page says that this is a database at all: without it the service ends with a clear error in any case.
  const page = 1 + random(pages - 1)
  const isZeros = random(2) === 0
  const [at, octets] = isZeros
    ? [page * pageBytes, Buffer.alloc(pageBytes)]
    : [page * pageBytes + random(pageBytes - 32), Buffer.from(Array.from({ length: 32 }, () => random(256)))]
  const handle = openSync(file, 'r+')
  writeSync(handle, octets, 0, octets.length, at)
  closeSync(handle)
  return `${isZeros ? 'zeros' : 'noise'} at ${at}`
}

/** What became of the service: the number of addresses that it watches when it is ready, or why it is not. */
async function outcomeOf(
  dataFolder: string,
  within: { readyMs?: number },
): Promise<{ watched: number } | { refused: string }> {
  try {
    const service = await startService(undefined, { dataFolder, ...within })
    try {
      // The collectors report once a second.
      const count = async () => metricSum(await metricsOf(service.url), 'floodgauge_watched_addresses')
      for (let tries = 0; tries < 30 && (await count()) < sites; tries++) await delay(100)
      return { watched: await count() }
    } finally {
      await service.stop()
    }
  } catch (error) {
    return { refused: String(error) }
  }
}

it(`${places} damaged stores: none is served as if it were whole`, { timeout: 60_000 + places * 30_000 }, async (t) => {
  const random = createRandom(Number(process.env.DAMAGE_SEED ?? 7))
  const counts = { refused: 0, harmless: 0 }
  let within: { readyMs?: number } = {}
  // The first is not damaged, and has to be served. The others have three times as long as it took, start to end.
  for (let i = 0; i <= places; i++) {
    const dataFolder = join(folder, `data-${i}`)
    const file = storeFileOf(dataFolder)
    const store = await openSqliteStore(file, { clock: systemClock })
    await store.close()
    copyFileSync(whole, file)
    const where = i === 0 ? 'nowhere' : damage(file, random)
    const beganMs = performance.now()
    const outcome = await outcomeOf(dataFolder, within)
    if (i === 0) within = { readyMs: 3 * (performance.now() - beganMs) }
    if ('refused' in outcome) counts.refused++
    else {
      assert.equal(outcome.watched, sites, `${where}: it is ready, and watches less`)
      counts.harmless++
    }
    if (i === 0) assert.ok('watched' in outcome, 'a store that is whole is served')
    rmSync(dataFolder, { recursive: true })
  }
  t.diagnostic(`${counts.refused} were refused or not ready, ${counts.harmless} had no harm`)
})
