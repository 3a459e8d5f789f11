// The lists of all attacks, in bounded memory: which records go into them, and what is reported of them.
import type { SealedSlot } from '../../aggregate/sealed-slot.ts'
import type { Incident } from '../incidents/incident.ts'
import type { IncidentDetails, Statistics } from '../incidents/incident-report.ts'
import type { Widening } from '../incidents/widening.ts'
import { evidence as lines } from '../lines/evidence.ts'
import type { Target } from '../targets/target.ts'
import { AttackIndex } from './attack-index.ts'
import { Evidence, evidenceLimits } from './evidence.ts'
import { ExporterNumbers } from './exporter-numbers.ts'
import { shareSince } from './list-gate.ts'
import { ListMemory } from './list-memory.ts'
import { RecentRecords } from './recent-records.ts'
import { statisticsOf } from './statistics.ts'

export interface Attack {
  incident: Incident
  target: Target
}

/** Attacks of one pass whose lists miss records. */
interface Incomplete {
  opened: readonly Attack[]
  /** Attacks that were quiet, came back, or reach another network. */
  resumed: readonly Attack[]
  widened: readonly Widening[]
}

interface AttackListsOptions {
  isJudged: (address: number) => boolean
  /** The targets that have incidents. */
  attacked: Iterable<Target>
}

export class AttackLists {
  readonly #isJudged: (address: number) => boolean
  readonly #places = new ListMemory(lines.places)
  readonly #exporters: ExporterNumbers
  readonly #index: AttackIndex
  readonly #recent = new RecentRecords(lines.recentRecords)

  constructor({ isJudged, attacked }: AttackListsOptions) {
    this.#isJudged = isJudged
    this.#index = new AttackIndex(isJudged, (incident, second, lasted) => incident.takes(second, lasted))
    this.#exporters = new ExporterNumbers((used) => {
      this.#recent.markExporters(used)
      for (const { incidents } of attacked) for (const incident of incidents) incident.markExporters(used)
    })
  }

  /** What had no place in bounded tables: records of the last moments, items of lists, exporters. */
  get refused(): { records: number; items: number; exporters: number } {
    return { records: this.#recent.dropped, items: this.#places.dropped, exporters: this.#exporters.refused }
  }

  /** Number of the latest slot. */
  get latestSlot(): number {
    return this.#recent.latest
  }

  accept(slot: SealedSlot): void {
    this.#exporters.apply(slot)
    const number = this.#recent.keep(slot)
    this.#index.addRecords(slot.records, slot.sealedMs, number)
  }

  create(): Evidence {
    return new Evidence(evidenceLimits, this.#places)
  }

  /** Lists that continue what was reported before a restart of the service. */
  resume(statistics: Statistics): Evidence {
    const evidence = this.create()
    evidence.resume(statistics, lines.listed, (address) => this.#exporters.numberOf(address))
    return evidence
  }

  /** Adds an attack: from now on its records go into its lists. */
  add({ incident, target }: Attack): void {
    this.#index.add(incident, target)
  }

  remove({ incident, target }: Attack): void {
    this.#index.remove(incident, target)
  }

  /** Begins the lists of new attacks, and completes those of attacks that were quiet or are wider by now: one reading of the last moments for all. */
  complete({ opened, resumed, widened }: Incomplete): void {
    if (opened.length + resumed.length + widened.length === 0) return
    const isNew = new Set(opened.map(({ incident }) => incident))
    const unread = new AttackIndex(this.#isJudged, (incident, second, lasted, slot) =>
      isNew.has(incident) ? shareSince(second, lasted, incident.startSecond) : incident.misses(second, lasted, slot),
    )
    for (const { incident, target } of [...opened, ...resumed]) unread.add(incident, target)
    for (const attack of opened) this.add(attack)
    const begun = [...opened, ...resumed].filter(({ incident }) => listedBy(incident) === 0)
    // What a wider attack misses that was quiet as well is read at its network.
    const isResumed = new Set(resumed.map(({ incident }) => incident))
    const read = widened.filter(({ incident }) => !isResumed.has(incident))
    for (const { incident, others } of read) for (const target of others) unread.add(incident, target)
    const before = new Map(read.map(({ incident }) => [incident, listedBy(incident)]))
    this.#recent.addTo(unread)
    for (const attack of begun) noteMissed(attack.incident, countedBy(attack) - listedBy(attack.incident))
    for (const { incident, flows } of widened) {
      const listed = listedBy(incident)
      noteMissed(incident, flows - (listed - (before.get(incident) ?? listed)))
    }
  }

  describe({ evidence, evidenceOfEpisode }: Incident): Pick<IncidentDetails, 'statistics' | 'ofEpisode'> {
    return {
      statistics: statisticsOf(evidence, this.#exporters),
      ofEpisode: evidenceOfEpisode === null ? null : statisticsOf(evidenceOfEpisode, this.#exporters),
    }
  }
}

/** Notes records that came too long ago to be kept: they are missing in lists that begin, and in those of an attack that is wider by now. */
function noteMissed({ evidence, evidenceOfEpisode }: Incident, flows: number): void {
  const missed = Math.round(flows)
  if (missed <= 0) return
  evidence.lost(missed)
  evidenceOfEpisode?.lost(missed)
}

/** Records that came in the latest episode, whether or not they are listed. */
function countedBy({ incident, target }: Attack): number {
  const { ring } = target.total
  return ring === null ? 0 : ring.sum(incident.episodeStart, ring.last + 1).flows
}

/** Records in the lists of the latest episode. */
function listedBy({ evidence, evidenceOfEpisode }: Incident): number {
  const { protocol } = (evidenceOfEpisode ?? evidence).lists
  let records = 0
  for (let row = 0; row < protocol.size; row++) records += protocol.flows(row)
  return records
}
