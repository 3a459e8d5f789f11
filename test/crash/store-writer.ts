// A process that changes a store as fast as it can until it is killed. It says on standard output what it is about to do, and what the store
// has acknowledged; both are written before it goes on, so that whoever kills it knows which changes must be there.
import { writeSync } from 'node:fs'
import { systemClock } from '../../src/clock.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { Store } from '../../src/store/store.ts'
import { addEvents, eventOf, updateOf } from '../helpers/events.ts'
import { patiently } from './patiently.ts'

export type Change =
  | { verb: 'add' | 'enable' | 'disable' | 'delete'; hosts: string[] }
  | { verb: 'append'; numbers: number[] }

export type Line = { begin: Change } | { done: true }

function say(line: Line): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}

const verbs = ['add', 'add', 'enable', 'disable', 'delete', 'append', 'append'] as const

/** `first`: the number of the first event; hosts are few, so that changes meet the same ones again. */
function nextChange(first: number): Change {
  const verb = verbs[Math.floor(Math.random() * verbs.length)]
  const size = 1 + Math.floor(Math.random() * 5)
  if (verb === 'append') return { verb, numbers: Array.from({ length: size }, (_, i) => first + i) }
  const hosts = new Set(Array.from({ length: size }, () => `${Math.floor(Math.random() * 40)}.example.com`))
  return { verb, hosts: [...hosts] }
}

async function perform(store: Store, userId: string, change: Change): Promise<unknown> {
  if (change.verb === 'append')
    return addEvents(
      store,
      change.numbers.map((number) => eventOf(userId, number)),
    )
  if (change.verb === 'add') return store.addSites(userId, change.hosts, systemClock.now())
  if (change.verb === 'delete') return store.deleteSites(userId, change.hosts)
  return store.setEnabled(userId, change.hosts, change.verb === 'enable')
}

/** What a service also writes, without promises. */
async function writeAlong(store: Store, userId: string, number: number): Promise<void> {
  await patiently(() => store.record({ updates: [updateOf(eventOf(userId, number))] }))
  await patiently(() => store.appendSeries([{ address: number, minute: number * 60, bytes: 1, packets: 1, flows: 1 }]))
  if (number % 50 === 0) await patiently(() => store.prune({ eventsMs: 0, seriesMs: number * 30_000, bindingsMs: 0 }))
}

async function write(path: string, email: string, firstNumber: number): Promise<void> {
  const store = await patiently(() => openSqliteStore(path, { clock: systemClock }))
  const known = await patiently(() => store.userByEmail(email))
  const user = known ?? (await patiently(() => store.addUser({ email, siteQuota: 1_000, allowed: null })))
  for (let number = firstNumber; ; ) {
    const change = nextChange(number)
    say({ begin: change })
    await patiently(() => perform(store, user.id, change))
    say({ done: true })
    if (change.verb === 'append') number += change.numbers.length
    await writeAlong(store, user.id, number)
  }
}

if (import.meta.main) await write(process.argv[2], process.argv[3], Number(process.argv[4]))
