// `floodgauge event ...`: recorded attacks and new ones as they come, as a client of the HTTP interface.
import { setTimeout } from 'node:timers/promises'
import type { Command } from 'commander'
import { type Client, type DdosEvent, type EventFacts, type EventOverview, factsOf } from '../../../client/index.ts'
import { systemClock } from '../../clock.ts'
import { AppError } from '../../errors.ts'
import { type RemoteOptions, unreachable, withClient, withRemote } from '../remote.ts'
import { parseDuration } from '../text/duration.ts'
import { eventColumns, factsOfOverview, renderReport } from '../text/event.ts'
import { tableHead, tableRow, writeLine } from '../text/output.ts'
import { printable } from '../text/terminal.ts'
import { UsageError } from '../usage.ts'

interface ListOptions extends RemoteOptions {
  tests?: boolean
  last?: string
  start?: string
  end?: string
}

interface FollowOptions extends RemoteOptions {
  every: string
  window: string
}

export function registerEvent(program: Command): void {
  const event = program.command('event').description('Read the DDoS events of a running service')
  withRemote(
    event
      .command('list')
      .description('List events, oldest first, simulated ones marked (without options: of the last 30 days)'),
  )
    .option('--last <DAYS>', 'events of the last days, 1 to 365')
    .option('--start <TIME>', 'events at or after this time: 2026-01-31, "2026-01-31 12:00:00" (UTC), or ISO 8601')
    .option('--end <TIME>', 'events before this time')
    .option('--tests', 'simulated attacks alone, which the lines of --json leave out otherwise')
    .action(listEvents)
  withRemote(event.command('show').description('Show all that is known of one event'))
    .argument('<ID>', 'the id of the event')
    .option('--top <N>', 'rows of each list', '10')
    .action(showEvent)
  withRemote(
    event
      .command('follow')
      .description('Print events as they come, simulated ones marked (not with --json), until interrupted'),
  )
    .option('--every <DURATION>', 'time between two calls', '10s')
    .option('--window <DURATION>', 'how far each call looks back', '10m')
    .action(followEvents)
}

async function listEvents(options: ListOptions): Promise<void> {
  const last = options.last === undefined ? undefined : wholeNumber(options.last, '--last')
  const window = { last, start: options.start, end: options.end }
  await withClient(options, async (client) => {
    if (options.tests) return listTests(await client.findEvents({ ...window, test: true }), options)
    if (options.json) {
      for await (const event of client.eventsBetween(window)) await writeEvent(event, options)
      return
    }
    const tests = await client.findEvents({ ...window, test: true })
    let isFirst = true
    for await (const facts of inOrder(client.eventsBetween(window), tests.map(factsOfTest))) {
      if (isFirst) await writeLine(tableHead(eventColumns))
      isFirst = false
      await writeLine(tableRow(eventColumns, facts))
    }
    if (isFirst) process.stderr.write('no events\n')
  })
}

/** Both are in the order in which they were detected. */
async function* inOrder(events: AsyncIterable<DdosEvent>, tests: EventFacts[]): AsyncIterable<EventFacts> {
  for await (const event of events) {
    const facts = factsOf(event)
    while (tests.length > 0 && tests[0].detectedAt <= facts.detectedAt) yield* tests.splice(0, 1)
    yield facts
  }
  yield* tests
}

function factsOfTest(event: EventOverview): EventFacts {
  return { ...factsOfOverview(event), attack: `test: ${event.attackType ?? 'unknown'}` }
}

async function listTests(events: readonly EventOverview[], { json }: RemoteOptions): Promise<void> {
  if (events.length > 0 && !json) await writeLine(tableHead(eventColumns))
  for (const event of events) await writeLine(json ? JSON.stringify(event) : tableRow(eventColumns, factsOfTest(event)))
  if (events.length === 0 && !json) process.stderr.write('no simulated attacks\n')
}

async function showEvent(id: string, options: RemoteOptions & { top: string }): Promise<void> {
  const top = wholeNumber(options.top, '--top')
  const report = await withClient(options, (client) => client.getEventReport(id))
  if (report === null) throw new AppError('NOT_FOUND', `no event ${printable(id)}`)
  await writeLine(options.json ? JSON.stringify(report) : renderReport(report, top))
}

async function followEvents(options: FollowOptions): Promise<void> {
  const everyMs = parseDuration(options.every)
  const windowMs = parseDuration(options.window)
  if (windowMs <= everyMs) throw new UsageError('--window must be longer than --every')
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  let lastFailure = ''
  const onError = (error: unknown) => {
    const cause = unreachable(error, options.url)
    const failure = printable(cause instanceof Error ? cause.message : String(cause))
    if (failure !== lastFailure) process.stderr.write(`floodgauge: ${failure}; trying again\n`)
    lastFailure = failure
  }
  await withClient(options, async (client) => {
    if (!options.json) await writeLine(tableHead(eventColumns))
    const tests = options.json ? null : followTests(client, { everyMs, windowMs, signal: stop.signal })
    for await (const event of client.pollEvents({ everyMs, windowMs, signal: stop.signal, onError })) {
      lastFailure = ''
      await writeEvent(event, options)
    }
    await tests
  })
}

/** Prints simulated attacks as they come, which `/open` leaves out. What fails is told by who reads the real ones at the same time. */
async function followTests(
  client: Client,
  { everyMs, windowMs, signal }: { everyMs: number; windowMs: number; signal: AbortSignal },
): Promise<void> {
  let known = new Set<string>()
  while (!signal.aborted) {
    const start = new Date(systemClock.now() - windowMs).toISOString()
    const tests = await client.findEvents({ start, test: true }, { signal }).catch(() => null)
    for (const event of tests ?? [])
      if (!known.has(event.id)) await writeLine(tableRow(eventColumns, factsOfTest(event)))
    if (tests !== null) known = new Set(tests.map(({ id }) => id))
    await setTimeout(everyMs, undefined, { signal }).catch(() => {})
  }
}

function writeEvent(event: DdosEvent, { json }: RemoteOptions): Promise<void> {
  return writeLine(json ? JSON.stringify(event) : tableRow(eventColumns, factsOf(event)))
}

function wholeNumber(text: string, option: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${option} takes a whole number from 1 on, not ${text}`)
  return Number(text)
}
