// Runs the hooks of the configuration: a few at a time of each, within its time, with what it said in the log.
import type { Logger } from '../../log.ts'
import { type Message, type SendResult, unsent } from '../channels/kind.ts'
import { cleanText } from '../messages/clean.ts'
import { factLines, textOf } from '../messages/text.ts'
import type { Hook } from '../settings.ts'
import { HookBook } from './book.ts'
import { actionOf, argumentsOf, descriptionOf, type Victim, victimsOf } from './fastnetmon.ts'
import { type Ran, runProgram } from './run.ts'

/** Programs of one hook: one that hangs holds up no other, which may be what blocks an attack. */
const atOnceMax = 4
const standard = { timeoutSeconds: 30, victimsMax: 16 } as const
/** EX_TEMPFAIL of sysexits.h: another attempt may work. */
const tryAgain = 75

interface Given {
  publicUrl: string
  channelId: string
  /** What programs get as JSON. */
  json: string
  signal: AbortSignal
}

interface OfEvent extends Pick<Given, 'channelId' | 'signal'> {
  eventId: string
}

export class HookRunner {
  readonly #hooks: ReadonlyMap<string, Hook>
  readonly #book: HookBook
  readonly #directory: string
  readonly #log: Logger
  /** How many of each hook run, and what waits for one of them to end. */
  readonly #places: ReadonlyMap<string, { running: number; waiting: (() => void)[] }>
  /** What is under way about an event on a channel, by key: it is begun and ended one after the other. */
  readonly #turns = new Map<string, Promise<SendResult>>()

  constructor(hooks: readonly Hook[], { directory, log }: { directory: string; log: Logger }) {
    this.#hooks = new Map(hooks.map((hook) => [hook.name, hook]))
    this.#places = new Map(hooks.map(({ name }) => [name, { running: 0, waiting: [] }]))
    this.#book = new HookBook(directory)
    this.#directory = directory
    this.#log = log
  }

  has(name: string): boolean {
    return this.#hooks.has(name)
  }

