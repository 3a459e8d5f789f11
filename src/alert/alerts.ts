// Alerts as a whole: finds what is to be told, sends it, and answers what users ask of their channels.
import { randomBytes } from 'node:crypto'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../clock.ts'
import type { EventReport } from '../contract/events/event.ts'
import type { EventStore } from '../events/event-store.ts'
import type { EventDetail } from '../events/records.ts'
import type { Logger } from '../log.ts'
import type { PeriodicTask } from '../task.ts'
import { AcknowledgingLinks } from './acknowledging.ts'
import type { AlertStore, AttemptResult, Channel } from './alert-store.ts'
import type { Paces } from './bundles/pace.ts'
import { readerFaults } from './channels/http.ts'
import type { ChannelFault, ChannelKind, ChannelOwner, Installation, Message } from './channels/kind.ts'
import { channelKinds } from './channels/kinds.ts'
import { Delays } from './delays.ts'
import { Confirmations, ownerFrom } from './mail/confirmations.ts'
import { escapers } from './messages/escape.ts'
import { formsOf, places } from './messages/template/places.ts'
import { customText, factLines, textOf } from './messages/text.ts'
import type { Reader } from './messages/words.ts'
import type { TurnKind } from './notice.ts'
import { listOf } from './outgoing/reach.ts'
import { whyUnreachable } from './outgoing/request.ts'
import { blankReport } from './own/blank-report.ts'
import { OwnHealth, type OwnHealthOptions } from './own/own-health.ts'
import { Repeater } from './repeater.ts'
import { Reporter } from './reports/reporter.ts'
import { Router, type RouterOptions } from './router.ts'
import { oldSecretMs, secretsNow } from './secrets.ts'
import type { SendParts } from './send-parts.ts'
import { Sender } from './sender.ts'
import type { AlertSettings } from './settings.ts'

/** Seals secrets, each for the channel whose they are; opening gives null where the key is not here. */
export interface Secrets {
  /** A key for one purpose; null: there is none. */
  keyFor(purpose: string): Uint8Array | null
  seal(secret: Uint8Array, owner: string): Uint8Array
  open(sealed: Uint8Array, owner: string): Uint8Array | null
}

export interface AlertsOptions {
  store: AlertStore &
    Pick<EventStore, 'changesAfter' | 'lastChange'> & {
      eventById(userId: string, id: string): Promise<EventDetail | null>
      userById(id: string): Promise<{ role: string; email: string } | null>
      listUsers(): Promise<{ id: string; role: string }[]>
    }
  settings: AlertSettings
  secrets: Secrets
  /** The event as its owner reads it. */
  present: (event: EventDetail) => unknown
  /** The same with what it consists of. */
  report: (event: EventDetail) => EventReport
  /** What a test message is about. */
  example: { event: unknown; report: EventReport }
  installation: Installation
  /** An attack that comes back within so long is the same one. */
  reopenSeconds: number
  /** Called when a receiver has a message: how long after it was first due. */
  onDone?: (kind: string, seconds: number) => void
  /** Whether its user asked to be told about a simulated attack. */
  isToldTest: NonNullable<RouterOptions['isToldTest']>
  clock: Clock
  log: Logger
}

type SealedChannel = Pick<Channel, 'id' | 'sealed' | 'oldSecretUntilMs'>

/** A channel as its user wants it. */
export interface ChannelGiven {
  kind: string
  settings: unknown
  /** Null: they stay what they are, which cannot be read now. */
  secrets: Readonly<Record<string, string>> | null
  /** What is not given and can be made is made. */
  isNew: boolean
}

export interface CheckedSecrets {
  secrets: Record<string, string>
  /** What its user is shown once; null: nothing was made. */
  made: string | null
}

export class Alerts {
  readonly router: Router
  readonly sender: Sender
  readonly repeater: Repeater
  readonly reporter: Reporter
  readonly links: AcknowledgingLinks
  readonly delays = new Delays()
  readonly confirmations: Confirmations
  readonly tasks: readonly PeriodicTask[]
  /** Called with a user whose channels or messages to them have changed. */
  onChanged: (userId: string) => void = () => {}
  readonly paces: Paces
  readonly #options: AlertsOptions
  readonly #parts: SendParts
  readonly #allowed

