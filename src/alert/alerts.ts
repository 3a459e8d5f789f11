// Alerts as a whole: who finds what is to be told, who sends it, and who answers what users ask; each is made here and has a file of its own.
import type { Clock } from '../clock.ts'
import type { EventReport } from '../contract/events/event.ts'
import type { EventStore } from '../events/event-store.ts'
import type { EventDetail } from '../events/records.ts'
import type { Logger } from '../log.ts'
import type { PeriodicTask } from '../task.ts'
import { AcknowledgingLinks } from './acknowledging.ts'
import type { AlertStore } from './alert-store.ts'
import type { Paces } from './bundles/pace.ts'
import { ChannelDesk, type SealedChannel, type Secrets } from './channel-desk.ts'
import type { Installation } from './channels/kind.ts'
import { channelKinds } from './channels/kinds.ts'
import { Closer } from './closing/closer.ts'
import { Delays } from './delays.ts'
import { Confirmations } from './mail/confirmations.ts'
import type { HostNames } from './outgoing/host-names.ts'
import { listOf } from './outgoing/reach.ts'
import { Room } from './outgoing/room.ts'
import { blankReport } from './own/blank-report.ts'
import { OwnHealth, type ProblemSource } from './own/own-health.ts'
import { Previews } from './previews.ts'
import { Repeater } from './repeater.ts'
import { Reporter } from './reports/reporter.ts'
import { Router, type RouterOptions } from './router.ts'
import type { SendParts } from './send-parts.ts'
import { Sender } from './sender.ts'
import type { AlertSettings } from './settings.ts'

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
  /** It is stopped with them. */
  hostNames: HostNames
  /** An attack that comes back within so long is the same one. */
  reopenSeconds: number
  /** Called when a receiver has a message: how long after it was first due. */
  onDone?: (kind: string, seconds: number) => void
  /** Whether its user asked to be told about a simulated attack. */
  isToldTest: NonNullable<RouterOptions['isToldTest']>
  clock: Clock
  log: Logger
}

export class Alerts {
  readonly router: Router
  readonly sender: Sender
  readonly repeater: Repeater
  readonly reporter: Reporter
  readonly closer: Closer
  readonly links: AcknowledgingLinks
  readonly channels: ChannelDesk
  readonly previews: Previews
  readonly delays = new Delays()
  readonly confirmations: Confirmations
  readonly tasks: readonly PeriodicTask[]
  /** Called with a user whose channels or messages to them have changed. */
  onChanged: (userId: string) => void = () => {}
  readonly paces: Paces
  readonly #options: AlertsOptions
  readonly #parts: SendParts
  /** For what is sent beside deliveries, but for what is wrong with the installation itself. */
  readonly #room = new Room()

  constructor(options: AlertsOptions) {
    this.#options = options
    const { store, clock, log, present, report, installation } = options
    const allowed = listOf(options.settings.allowedTargets)
    const { example, secrets, hostNames } = options
    this.channels = new ChannelDesk({ store, secrets, installation, example, allowed, hostNames, clock, log })
    this.previews = new Previews({ present, report, example, publicUrl: installation.publicUrl, clock })
    const key = () => options.secrets.keyFor('links that acknowledge events')
    this.links = new AcknowledgingLinks({ publicUrl: installation.publicUrl, key })
    this.confirmations = new Confirmations({
      ...{ store, clock, log, kinds: channelKinds, installation },
      key: () => options.secrets.keyFor('links that confirm addresses'),
      onChanged: (userId) => this.onChanged(userId),
    })
    const parts = {
      ...{ store, clock, log, present, report, installation, kinds: channelKinds, allowed, hostNames },
      ...{ links: this.links, delays: this.delays },
      secretsOf: (channel: SealedChannel) => this.channels.secretsOf(channel),
      ownerOf: (userId: string) => this.channels.ownerOf(userId),
      isAdmin: (userId: string) => this.channels.isAdmin(userId),
    }
    this.#parts = parts
    this.sender = new Sender({
      ...parts,
      random: Math.random,
      onChanged: (userId) => this.onChanged(userId),
      onDone: options.onDone ?? (() => {}),
    })
    const room = this.#room
    this.repeater = new Repeater({ ...parts, room })
    this.closer = new Closer({ ...parts, room })
    this.reporter = new Reporter({ ...parts, store, room, blank: blankReport(options.example.report) })
    this.paces = { perHour: options.settings.perHour, reopenMs: options.reopenSeconds * 1_000 }
    const { paces, delays } = this
    const { isToldTest } = options
    const onRouted: RouterOptions['onRouted'] = (userIds) => this.#routed(userIds)
    this.router = new Router({ store, clock, log, paces, delays, isToldTest, onRouted })
    this.tasks = [...this.router.tasks, ...this.sender.tasks, this.repeater.task, this.reporter.task, this.closer.task]
  }

  /** Mails that were put off, since their user had sent too many within 24 hours. */
  get mailPutOff(): number {
    return this.#options.installation.mailer?.refused ?? 0
  }

  /** Look-ups of hosts, by result. */
  get lookUps(): HostNames['counts'] {
    return this.#options.hostNames.counts
  }

  /** Who tells what is wrong with the installation itself; asleep until it is started. It waits for nothing else that its readers are sent. */
  ownHealth(problems: ProblemSource): OwnHealth {
    const { store, example } = this.#options
    return new OwnHealth({ ...this.#parts, store, room: new Room(), problems, blank: blankReport(example.report) })
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
    await Promise.all([this.reporter.stop(), this.closer.stop()])
    this.#options.hostNames.stop()
    await this.confirmations.stop()
    await this.sender.stop()
  }

  /** Something happened to events, or to channels. */
  wake(): void {
    this.router.wake()
    this.sender.wake()
  }
}
