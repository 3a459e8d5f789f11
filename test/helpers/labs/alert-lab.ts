// Alerts on a store of their own, in this process and by the clock of the machine: attacks are events that are recorded, as the service records them.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Alerts } from '../../../src/alert/alerts.ts'
import type { HostNames } from '../../../src/alert/outgoing/host-names.ts'
import { systemClock } from '../../../src/clock.ts'
import { eventId } from '../../../src/events/event.ts'
import type { EventDetail } from '../../../src/events/records.ts'
import { SecretBox } from '../../../src/store/secret-box.ts'
import type { Store } from '../../../src/store/store.ts'
import { eventOf } from '../events.ts'
import { openFreshStore } from '../store.ts'
import { alertsOf } from './alerts.ts'

export const webhookSecret = `whsec_${Buffer.from('a secret of twenty-four octets').toString('base64')}`

interface LabChannel {
  kind: string
  settings: Record<string, unknown>
  secrets?: Record<string, string>
}

export class AlertLab {
  readonly store: Store
  readonly alerts: Alerts
  readonly #folder: string
  #made = 0

  constructor(store: Store, alerts: Alerts, folder: string) {
    this.store = store
    this.alerts = alerts
    this.#folder = folder
  }

  /** It tells what begins from now on. `hostNames`: looks up where; left out: as the machine does. */
  static async start(given: { hostNames?: HostNames } = {}): Promise<AlertLab> {
    const folder = mkdtempSync(join(tmpdir(), 'floodgauge-alert-lab-'))
    const store = await openFreshStore(join(folder, 'store.db'), { clock: systemClock })
    const alerts = alertsOf({ store, secrets: new SecretBox(folder), clock: systemClock, ...given })
    await alerts.router.tasks[0].run()
    alerts.start()
    return new AlertLab(store, alerts, folder)
  }

  /** An admin, whose messages may go to this machine. */
  async addUser(): Promise<string> {
    const email = `user${++this.#made}@example.com`
    return (await this.store.addUser({ email, siteQuota: 10, allowed: null, role: 'admin' })).id
  }

  async addChannel(userId: string, { kind, settings, secrets = {} }: LabChannel): Promise<string> {
    const id = randomBytes(8).toString('hex')
    const sealed = this.alerts.channels.seal(id, kind === 'webhook' ? { secret: webhookSecret } : secrets)
    await this.store.addChannel(userId, { id, kind, name: id, settings, sealed }, 1_000)
    return id
  }

  /** Events that begin now, written at once; gives them when they are. */
  async record(userIds: readonly string[], given: (index: number) => Partial<EventDetail>): Promise<EventDetail[]> {
    const nowMs = Date.now()
    const made = userIds.map((userId, index) => {
      const number = ++this.#made
      const id = eventId(nowMs, Buffer.from(number.toString(16).padStart(16, '0'), 'hex'))
      const times = { createdMs: nowMs, startMs: nowMs, lastMs: nowMs }
      return eventOf(userId, number, { id, incident: id, phase: 'active', ...times, ...given(index) })
    })
    await this.store.record({ made })
    this.alerts.wake()
    return made
  }

  async stop(): Promise<void> {
    for (const task of this.alerts.tasks) await task.stop()
    await this.alerts.stop()
    await this.store.close()
    rmSync(this.#folder, { recursive: true })
  }
}
