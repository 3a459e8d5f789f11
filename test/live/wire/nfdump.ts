// nfdump's view of the same export: what a statistic list must agree with.
import { execFileSync } from 'node:child_process'
import { parseIpv4 } from '../../../src/net/ipv4.ts'
import { findProgram } from '../requirements.ts'

export interface Count {
  flows: number
  packets: number
  bytes: number
}

/** Counts by item, as the interface numbers items. */
export type TopList = Map<number, Count>

/** Columns of `-o csv`, by name; stops at the first line that is not a row (a blank line, the summary). */
function rows(folder: string, args: readonly string[]): Record<string, string>[] {
  const text = execFileSync(findProgram('nfdump'), ['-R', folder, '-o', 'csv', ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const [header = '', ...lines] = text.split('\n')
  const names = header.split(',')
  const end = lines.findIndex((line) => !/^\d{4}-/.test(line))
  return lines.slice(0, end === -1 ? undefined : end).map((line) => {
    const values = line.split(',')
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
  })
}

export type Dimension = 'srcip' | 'dstport' | 'srcport' | 'proto' | 'flags'

/** The whole list that nfdump makes of one field, of the traffic to one address. */
export function topList(folder: string, dimension: Dimension, victim: string): TopList {
  if (dimension === 'flags') return flagList(folder, victim)
  return new Map(
    rows(folder, ['-s', `${dimension}/flows`, '-n', '0', `dst ip ${victim}`]).map(({ val = '', fl, ipkt, ibyt }) => [
      dimension === 'srcip' ? (parseIpv4(val) ?? Number.NaN) : Number(val),
      { flows: Number(fl), packets: Number(ipkt), bytes: Number(ibyt) },
    ]),
  )
}

/** All that nfdump has of what a filter lets through. */
export function totals(folder: string, filter: string, more: readonly string[] = []): Count {
  const sum: Count = { flows: 0, packets: 0, bytes: 0 }
  for (const { fl, ipkt, ibyt } of rows(folder, [...more, '-s', 'proto/flows', '-n', '0', filter])) {
    sum.flows += Number(fl)
    sum.packets += Number(ipkt)
    sum.bytes += Number(ibyt)
  }
  return sum
}

/** nfdump writes TCP flags as letters, most significant bit first, dots for those not set. */
const flagsOf = (letters: string) => [...letters].reduce((value, letter) => value * 2 + (letter === '.' ? 0 : 1), 0)

/** nfdump has no statistic by TCP flags: they are counted here, from its list of records. */
function flagList(folder: string, victim: string): TopList {
  const list: TopList = new Map()
  for (const { flg = '', ipkt, ibyt } of rows(folder, [`dst ip ${victim}`])) {
    const count = list.get(flagsOf(flg)) ?? { flows: 0, packets: 0, bytes: 0 }
    list.set(flagsOf(flg), {
      flows: count.flows + 1,
      packets: count.packets + Number(ipkt),
      bytes: count.bytes + Number(ibyt),
    })
  }
  return list
}
