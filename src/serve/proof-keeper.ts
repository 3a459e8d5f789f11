// Has what users must prove looked for in the DNS, day by day and when they ask, and keeps what was found in the store.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { type Logger, LogThrottle } from '../log.ts'
import type { Claim } from '../names/authority.ts'
import type { Names } from '../names/names.ts'
import {
  claimOf,
  dueMs,
  findingOf,
  isInGrace,
  isLate,
  newProof,
  proofAfter,
  type SavedProof,
  stateOf,
} from '../names/proof.ts'
import type { Store, User } from '../store/store.ts'
import { challengeName, type Subject, subjectOf } from '../targets/challenge.ts'
import { mustProve, type Policy } from '../targets/policy.ts'
import { type HostRecord, parseAnyHostRecord } from '../targets/site.ts'

interface ProofKeeperOptions {
  store: Pick<Store, 'loadProofs' | 'saveProofs' | 'deleteProofs' | 'listUsers' | 'listSites' | 'sitesVersion'>
  names: Pick<Names, 'textsOf'>
  clock: Clock
  log: Logger
  /** Of users who have none of their own. */
  policy: Policy
  /** Called when what users have proved has changed. */
  onChange: () => void
}

const tickMs = 10_000
/** Looked for in one tick, so many at a time: 200,000 proofs a day. */
const checksPerTick = 24
const checksAtOnce = 4
/** After nobody could answer. */
const retryMs = 3_600_000
/** 160 random bits. */
const tokenOctets = 20

export class ProofKeeper {
  readonly counts = { found: 0, missing: 0, unanswered: 0, failures: 0 }
  readonly #options: ProofKeeperOptions
  readonly #throttle = new LogThrottle()
  /** By user and subject. */
  readonly #proofs = new Map<string, SavedProof>()
  /** Of those that nobody could answer for: when that was. */
  readonly #unansweredMs = new Map<string, number>()
  readonly #checking = new Map<string, Promise<void>>()
  #version = -1
  #claims: Claim[] = []
  #ticking: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  #isStopped = false

  constructor(options: ProofKeeperOptions) {
    this.#options = options
  }

