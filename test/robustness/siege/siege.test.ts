// Under everything at once, an honest user's attacks are all found, reads are answered, and routers that have worked are read on; the service says
// who crowds it. SIEGE_SECONDS makes it longer; `run.ts` beside it prints figures.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { percentile } from '../../../bench/load/http.ts'
import { latenciesOf } from './honest.ts'
import { besiege } from './siege.ts'

const seconds = Number(process.env.SIEGE_SECONDS ?? 20)
const events = Number(process.env.SIEGE_EVENTS ?? 10_000)

test('everything at once blinds nobody', { timeout: (seconds + 400) * 1_000 }, async (t) => {
  const { attacks, reads, unready, uncounted, tables, memory, provenGaveWay, harm } = await besiege({ seconds, events })
  const latenciesMs = latenciesOf(reads.answered)
  const [half, most] = [0.5, 0.99].map((share) => percentile(latenciesMs, share).toFixed(0))
  t.diagnostic(`${attacks.begun} attacks; ${latenciesMs.length} reads, half in ${half} ms, 99 % in ${most} ms`)
  t.diagnostic(`MiB every ten seconds: ${memory.join(' ')}; harm: ${JSON.stringify(harm)}`)
  assert.ok(attacks.begun >= Math.floor(seconds / 10), 'attacks were begun')
  assert.deepEqual(attacks.missed, [], 'attacks that were not listed')
  assert.deepEqual(reads.refused, [], 'reads of the honest user that were refused')
  assert.deepEqual(unready, [], 'times at which the service was not ready')
  assert.deepEqual(uncounted, [], 'routers whose flows were not counted')
  assert.equal(provenGaveWay, 0, 'what had worked lost its place')
  for (const [flood, sent] of Object.entries(harm.datagrams)) assert.ok(sent > seconds, flood)
  const crowded = tables.filter(({ gaveWay }) => gaveWay > 0).map(({ name }) => name)
  for (const name of ['streams', 'templates']) assert.ok(crowded.includes(name), `${name} is crowded`)
})
