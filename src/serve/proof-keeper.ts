// The proofs of users: looked for in the DNS once a day and on request, and kept in the store.
import { randomBytes } from 'node:crypto'
import type { Claim } from '../access/authority.ts'
import { challengeName, type Subject, siteOf, subjectOf, widerSubjects } from '../access/challenge.ts'
import type { HostRecord } from '../access/host-record.ts'
import { createRegistrar, type Policy } from '../access/policy.ts'
import {
  claimOf,
  dueMs,
  findingOf,
  isInGrace,
  isLate,
  newProof,
  proofAfter,
  proofKey,
  type SavedProof,
  stateOf,
} from '../access/proof.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { byLabel, type Metric } from '../metrics.ts'
import type { Names } from '../names/names.ts'
import type { Store, User } from '../store/store.ts'
import { PeriodicTask } from '../task.ts'
import { type ProvedSites, readProvedSites } from './proved-sites.ts'

interface ProofKeeperOptions {
  store: Pick<Store, 'loadProofs' | 'saveProofs' | 'deleteProofs' | 'listUsers' | 'listSites' | 'sitesVersion'>
  names: Pick<Names, 'textsOf'>
  clock: Clock
  log: Logger
  /** Policy of users without one of their own. */
  policy: Policy
}

const tickMs = 10_000
/** Checks in one run: 200,000 proofs a day. */
const checksPerTick = 24
const checksAtOnce = 4
/** Wait after a check that no resolver answered. */
const retryMs = 3_600_000
/** 160 random bits. */
const tokenOctets = 20

export const proofMetrics: readonly Metric<ProofKeeper>[] = [
  {
    name: 'floodgauge_proofs',
    help: 'Proofs that users control a site, by state: pending (not yet), verified, missed (the record was not there), unverified (not there three times).',
    labels: ['state'],
    read: (keeper) => {
      const counts = { pending: 0, verified: 0, missed: 0, unverified: 0 }
      for (const proof of keeper.all()) counts[stateOf(proof)]++
      return byLabel('state', counts)
    },
  },
  {
    name: 'floodgauge_proofs_late',
    help: 'Proofs that sites rest on and that should have been looked for an hour ago or longer: no resolver answers.',
    read: ({ late }) => late,
  },
  {
    name: 'floodgauge_proofs_in_grace',
    help: 'Proofs that are unverified and by which sites are still watched, for seven days.',
    read: ({ inGrace }) => inGrace,
  },
  {
    name: 'floodgauge_proof_checks_total',
    help: 'Times that the record of a proof was looked for: found, missing, unanswered (no resolver could tell).',
    labels: ['result'],
    read: ({ counts: { found, missing, unanswered } }) => byLabel('result', { found, missing, unanswered }),
  },
  {
    name: 'floodgauge_proof_write_failures_total',
    help: 'Attempts to keep proofs in the store that failed; they are made again.',
    read: ({ counts }) => counts.failures,
  },
]

/** A site whose record is no longer found, though it was, and that nothing else of its user proves. */
export interface MissingProof {
  userId: string
  host: string
  /** Where the record has to be. */
  recordName: string
  sinceMs: number
}

export class ProofKeeper {
  readonly counts = { found: 0, missing: 0, unanswered: 0, failures: 0 }
  readonly #options: ProofKeeperOptions
  readonly tasks: readonly PeriodicTask[]
  readonly #task: PeriodicTask
  readonly #listeners = new Set<() => void>()
  /** By user and subject. */
  readonly #proofs = new Map<string, SavedProof>()
  /** Time of the last check that no resolver answered, Unix milliseconds, by user and subject. */
  readonly #unansweredMs = new Map<string, number>()
  readonly #checking = new Map<string, Promise<void>>()
  /** The sites of the start, until there are proofs for them. */
  #sites: ProvedSites | null = null
  /** Keys of the sites that are turned off. */
  #off: ReadonlySet<string> = new Set()
  #version = -1
  #claims: Claim[] = []
  #isStopped = false