  async run(name: string, message: Message, given: Given): Promise<SendResult> {
    const hook = this.#hooks.get(name)
    if (hook === undefined) return unsent('settings', `there is no hook ${name}`)
    if (hook.format === 'fastnetmon') return this.#actOn(hook, message, given)
    const text = textOf(message, {}, given.publicUrl)
    const input = hook.format === 'text' ? `${[text.title, ...factLines(text)].join('\n')}\n` : given.json
    const places: Record<string, string> = {
      ...{ '{title}': text.title, '{text}': factLines(text).join('\n'), '{link}': text.link?.url ?? '' },
      ...{ '{type}': message.type, '{id}': message.id, '{event}': message.report.id },
      ...{ '{severity}': message.facts.severity, '{address}': message.report.address },
      '{site}': cleanText(message.report.site, 300),
    }
    const command = hook.command.map((argument) => places[argument] ?? argument)
    return resultOf([await this.#start(hook, { command, input, signal: given.signal })])
  }

  /** Each victim once. What was begun for some of them is not begun again for these when the others are tried again, and all of it is ended. */
  async #actOn(hook: Hook, message: Message, given: Given): Promise<SendResult> {
    if (message.own !== undefined) return { outcome: 'done', pauseMs: null, text: 'there is nothing to act on' }
    const action = actionOf(message)
    const { id: eventId, average } = message.report
    if (action === 'unban') return this.#release(hook, { ...given, eventId }, average)
    const of = { ...given, eventId }
    const call = (victim: Victim) =>
      this.#start(hook, {
        command: [...hook.command, ...argumentsOf(victim, action)],
        input: descriptionOf(message, victim),
        signal: given.signal,
      })
    const victims = victimsOf(message.report, hook.victimsMax ?? standard.victimsMax)
    if (action === 'attack_details') return resultOf(await Promise.all(victims.map(call)))
    return this.#inTurn(keyOf(hook, of), () => this.#begin({ hook, of }, victims, call))
  }

  async #begin(
    { hook, of }: { hook: Hook; of: OfEvent },
    victims: readonly Victim[],
    call: (victim: Victim) => Promise<Ran>,
  ): Promise<SendResult> {
    const key = keyOf(hook, of)
    const progress = await this.#progressOf(hook, of)
    const left = victims.filter(({ address }) => progress.get(address) !== 'done')
    for (const { address } of left) progress.set(address, 'begun')
    await this.#book.write(key, progress)
    return this.#each(left, call, {
      settle: ({ address }) => progress.set(address, 'done'),
      save: () => this.#book.write(key, progress),
    })
  }

  /** Ends whatever was begun of the event, of which nothing more is known. */
  async release(name: string, of: OfEvent): Promise<SendResult> {
    const hook = this.#hooks.get(name)
    if (hook?.format === 'fastnetmon') return this.#release(hook, of, { packetsPerSecond: 0, bytesPerSecond: 0 })
    const isBegun = (await this.#progressOf({ name }, of)).size > 0
    if (hook !== undefined || !isBegun) return { outcome: 'done', pauseMs: null, text: 'there is nothing to end' }
    const what = { hook: name, event: of.eventId }
    this.#log.warn(what, 'what a hook began goes on: the configuration has no hook of its name to end it; trying again')
    return unsent('settings', `there is no hook ${name}`)
  }

  #release(hook: Hook, of: OfEvent, rates: Omit<Victim, 'address'>): Promise<SendResult> {
    return this.#inTurn(keyOf(hook, of), () => this.#endAll(hook, of, rates))
  }

  /** What a hook began is ended by that hook, whichever the channel runs by then. Earlier versions had one name for all hooks. */
  async #progressOf(hook: Pick<Hook, 'name'>, of: OfEvent): Promise<Map<string, 'begun' | 'done'>> {
    return (await this.#book.read(keyOf(hook, of))) ?? (await this.#book.read(earlierKeyOf(of))) ?? new Map()
  }

  /** What is begun meanwhile would be left out of the book, and never ended. */
  async #inTurn(key: string, work: () => Promise<SendResult>): Promise<SendResult> {
    const before = this.#turns.get(key)?.catch(() => {}) ?? Promise.resolve()
    const turn = before.then(work)
    this.#turns.set(key, turn)
    try {
      return await turn
    } finally {
      if (this.#turns.get(key) === turn) this.#turns.delete(key)
    }
  }

  async #endAll(hook: Hook, of: OfEvent, rates: Omit<Victim, 'address'>): Promise<SendResult> {
    const { packetsPerSecond, bytesPerSecond } = rates
    const progress = await this.#progressOf(hook, of)
    const begun = [...progress.keys()].map((address) => ({ address, packetsPerSecond, bytesPerSecond }))
    if (begun.length === 0) return { outcome: 'done', pauseMs: null, text: 'nothing had been begun' }
    const call = (victim: Victim) =>
      this.#start(hook, { command: [...hook.command, ...argumentsOf(victim, 'unban')], input: '', signal: of.signal })
    return this.#each(begun, call, {
      settle: ({ address }) => progress.delete(address),
      save: async () => {
        await this.#book.write(keyOf(hook, of), progress)
        await this.#book.write(earlierKeyOf(of), new Map())
      },
    })
  }

  async #each(
    victims: readonly Victim[],
    call: (victim: Victim) => Promise<Ran>,
    { settle, save }: { settle: (victim: Victim) => void; save: () => Promise<void> },
  ): Promise<SendResult> {
    const ran = await Promise.all(
      victims.map(async (victim) => {
        const each = await call(victim)
        if (each.code === 0) settle(victim)
        return each
      }),
    )
    await save()
    return resultOf(ran)
  }

  async #start(hook: Hook, run: { command: string[]; input: string; signal: AbortSignal }): Promise<Ran> {
    const places = this.#places.get(hook.name) ?? { running: 0, waiting: [] }
    while (places.running >= atOnceMax) await new Promise<void>((resolve) => places.waiting.push(resolve))
    places.running++
    try {
      const timeoutMs = (hook.timeoutSeconds ?? standard.timeoutSeconds) * 1_000
      const ran = await runProgram({ ...run, directory: this.#directory, timeoutMs })
      // Its arguments may be secrets.
      const [program, ...given] = run.command
      const said = { hook: hook.name, program, arguments: given.length, exit: ran.code, output: ran.output }
      if (ran.code === 0) this.#log.info(said, 'a hook was run')
      else this.#log.warn({ ...said, fault: ran.fault }, 'a hook failed')
      return ran
    } finally {
      places.running--
      places.waiting.shift()?.()
    }
  }
}

function keyOf({ name }: Pick<Hook, 'name'>, of: OfEvent): string {
  return `${name}-${earlierKeyOf(of)}`
}

function earlierKeyOf({ channelId, eventId }: OfEvent): string {
  return `${channelId}-${eventId}`
}

/** The first that failed decides; what may work another time goes before what was refused. */
function resultOf(all: readonly Ran[]): SendResult {
  const failed = all.filter(({ code }) => code !== 0)
  const [first] = failed.toSorted((a, b) => Number(isRefusal(a)) - Number(isRefusal(b)))
  const of = all.length > 1 ? ` (${all.length - failed.length} of ${all.length} done)` : ''
  if (first === undefined) return { outcome: 'done', pauseMs: null, text: `exit 0${of}` }
  const said = cleanText(first.output.trim().replaceAll(/\s+/g, ' '), 200)
  const text = `${first.fault ?? `exit ${first.code}`}${of}${said === '' ? '' : `: ${said}`}`
  return { outcome: isRefusal(first) ? 'refused' : 'failed', pauseMs: null, text }
}

const isRefusal = ({ code }: Ran) => code !== null && code !== tryAgain
