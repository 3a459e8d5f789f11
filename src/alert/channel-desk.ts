// What users ask of their channels: whether one can be as they want it, its secrets, and a test of it.
import { randomBytes } from 'node:crypto'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { AlertStore, AttemptResult, Channel, ChannelChange } from './alert-store.ts'
import type { ChannelFault, ChannelKind, ChannelOwner, Installation, Message } from './channels/kind.ts'
import { channelKinds } from './channels/kinds.ts'
import { ownerFrom } from './mail/confirmations.ts'
import { merged } from './merged.ts'
import type { HostNames } from './outgoing/host-names.ts'
import type { Allowed } from './outgoing/reach.ts'
import { whyUnreachable } from './outgoing/request.ts'
import { givenSecrets, oldSecretMs, secretsNow } from './secrets.ts'

/** Seals secrets, each for the channel whose they are; opening gives null where the key is not here. */
export interface Secrets {
  /** A key for one purpose; null: there is none. */
  keyFor(purpose: string): Uint8Array | null
  seal(secret: Uint8Array, owner: string): Uint8Array
  open(sealed: Uint8Array, owner: string): Uint8Array | null
}

export type SealedChannel = Pick<Channel, 'id' | 'sealed' | 'oldSecretUntilMs'>

/** A new channel as its user wants it. */
interface ChannelGiven {
  kind: string
  settings: unknown
  secrets: Readonly<Record<string, string>>
}

/** `made`: what its user is shown once; null: nothing was made. */
type MadeChannel = Pick<Channel, 'id' | 'sealed'> & { made: string | null }

/** `settings`: all of them; `secrets`: those that change. */
interface ChangeGiven {
  settings: unknown
  secrets: Readonly<Record<string, string | null>> | undefined
}

interface ChannelDeskOptions {
  store: Pick<AlertStore, 'addressesOf'> & { userById(id: string): Promise<{ role: string; email: string } | null> }
  secrets: Secrets
  installation: Installation
  /** What a test message is about. */
  example: Pick<Message, 'event' | 'report'>
  allowed: Allowed
  hostNames: HostNames
  clock: Clock
  log: Logger
}

export class ChannelDesk {
  readonly #options: ChannelDeskOptions

  constructor(options: ChannelDeskOptions) {
    this.#options = options
  }

  kinds(): { kind: string; settings: Record<string, unknown>; secrets: Record<string, unknown> }[] {
    return [...channelKinds.values()].map(({ kind, settings, secrets }) => ({
      kind,
      settings: { ...settings },
      secrets: { ...secrets },
    }))
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

  /** What becomes of a new channel, or what is wrong with it. Secrets that are not given and can be made are made. */
  async make(
    { kind: name, settings, secrets: given }: ChannelGiven,
    caller: { id: string },
  ): Promise<MadeChannel | ChannelFault[]> {
    const kind = channelKinds.get(name)
    if (kind === undefined) return noSuchKind
    const { secrets, made } = kind.complete(given)
    const faults = await this.#faults(kind, { settings, secrets }, caller)
    if (faults.length > 0) return faults
    const id = randomBytes(8).toString('hex')
    return { id, sealed: this.seal(id, secrets), made }
  }

  /** What becomes of the secrets of a channel that is changed, or what is wrong with the change. */
  async change(
    { kind: name, ...before }: Channel,
    { settings, secrets }: ChangeGiven,
    caller: { id: string },
  ): Promise<Pick<ChannelChange, 'sealed' | 'oldSecretUntilMs'> | ChannelFault[]> {
    const kind = channelKinds.get(name)
    if (kind === undefined) return noSuchKind
    const known = this.secretsOf(before)
    const kept = known && givenSecrets(known)
    const all = secrets === undefined ? kept : merged(kept ?? {}, secrets)
    const faults = await this.#faults(kind, { settings, secrets: all }, caller)
    if (faults.length > 0) return faults
    return secrets === undefined || all === null ? {} : { sealed: this.seal(before.id, all), oldSecretUntilMs: null }
  }

  /** `secrets`: null: they cannot be read now, and stay what they are. */
  async #faults(
    kind: ChannelKind,
    { settings, secrets }: { settings: unknown; secrets: Readonly<Record<string, string>> | null },
    caller: { id: string },
  ): Promise<ChannelFault[]> {
    const faults = [
      ...faultsOf('/settings', kind.settings, settings),
      ...(secrets === null ? [] : faultsOf('/secrets', kind.secrets, secrets)),
    ]
    if (faults.length > 0) return faults
    const owner = await this.ownerOf(caller.id)
    const { reach } = owner
    faults.push(...(kind.faults?.(settings, owner, this.#options.installation) ?? []))
    const { allowed, hostNames } = this.#options
    for (const [pointer, url] of kind.places(settings, secrets ?? {})) {
      const detail = await whyUnreachable(url, { reach, allowed, resolve: hostNames.of(caller.id) })
      if (detail !== null) faults.push({ pointer, detail })
    }
    return faults
  }

  seal(id: string, secrets: Readonly<Record<string, string>>): Uint8Array {
    return this.#options.secrets.seal(Buffer.from(JSON.stringify(secrets)), id)
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
    const { example, installation, allowed, hostNames } = this.#options
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
      ...{ settings: channel.settings, secrets, nowMs: atMs, allowed, resolve: hostNames.of(channel.userId) },
      ...(await this.ownerOf(channel.userId)),
      ...{ installation, channelId: channel.id, userId: channel.userId },
      signal: AbortSignal.timeout(testMs),
    })
    return { isDone: outcome === 'done', text }
  }

  async isAdmin(userId: string): Promise<boolean> {
    return (await this.#options.store.userById(userId))?.role === 'admin'
  }

  async ownerOf(userId: string): Promise<ChannelOwner> {
    const { store } = this.#options
    const { role = '', email = '' } = (await store.userById(userId)) ?? {}
    return ownerFrom({ role, email }, role === 'admin' ? [] : await store.addressesOf(userId))
  }
}

const testMs = 20_000
const noSuchKind: ChannelFault[] = [{ pointer: '/kind', detail: 'There is no such kind of channel' }]

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
