// Traffic series: a row for each target and minute.
import { setImmediate } from 'node:timers/promises'
import type { StepSum } from '../store.ts'
import type { Traffic } from '../traffic.ts'
import { inChunks } from './chunks.ts'
import type { Database } from './database.ts'
import { number, type Row } from './rows.ts'

/** How many rows are added up in some ten milliseconds. */
const rowsAtOnce = 36_000
/** Likewise, when each had traffic last. */
const addressesAtOnce = 4_096
const unknown = { bytes: 0, packets: 0, flows: 0 }

const addPointSql = `
  INSERT INTO traffic (address, minute, bytes, packets, flows, max_bytes, max_packets, max_flows)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (address, minute) DO UPDATE
  SET bytes = bytes + excluded.bytes, packets = packets + excluded.packets, flows = flows + excluded.flows,
    max_bytes = max(max_bytes, excluded.max_bytes), max_packets = max(max_packets, excluded.max_packets),
    max_flows = max(max_flows, excluded.max_flows)`

// All addresses together by minute, with the busiest second of the one that has the most beyond its mean, and these by step.
const ofMinutes = ['bytes', 'packets', 'flows'].map((name) => {
  return `sum(${name}) AS ${name}, sum(${name}) / 60 + max(max(max_${name} - ${name} / 60, 0)) AS busiest_${name}`
})
const ofSteps = ['bytes', 'packets', 'flows'].map((name) => {
  const extremes = `min(${name}) AS least_${name}, max(${name}) AS most_${name}, max(busiest_${name}) AS busiest_${name}`
  return `sum(${name}) AS ${name}, ${extremes}`
})
const selectSumsSql = `
  SELECT CAST(?4 AS INTEGER) - ((CAST(?4 AS INTEGER) - 60 - minute) / CAST(?5 AS INTEGER) + 1) * CAST(?5 AS INTEGER) AS step,
    count(*) AS minutes, ${ofSteps.join(', ')}
  FROM (
    SELECT minute, ${ofMinutes.join(', ')}
    FROM json_each(?1) AS target CROSS JOIN traffic
      ON address = target.value ->> 0 AND minute >= max(target.value ->> 1, ?2) AND minute < ?3
    GROUP BY minute
  ) GROUP BY step`

const selectLastSql = `
  SELECT minute FROM traffic WHERE address = ? AND minute >= ? AND flows > 0 ORDER BY minute DESC LIMIT 1`

export function createTraffic(database: Database): Traffic {
  const addPoint = database.prepare(addPointSql)
  const selectSums = database.prepare(selectSumsSql)
  const selectLast = database.prepare(selectLastSql)

  return {
    async appendSeries(points) {
      await inChunks(points, (chunk) =>
        database.write(
          () => {
            for (const { address, minute, bytes, packets, flows, busiest = unknown } of chunk)
              addPoint.run(address, minute, bytes, packets, flows, busiest.bytes, busiest.packets, busiest.flows)
          },
          { durable: false },
        ),
      )
    },

    async sumSeries(_userId, targets, { fromMinute, toMinute, stepSeconds }, isWanted = () => true) {
      const sums = new Map<number, StepSum>()
      if (targets.length === 0) return []
      const wanted = JSON.stringify(targets.map((target) => [target.address, target.fromMinute]))
      const seconds = Math.max(1, Math.floor(rowsAtOnce / targets.length)) * 60
      for (let from = fromMinute; from < toMinute && isWanted(); from += seconds) {
        if (from > fromMinute) await setImmediate()
        const to = Math.min(from + seconds, toMinute)
        const rows = database.read(() => selectSums.all(wanted, from, to, toMinute, stepSeconds))
        for (const sum of rows.map(sumFrom)) sums.set(sum.minute, together(sums.get(sum.minute), sum))
      }
      return [...sums.values()]
    },

    async lastTraffic(_userId, addresses, fromMinute) {
      const last = new Map<number, number>()
      for (let from = 0; from < addresses.length; from += addressesAtOnce) {
        if (from > 0) await setImmediate()
        database.read(() => {
          for (const address of addresses.slice(from, from + addressesAtOnce)) {
            const row = selectLast.get(address, fromMinute)
            if (row !== undefined) last.set(address, number(row, 'minute'))
          }
        })
      }
      return last
    },
  }
}

type Amounts = Pick<StepSum, 'bytes' | 'packets' | 'flows'>

function amountsFrom(row: Row, prefix = ''): Amounts {
  const of = (name: string) => number(row, prefix + name)
  return { bytes: of('bytes'), packets: of('packets'), flows: of('flows') }
}

function sumFrom(row: Row): StepSum {
  return {
    minute: number(row, 'step'),
    minutes: number(row, 'minutes'),
    ...amountsFrom(row),
    least: amountsFrom(row, 'least_'),
    most: amountsFrom(row, 'most_'),
    busiest: amountsFrom(row, 'busiest_'),
  }
}

/** Two parts of the minutes of a step. */
function together(a: StepSum | undefined, b: StepSum): StepSum {
  if (a === undefined) return b
  return {
    minute: a.minute,
    minutes: a.minutes + b.minutes,
    ...each(a, b, (x, y) => x + y),
    least: each(a.least, b.least, Math.min),
    most: each(a.most, b.most, Math.max),
    busiest: each(a.busiest, b.busiest, Math.max),
  }
}

function each(a: Amounts, b: Amounts, of: (x: number, y: number) => number): Amounts {
  return { bytes: of(a.bytes, b.bytes), packets: of(a.packets, b.packets), flows: of(a.flows, b.flows) }
}