  /** Rejects when the store can't be read: without the proofs, sites would not be watched that should be. */
  async start(): Promise<void> {
    for (const proof of await this.#options.store.loadProofs())
      this.#proofs.set(keyOf(proof.userId, proof.subject), proof)
    this.#claims = this.#claimsNow()
    this.#timer = setInterval(() => void this.tick(), tickMs)
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#isStopped = true
    await this.#ticking
  }

  /** What users have proved. */
  claims(): readonly Claim[] {
    return this.#claims
  }

  all(): Iterable<SavedProof> {
    return this.#proofs.values()
  }

  /** Proofs that are late to be looked for. */
  get late(): number {
    return this.#countOf(isLate)
  }

  /** Proofs that were given up, and by which sites are still watched. */
  get inGrace(): number {
    return this.#countOf(isInGrace)
  }

  /** The proof of a site of the user; null: there is nothing to be proved. */
  async of(user: User, record: HostRecord): Promise<SavedProof | null> {
    const subject = this.#subjectFor(user, record)
    if (subject === null) return null
    const found = this.#proofs.get(keyOf(user.id, subject))
    if (found !== undefined) return found
    const made = this.#newProof(user.id, subject)
    await this.#save([made])
    return made
  }

  /** Looks for the proof of a site of the user now; null: there is nothing to be proved. */
  async check(user: User, record: HostRecord): Promise<SavedProof | null> {
    const proof = await this.of(user, record)
    if (proof === null) return null
    const key = keyOf(user.id, proof.subject)
    await this.#check(key)
    this.#settle()
    return this.#proofs.get(key) ?? proof
  }

  /** Takes notice of sites and users that have changed, and looks for what is due. */
  tick(): Promise<void> {
    this.#ticking ??= this.#work().finally(() => {
      this.#ticking = null
    })
    return this.#ticking
  }

  async #work(): Promise<void> {
    const { clock, log } = this.#options
    try {
      await this.#followSites()
      const due = this.#due(clock.now())
      for (let at = 0; at < due.length && !this.#isStopped; at += checksAtOnce)
        await Promise.all(due.slice(at, at + checksAtOnce).map((key) => this.#check(key)))
    } catch (error) {
      this.counts.failures++
      const heldBack = this.#throttle.pass('store', clock.now())
      if (heldBack !== null) log.error({ err: error, heldBack }, 'proofs could not be kept in the store; trying again')
    }
    this.#settle()
  }

  /** A proof is there as long as the site that it is of. */
  async #followSites(): Promise<void> {
    const { store } = this.#options
    const version = await store.sitesVersion()
    if (version === this.#version) return
    // One that is made while the sites are read is of a site that is newer.
    const known = [...this.#proofs]
    const wanted = new Map<string, { userId: string; subject: Subject }>()
    for (const user of await store.listUsers()) {
      if (!this.#isJudged(user)) continue
      for (const { host } of await store.listSites(user.id)) {
        const record = parseAnyHostRecord(host)
        const subject = record.ok ? this.#subjectFor(user, record) : null
        if (subject !== null) wanted.set(keyOf(user.id, subject), { userId: user.id, subject })
      }
    }
    const gone = known.filter(([key]) => !wanted.has(key))
    await store.deleteProofs(gone.map(([, proof]) => proof))
    for (const [key] of gone) this.#proofs.delete(key)
    const missing = [...wanted].filter(([key]) => !this.#proofs.has(key))
    await this.#save(missing.map(([, { userId, subject }]) => this.#newProof(userId, subject)))
    this.#version = version
  }

  /** Those that have waited longest first. Also after the clock was set back. */
  #due(nowMs: number): string[] {
    const due: { key: string; atMs: number }[] = []
    for (const [key, proof] of this.#proofs) {
      const unansweredMs = this.#unansweredMs.get(key)
      if (unansweredMs !== undefined && Math.abs(nowMs - unansweredMs) < retryMs) continue
      const atMs = dueMs(proof)
      if (atMs <= nowMs || (proof.checkedMs ?? nowMs) > nowMs) due.push({ key, atMs })
    }
    return due
      .toSorted((a, b) => a.atMs - b.atMs)
      .slice(0, checksPerTick)
      .map(({ key }) => key)
  }

  #check(key: string): Promise<void> {
    const checking = this.#checking.get(key) ?? this.#lookFor(key).finally(() => this.#checking.delete(key))
    this.#checking.set(key, checking)
    return checking
  }

  async #lookFor(key: string): Promise<void> {
    const { names, clock, log } = this.#options
    const asked = this.#proofs.get(key)
    if (asked === undefined) return
    const resolutions = await names.textsOf(challengeName(asked.subject))
    const proof = this.#proofs.get(key)
    if (proof === undefined) return
    const nowMs = clock.now()
    const finding = findingOf(resolutions, proof.token, nowMs)
    this.counts[finding.kind]++
    if (finding.kind === 'unanswered') this.#unansweredMs.set(key, nowMs)
    else this.#unansweredMs.delete(key)
    const changed = proofAfter(proof, finding, { nowMs, newToken })
    if (changed === proof) return
    await this.#save([changed])
    const [before, after] = [stateOf(proof), stateOf(changed)]
    if (before !== after) log.info({ user: proof.userId, ...proof.subject, before, after }, 'a proof has changed')
  }

  async #save(proofs: SavedProof[]): Promise<void> {
    await this.#options.store.saveProofs(proofs)
    for (const proof of proofs) this.#proofs.set(keyOf(proof.userId, proof.subject), proof)
  }

  /** Tells when what users have proved has changed: by what was found, or by time. */
  #settle(): void {
    const claims = this.#claimsNow()
    if (JSON.stringify(claims) === JSON.stringify(this.#claims)) return
    this.#claims = claims
    this.#options.onChange()
  }

  #claimsNow(): Claim[] {
    const nowMs = this.#options.clock.now()
    return [...this.#proofs.values()].map((proof) => claimOf(proof, nowMs)).filter((claim) => claim !== null)
  }

  #subjectFor(user: User, record: HostRecord): Subject | null {
    return mustProve(record, user, this.#options.policy) ? subjectOf(record) : null
  }

  #countOf(is: (proof: SavedProof, nowMs: number) => boolean): number {
    const nowMs = this.#options.clock.now()
    return [...this.all()].filter((proof) => is(proof, nowMs)).length
  }

  #isJudged({ policy }: User): boolean {
    return (policy ?? this.#options.policy) === 'verified'
  }

  #newProof(userId: string, subject: Subject): SavedProof {
    return newProof(userId, subject, { token: newToken(), nowMs: this.#options.clock.now() })
  }
}

function keyOf(userId: string, { kind, text }: Subject): string {
  return `${userId} ${kind} ${text}`
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** Base32 (RFC 4648), in lower case: five bits of each of 32 octets. */
function newToken(): string {
  return Array.from(randomBytes((tokenOctets * 8) / 5), (octet) => alphabet[octet & 31]).join('')
}