  constructor(options: AlertsOptions) {
    this.#options = options
    const { store, clock, log, present, report, installation } = options
    this.#allowed = listOf(options.settings.allowedTargets)
    const key = () => options.secrets.keyFor('links that acknowledge events')
    this.links = new AcknowledgingLinks({ publicUrl: installation.publicUrl, key })
    this.confirmations = new Confirmations({
      ...{ store, clock, log, kinds: channelKinds, installation },
      key: () => options.secrets.keyFor('links that confirm addresses'),
      onChanged: (userId) => this.onChanged(userId),
    })
    const parts = {
      ...{ store, clock, log, present, report, installation, kinds: channelKinds, allowed: this.#allowed },
      ...{ links: this.links, delays: this.delays },
      secretsOf: (channel: Channel) => this.secretsOf(channel),
      ownerOf: (userId: string) => this.#ownerOf(userId),
      isAdmin: (userId: string) => this.#isAdmin(userId),
    }
    this.#parts = parts
    this.sender = new Sender({
      ...parts,
      random: Math.random,
      onChanged: (userId) => this.onChanged(userId),
      onDone: options.onDone ?? (() => {}),
    })
    this.repeater = new Repeater(parts)
    this.reporter = new Reporter({ ...parts, store, blank: blankReport(options.example.report) })
    this.paces = { perHour: options.settings.perHour, reopenMs: options.reopenSeconds * 1_000 }
    const { paces, delays } = this
    const { isToldTest } = options
    const onRouted: RouterOptions['onRouted'] = (userIds) => this.#routed(userIds)
    this.router = new Router({ store, clock, log, paces, delays, isToldTest, onRouted })
    this.tasks = [...this.router.tasks, ...this.sender.tasks, this.repeater.task, this.reporter.task]
  }

  /** Mails that were put off, since their user had sent too many that day. */
  get mailPutOff(): number {
    return this.#options.installation.mailer?.refused ?? 0
  }

  /** Who tells what is wrong with the installation itself; asleep until it is started. */
  ownHealth(problems: OwnHealthOptions['problems']): OwnHealth {
    const { store, example } = this.#options
    return new OwnHealth({ ...this.#parts, store, problems, blank: blankReport(example.report) })
  }

  #routed(userIds: Iterable<string> = []): void {
    for (const userId of userIds) this.onChanged(userId)
    this.sender.wake()
  }

  /** Tells what happened while nobody looked, and goes on with what waits. */
  start(): void {
    for (const task of this.tasks) task.start()
    this.wake()
  }

  async stop(): Promise<void> {
    this.repeater.stop()
    this.reporter.stop()
    await this.confirmations.stop()
    await this.sender.stop()
  }

  /** Something happened to events, or to channels. */
  wake(): void {
    this.router.wake()
    this.sender.wake()
  }

  kinds(): { kind: string; settings: Record<string, unknown>; secrets: Record<string, unknown> }[] {
    return [...channelKinds.values()].map(({ kind, settings, secrets }) => ({
      kind,
      settings: { ...settings },
      secrets: { ...secrets },
    }))
  }

  newId(): string {
    return randomBytes(8).toString('hex')
  }

  seal(id: string, secrets: Readonly<Record<string, string>>): Uint8Array {
    return this.#options.secrets.seal(Buffer.from(JSON.stringify(secrets)), id)
  }

  /** Those that count now. Null: their key is not here, or they are damaged. */
  secretsOf({ id, sealed, oldSecretUntilMs }: SealedChannel): Readonly<Record<string, string>> | null {
    const { secrets, log, clock } = this.#options
    try {
      const opened = secrets.open(sealed, id)
      if (opened === null) return null
      return secretsNow(JSON.parse(Buffer.from(opened).toString('utf8')), oldSecretUntilMs, clock.now())
    } catch (error) {
      log.error({ err: error, channel: id }, 'the secrets of a channel cannot be opened')
      return null
    }
  }

  /** Another secret for a channel; the one that it has counts as well for a while. Null: its kind has none that is made here. */
  rotate(
    channel: SealedChannel & Pick<Channel, 'kind'>,
  ): (Pick<Channel, 'sealed' | 'oldSecretUntilMs'> & { made: string }) | null {
    const rotated = channelKinds.get(channel.kind)?.rotate?.(this.secretsOf(channel) ?? {})
    if (rotated === undefined) return null
    const oldSecretUntilMs = this.#options.clock.now() + oldSecretMs
    return { sealed: this.seal(channel.id, rotated.secrets), oldSecretUntilMs, made: rotated.made }
  }

  /** The secrets, for a new channel with those that are made, or what is wrong. */
  async check(given: ChannelGiven, caller: { id: string }): Promise<CheckedSecrets | ChannelFault[]> {
    const kind = channelKinds.get(given.kind)
    if (kind === undefined) return [{ pointer: '/kind', detail: 'There is no such kind of channel' }]
    const known = given.secrets ?? {}
    const { secrets, made } = given.isNew ? kind.complete(known) : { secrets: { ...known }, made: null }
    const faults = [
      ...faultsOf('/settings', kind.settings, given.settings),
      ...(given.secrets === null ? [] : faultsOf('/secrets', kind.secrets, secrets)),
    ]
    if (faults.length > 0) return faults
    const owner = await this.#ownerOf(caller.id)
    const { reach } = owner
    faults.push(...(kind.faults?.(given.settings, owner, this.#options.installation) ?? []))
    for (const [name, url] of kind.places(given.settings, secrets)) {
      const reason = await whyUnreachable(url, { reach, allowed: this.#allowed })
      if (reason !== null) faults.push({ pointer: name, detail: reason })
    }
    return faults.length > 0 ? faults : { secrets, made }
  }

  /** What a message would say of the event now, in one line. */
  titleOf(event: EventDetail, reader: Reader): string {
    return textOf(this.#messageAbout(event, event.endMs === null ? 'started' : 'ended'), reader, '').title
  }

  /** What a message would say, or what is wrong with its templates. `event`: null: a made-up attack. */
  preview(
    reader: Reader,
    { event, notice }: { event: EventDetail | null; notice: TurnKind },
  ): { title: string; text: string } | ChannelFault[] {
    const faults = readerFaults(reader, '')
    if (faults.length > 0) return faults
    const message = this.#messageAbout(event, notice)
    const text = textOf(message, reader, this.#options.installation.publicUrl)
    return { title: text.title, text: customText(text, escapers.none, Infinity) ?? factLines(text).join('\n') }
  }

  places(): { name: string; description: string; forms: string[] }[] {
    return places.map(({ name, description, kind }) => ({ name, description, forms: formsOf(kind) }))
  }

  #messageAbout(event: EventDetail | null, notice: TurnKind): Message {
    const { present, report, clock, example } = this.#options
    const about = event === null ? example : { event: present(event), report: report(event) }
    const { severity, attackType: label } = about.report
    return {
      type: `event.${notice}`,
      id: '',
      number: 1,
      atMs: clock.now(),
      facts: { severity, label, before: null },
      ...about,
    }
  }

  /** Sends a message about a made-up attack, once. */
  async test(channel: Channel): Promise<AttemptResult> {
    const { clock } = this.#options
    const atMs = clock.now()
    const kind = channelKinds.get(channel.kind)
    const secrets = this.secretsOf(channel)
    const { isDone, text } = await this.#sendTest(kind, channel, { secrets, atMs })
    return { atMs, tookMs: Math.max(0, clock.now() - atMs), isDone, text }
  }

  async #sendTest(
    kind: ChannelKind | undefined,
    channel: Channel,
    { secrets, atMs }: { secrets: Record<string, string> | null; atMs: number },
  ): Promise<Pick<AttemptResult, 'isDone' | 'text'>> {
    if (kind === undefined) return { isDone: false, text: 'this version has no channels of this kind' }
    if (secrets === null) return { isDone: false, text: 'its secrets cannot be opened' }
    const { example, installation } = this.#options
    const facts = { severity: 'high' as const, label: null, before: null }
    const message = {
      type: 'alert.test',
      id: `msg_test_${randomBytes(8).toString('hex')}`,
      number: 1,
      atMs,
      facts,
      ...example,
    }
    const { outcome, text } = await kind.send(message, {
      ...{ settings: channel.settings, secrets, nowMs: atMs, allowed: this.#allowed },
      ...(await this.#ownerOf(channel.userId)),
      ...{ installation, channelId: channel.id },
      signal: AbortSignal.timeout(testMs),
    })
    return { isDone: outcome === 'done', text }
  }

  async #isAdmin(userId: string): Promise<boolean> {
    return (await this.#options.store.userById(userId))?.role === 'admin'
  }

  async #ownerOf(userId: string): Promise<ChannelOwner> {
    const { store } = this.#options
    const { role = '', email = '' } = (await store.userById(userId)) ?? {}
    return ownerFrom({ role, email }, role === 'admin' ? [] : await store.addressesOf(userId))
  }
}

const testMs = 20_000

function faultsOf(at: string, schema: TSchema, value: unknown): ChannelFault[] {
  return Array.from(Value.Errors(schema, value), ({ instancePath, message }) => ({
    pointer: `${at}${knownPath(schema, instancePath)}`,
    detail: message,
  }))
}

/** What is no member of the schema may be a secret that stands in the wrong place. */
function knownPath(schema: TSchema, path: string): string {
  const [, name = ''] = path.split('/')
  return 'properties' in schema && Object.hasOwn(Object(schema.properties), name) ? path : ''
}
