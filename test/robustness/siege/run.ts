// The siege at length, with figures. Run: node test/robustness/siege/run.ts [--seconds 600] [--events 300000]
import { percentile } from '../../../bench/load/http.ts'
import { readOptions } from '../../../scripts/options.ts'
import { latenciesOf } from './honest.ts'
import { besiege } from './siege.ts'

const options = readOptions('node test/robustness/siege/run.ts [--seconds 600] [--events 300000]', {
  seconds: { type: 'string', default: '600' },
  events: { type: 'string', default: '300000' },
})

const { attacks, reads, unready, uncounted, tables, memory, grown, provenGaveWay, harm } = await besiege({
  seconds: Number(options.seconds),
  events: Number(options.events),
})

const shares = (values: readonly number[]) =>
  [0.5, 0.95, 0.99, 1].map((share) => percentile(values, share).toFixed(0)).join('/')
const latenciesMs = latenciesOf(reads.answered)
const byPath = [...Map.groupBy(reads.answered, ({ path }) => path)]
const byMinute = [...Map.groupBy(reads.answered, ({ atMs }) => Math.floor(atMs / 60_000))]
const lines = [
  `attacks: ${attacks.begun} begun, ${attacks.delaysMs.length} listed, after ms (50/95/99/100 %) ${shares(attacks.delaysMs)}`,
  `not listed: ${attacks.missed.join(', ') || 'none'}`,
  `reads: ${latenciesMs.length}, ms (50/95/99/100 %) ${shares(latenciesMs)}; refused ${reads.refused.length} ${[...new Set(reads.refused)].join(', ')}`,
  ...byPath.map(([path, each]) => `  ${path}: ${shares(latenciesOf(each))}`),
  `  minute by minute, 99 %: ${byMinute.map(([, each]) => percentile(latenciesOf(each), 0.99).toFixed(0)).join(' ')}`,
  `not ready: ${unready.length} times ${[...new Set(unready)].join(' | ')}`,
  `routers whose flows were not all counted: ${uncounted.join(', ') || 'none'}; proven entries that gave way: ${provenGaveWay}`,
  `memory, MiB: ${memory.join(' ')}; the store grew by ${grown.toFixed(1)} MiB`,
  ...tables
    .filter(({ gaveWay }) => gaveWay > 0)
    .map(
      ({ name, used, max, gaveWay, crowdedBy, holds }) =>
        `table ${name}: ${used} of ${max}, ${gaveWay} gave way; crowded by ${crowdedBy}, who holds ${holds}`,
    ),
  `sent by attackers: ${JSON.stringify(harm)}`,
]
for (const line of lines) console.log(line)
