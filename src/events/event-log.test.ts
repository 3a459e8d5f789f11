import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { pino } from 'pino'
import { reportOf, reportStartMs } from '../../test/helpers/reports.ts'
import { ManualClock } from '../clock.ts'
import type { IncidentReport } from '../detect/incidents/incident-report.ts'
import { EventLog } from './event-log.ts'

let clock: ManualClock
let lines: string[]
let log: EventLog

beforeEach(() => {
  clock = new ManualClock(reportStartMs)
  lines = []
  log = new EventLog({ clock, log: pino({ level: 'info', base: null }, { write: (line) => lines.push(line) }) })
})

const { incident, address } = reportOf()
const event = { id: 'e1', incident, site: 'www.example.com', address, isTest: false, endMs: null }
const said = () => lines.map((line): Record<string, unknown> => JSON.parse(line))
const messages = () => said().map(({ msg }) => msg)
const of = (phase: 'updated' | 'ended' | 'closed'): IncidentReport =>
  reportOf({ phase, endMs: reportStartMs + 90_000, packetsPerSecond: 1_234.4, bytesPerSecond: 1_000 })

test('an event has a line when it begins, ends, returns, and is closed, and no other', () => {
  log.take([event], [reportOf()])
  for (const phase of [
    'updated',
    'updated',
    'ended',
    'ended',
    'updated',
    'updated',
    'ended',
    'closed',
    'closed',
  ] as const)
    log.take([], [of(phase)])
  assert.deepEqual(
    messages(),
    ['began', 'ended', 'returned', 'ended', 'closed'].map((change) => `event ${change}`),
  )
  const { level, time, ...ended } = said()[1]
  assert.deepEqual(ended, {
    event: 'e1',
    site: 'www.example.com',
    address: '10.0.0.1',
    attackType: reportOf().label,
    packetsPerSecond: 1_234,
    bitsPerSecond: 8_000,
    peakPacketsPerSecond: Math.round(reportOf().peak.packetsPerSecond),
    seconds: 90,
    msg: 'event ended',
  })
})

test('each owner has lines, tests are marked, and an incident that is nobody’s has none', () => {
  log.take([event, { ...event, id: 'e2', isTest: true }], [reportOf(), { ...reportOf(), incident: 'other' }])
  log.take([], [of('ended'), { ...of('ended'), incident: 'other' }])
  assert.deepEqual(
    said().map((line) => [line.event, line.isTest, line.msg]),
    [
      ['e1', undefined, 'event began'],
      ['e2', true, 'event of a simulated attack began'],
      ['e1', undefined, 'event ended'],
      ['e2', true, 'event of a simulated attack ended'],
    ],
  )
})

test('an event that is made when its attack is over has both lines', () => {
  log.take([event], [of('closed')])
  assert.deepEqual(messages(), ['event began', 'event ended', 'event closed'])
})

test('after a restart what was said is not said again', () => {
  log.resume([event, { ...event, incident: 'over', id: 'e2', endMs: reportStartMs }])
  log.take([], [of('updated'), { ...of('ended'), incident: 'over' }])
  assert.deepEqual(messages(), [])
  log.take([], [{ ...of('updated'), incident: 'over' }])
  assert.deepEqual(
    said().map((line) => [line.event, line.msg]),
    [['e2', 'event returned']],
  )
})

test('a flood of events is held back, and counted a minute later', () => {
  const flood = (from: number) => {
    for (let i = from; i < from + 1_500; i++)
      log.take([{ ...event, incident: `${i}` }], [{ ...reportOf(), incident: `${i}` }])
  }
  flood(0)
  assert.equal(lines.length, 1_000)
  clock.advance(60_000)
  flood(2_000)
  assert.equal(lines.length, 2_001)
  assert.deepEqual([said()[1_000].heldBack, said()[1_000].msg], [500, 'more events than lines for them'])
})

test('what a site is called cannot break the line', () => {
  log.take([{ ...event, site: 'a\n{"level":60}\u001b[2J' }], [reportOf()])
  assert.equal(lines.length, 1)
  assert.equal(lines[0].trimEnd().split('\n').length, 1)
  assert.ok(!lines[0].includes('\u001b'))
})
