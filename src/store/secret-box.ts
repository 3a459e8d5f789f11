// Seals what the store keeps and has to read again, with a key in a file of its own beside the store: a copy of the store alone opens nothing. The
// key is made when something is first sealed. While it is changed (see secrets/rekey.ts) there are two.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError, messageOf } from '../errors.ts'
import type { Logger } from '../log.ts'
import { giveToOwner, makeDirectory, sync } from './data-directory.ts'
import type { SecondFactors } from './second-factors.ts'
import { settleKeys } from './secrets/rekey.ts'

/** The part of the key's hash that says which key something was sealed with. */
const idBytes = 8
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

export function keyFileOf(directory: string): string {
  return join(directory, 'secrets.key')
}

export class SecretBox {
  readonly file: string
  /** The key that takes its place, while everything is sealed again. */
  readonly nextFile: string

  constructor(directory: string) {
    this.file = keyFileOf(directory)
    this.nextFile = `${this.file}.next`
  }

  /** AES-256-GCM: id of the key, nonce, tag, what is sealed. `owner`: it opens for that one only. */
  seal(secret: Uint8Array, owner: string): Uint8Array {
    return this.#seal(this.#key() ?? this.#makeKey(this.file), { secret, owner })
  }

  #seal(key: Uint8Array, { secret, owner }: { secret: Uint8Array; owner: string }): Uint8Array {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(owner))
    const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
    return Buffer.concat([idOf(key), nonce, cipher.getAuthTag(), sealed])
  }

  /** Null: the key that it was sealed with is not here. Throws AppError STORE_UNAVAILABLE where it is damaged, or another one's. */
  open(sealed: Uint8Array, owner: string): Uint8Array | null {
    const bytes = Buffer.from(sealed)
    const key = this.#keyOf(bytes)
    if (key === null) return null
    const nonce = bytes.subarray(idBytes, idBytes + nonceBytes)
    const tag = bytes.subarray(idBytes + nonceBytes, idBytes + nonceBytes + tagBytes)
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(owner)).setAuthTag(tag)
      return Buffer.concat([decipher.update(bytes.subarray(idBytes + nonceBytes + tagBytes)), decipher.final()])
    } catch (error) {
      throw new AppError('STORE_UNAVAILABLE', 'a secret of the store is damaged', { cause: error })
    }
  }

  /** A key for one purpose, from which nobody comes to the key of another (RFC 5869); null: nothing was sealed here yet. */
  keyFor(purpose: string): Uint8Array | null {
    const key = this.#key()
    return key === null ? null : new Uint8Array(hkdfSync('sha256', key, '', purpose, keyBytes))
  }

  /** Whether the key that it was sealed with is here, and can be read. */
  hasKeyOf(sealed: Uint8Array): boolean {
    if (this.fault() !== null) return false
    return this.#keyOf(Buffer.from(sealed)) !== null
  }

  hasKey(): boolean {
    return this.#key() !== null
  }

  /** Whether the key that is to take the place of the other is here; it is made, and on the disk, before anything is sealed with it. */
  hasNext(): boolean {
    return this.#key(this.nextFile) !== null
  }

  makeNext(): void {
    this.#makeKey(this.nextFile)
  }

  /** Whether it was sealed with the next key. */
  isOfNext(sealed: Uint8Array): boolean {
    const key = this.#key(this.nextFile)
    return key !== null && isOf(key, Buffer.from(sealed))
  }

  /** The same, sealed with the next key. Null: the key that it was sealed with is not here, or it is damaged. */
  resealed(sealed: Uint8Array, owner: string): Uint8Array | null {
    const key = this.#key(this.nextFile)
    if (key === null) throw new AppError('STORE_UNAVAILABLE', `the key ${this.nextFile} has been deleted`)
    try {
      const secret = this.open(sealed, owner)
      return secret === null ? null : this.#seal(key, { secret, owner })
    } catch {
      return null
    }
  }

  /** The next key takes the place of the other, which is gone. */
  takeNext(): void {
    renameSync(this.nextFile, this.file)
    sync(dirname(this.file))
  }

  dropNext(): void {
    rmSync(this.nextFile, { force: true })
    sync(dirname(this.file))
  }

  /** The one of the keys here that something was sealed with. */
  #keyOf(sealed: Buffer): Uint8Array | null {
    return (
      [this.file, this.nextFile].map((file) => this.#key(file)).find((key) => key !== null && isOf(key, sealed)) ?? null
    )
  }

  /** Why the key cannot be read, though its file is there; null: it can be, or there is none. */
  fault(): string | null {
    try {
      this.#key()
      return null
    } catch (error) {
      return messageOf(error)
    }
  }

  /** Read each time, which is seldom: it may have been put back. Null: there is none. */
  #key(file = this.file): Uint8Array | null {
    let text: string
    try {
      text = readFileSync(file, 'utf8').trim()
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
      throw new AppError('STORE_UNAVAILABLE', `cannot read the key ${file}: ${messageOf(error)}`, { cause: error })
    }
    if (!/^[0-9a-f]{64}$/.test(text)) throw new AppError('STORE_UNAVAILABLE', `${file} holds no key`)
    return Buffer.from(text, 'hex')
  }

  /** Under its name only when it is whole and on the disk; another process may have been first. */
  #makeKey(file: string): Uint8Array {
    const part = `${file}.${randomBytes(4).toString('hex')}.part`
    try {
      makeDirectory(dirname(file))
      const handle = openSync(part, 'wx', 0o600)
      try {
        writeSync(handle, `${randomBytes(keyBytes).toString('hex')}\n`)
        fsyncSync(handle)
      } finally {
        closeSync(handle)
      }
      giveToOwner(part)
      linkSync(part, file)
      sync(dirname(file))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
        throw new AppError('STORE_UNAVAILABLE', `cannot make the key ${file}: ${messageOf(error)}`, {
          cause: error,
        })
    } finally {
      rmSync(part, { force: true })
    }
    const key = this.#key(file)
    if (key === null) throw new AppError('STORE_UNAVAILABLE', `the key ${file} has been deleted`)
    return key
  }
}