  constructor(options: ProofKeeperOptions) {
    const { clock, log } = options
    this.#options = options
    this.#task = new PeriodicTask({
      name: 'proofs',
      periodMs: tickMs,
      run: () => this.#work(),
      failure: 'proofs could not be kept in the store; trying again',
      ...{ clock, log },
    })
    this.tasks = [this.#task]
  }

  /** Rejects when the store can't be read: without the proofs, sites would not be watched that should be. */
  async start(): Promise<void> {
    for (const proof of await this.#options.store.loadProofs())
      this.#proofs.set(proofKey(proof.userId, proof.subject), proof)
    this.#claims = this.#claimsNow()
    this.#sites = await readProvedSites(this.#options.store, this.#options.policy)
    this.#off = this.#sites.off
    this.#task.start()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#task.stop()
  }

  /** The listener is called when the claims have changed. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** What users have proved. */
  claims(): readonly Claim[] {
    return this.#claims
  }

  all(): Iterable<SavedProof> {
    return this.#proofs.values()
  }

  /** Number of proofs whose check is overdue. */
  get late(): number {
    return this.#countOf(isLate)
  }

  /** Number of unverified proofs by which sites are still watched. */
  get inGrace(): number {
    return this.#countOf(isInGrace)
  }

  /** Sites that are turned off miss nothing. */
  missing(): MissingProof[] {
    const missing: MissingProof[] = []
    for (const [key, proof] of this.#proofs) {
      const { userId, subject, missingSinceMs } = proof
      if (missingSinceMs === null || this.#off.has(key) || this.#isProved(proof)) continue
      missing.push({ userId, host: siteOf(subject), recordName: challengeName(subject), sinceMs: missingSinceMs })
    }
    return missing
  }

  /** Whether the user has the site, turned on, and it is proved now. */
  isInOrder(userId: string, host: string): boolean {
    for (const [key, proof] of this.#proofs)
      if (proof.userId === userId && siteOf(proof.subject) === host) return !this.#off.has(key) && this.#isProved(proof)
    return false
  }

  /** The proof of a site of the user; null: there is nothing to be proved. */
  async of(user: User, record: HostRecord): Promise<SavedProof | null> {
    const subject = createRegistrar(user, this.#options.policy).mustProve(record) ? subjectOf(record) : null
    if (subject === null) return null
    const found = this.#proofs.get(proofKey(user.id, subject))
    if (found !== undefined) return found
    const made = this.#newProof(user.id, subject)
    await this.#save([made])
    return made
  }

  /** Looks for the proof of a site of the user now; null: there is nothing to be proved. */
  async check(user: User, record: HostRecord): Promise<SavedProof | null> {
    const proof = await this.of(user, record)
    if (proof === null) return null
    const key = proofKey(user.id, proof.subject)
    await this.#check(key)
    this.#settle()
    return this.#proofs.get(key) ?? proof
  }

  /** Follows changes of sites and users, and checks the proofs that are due. */
  tick(): Promise<void> {
    return this.#task.run()
  }

  async #work(): Promise<void> {
    try {
      await this.#followSites()
      const due = this.#due(this.#options.clock.now())
      for (let at = 0; at < due.length && !this.#isStopped; at += checksAtOnce)
        await Promise.all(due.slice(at, at + checksAtOnce).map((key) => this.#check(key)))
    } catch (error) {
      this.counts.failures++
      throw error
    } finally {
      this.#settle()
    }
  }

  /** A proof exists as long as its site does. */
  async #followSites(): Promise<void> {
    const { store } = this.#options
    const version = await store.sitesVersion()
    if (version === this.#version) return
    // A proof that is made while the sites are read belongs to a newer site.
    const known = [...this.#proofs]
    const sites = this.#sites?.version === version ? this.#sites : await readProvedSites(store, this.#options.policy)
    const { subjects: wanted } = sites
    const gone = known.filter(([key]) => !wanted.has(key))
    await store.deleteProofs(gone.map(([, proof]) => proof))
    for (const [key] of gone) this.#proofs.delete(key)
    const missing = [...wanted].filter(([key]) => !this.#proofs.has(key))
    await this.#save(missing.map(([, { userId, subject }]) => this.#newProof(userId, subject)))
    this.#off = sites.off
    this.#version = sites.version
    this.#sites = null
  }

  /** Keys of the proofs that are due, the longest overdue first. A check in the future is due: the clock was set back. */
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
    for (const proof of proofs) this.#proofs.set(proofKey(proof.userId, proof.subject), proof)
  }

  /** Calls the listeners when the claims have changed, by a check or by time. */
  #settle(): void {
    const claims = this.#claimsNow()
    if (JSON.stringify(claims) === JSON.stringify(this.#claims)) return
    this.#claims = claims
    for (const listener of this.#listeners) listener()
  }

  #claimsNow(): Claim[] {
    const nowMs = this.#options.clock.now()
    return [...this.#proofs.values()].map((proof) => claimOf(proof, nowMs)).filter((claim) => claim !== null)
  }

  #countOf(is: (proof: SavedProof, nowMs: number) => boolean): number {
    const nowMs = this.#options.clock.now()
    return [...this.all()].filter((proof) => is(proof, nowMs)).length
  }

  /** By its own proof, or by that of more. */
  #isProved({ userId, subject }: Pick<SavedProof, 'userId' | 'subject'>): boolean {
    for (const each of [subject, ...widerSubjects(subject)]) {
      const proof = this.#proofs.get(proofKey(userId, each))
      if (proof !== undefined && stateOf(proof) === 'verified') return true
    }
    return false
  }

  #newProof(userId: string, subject: Subject): SavedProof {
    return newProof(userId, subject, { token: newToken(), nowMs: this.#options.clock.now() })
  }
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** Base32 (RFC 4648), in lower case: five bits of each of 32 octets. */
function newToken(): string {
  return Array.from(randomBytes((tokenOctets * 8) / 5), (octet) => alphabet[octet & 31]).join('')
}