function idOf(key: Uint8Array): Uint8Array {
  return createHash('sha256').update(key).digest().subarray(0, idBytes)
}

function isOf(key: Uint8Array, sealed: Buffer): boolean {
  return sealed.subarray(0, idBytes).equals(idOf(key))
}

export interface SealedStore extends Pick<SecondFactors, 'sealedSecrets'> {
  sealedChannels(): Promise<Uint8Array[]>
}

/** Says what cannot be opened any more. Whoever calls it has the directory for itself. */
export async function openSecrets({
  store,
  directory,
  log,
}: {
  store: SealedStore
  directory: string
  log: Pick<Logger, 'warn'>
}): Promise<SecretBox> {
  const secrets = new SecretBox(directory)
  await settleKeys(store, secrets)
  const lost = await lostSecrets(store, secrets)
  if (lost !== null) log.warn(lost)
  return secrets
}

/** What is sealed, in words: how much, what is wrong with it, and what holds until the key is back. */
const lostWords = {
  factors: {
    one: 'The second factor of one user cannot be checked',
    many: (count: number) => `The second factors of ${count} users cannot be checked`,
    until:
      'they sign in with recovery codes, or `floodgauge user reset-second-factor EMAIL` takes the second factor away',
  },
  channels: {
    one: 'The secrets of one alert channel cannot be opened',
    many: (count: number) => `The secrets of ${count} alert channels cannot be opened`,
    until: 'what is to be sent there waits',
  },
}

/** Sentences for the operator; null: the key of every secret is here. */
export async function lostSecrets(store: SealedStore, secrets: SecretBox): Promise<string | null> {
  const sealed = { factors: await store.sealedSecrets(), channels: await store.sealedChannels() }
  const sentences = (['factors', 'channels'] as const).flatMap((name) => {
    const lost = sealed[name].filter((each) => !secrets.hasKeyOf(each)).length
    if (lost === 0) return []
    const { one, many, until } = lostWords[name]
    const why = secrets.fault() ?? `their key is not in ${secrets.file}`
    return `${lost === 1 ? one : many(lost)}: ${why}. Put it back from where the store came from; until then ${until}`
  })
  return sentences.length === 0 ? null : sentences.join('. ')
}
