// The lists of all attacks, in bounded memory: which records go into them, and what is reported of them.
import type { SealedSlot } from '../aggregate/sealed-slot.ts'
import { AttackedIndex } from './attacked-index.ts'
import { Evidence, evidenceLimits } from './evidence.ts'
import { ExporterNumbers } from './exporter-numbers.ts'
import type { Incident } from './incident.ts'
import type { IncidentDetails, Statistics } from './incident-report.ts'
import { Places } from './places.ts'
import { RecentRecords } from './recent-records.ts'
import { statisticsOf, topMax } from './statistics.ts'
import type { Target } from './target.ts'

export interface Attack {
  incident: Incident
  target: Target
}

interface AttackListsOptions {
  isJudged: (address: number) => boolean
  /** The targets that have incidents. */
  attacked: Iterable<Target>
}

/** Places of all evidence lists together, of some 60 octets each. */
const evidencePlaces = 1 << 22
/** Records of the last moments, of 42 octets each. */
const recentRecordsMax = 1 << 21

export class AttackLists {
  readonly #isJudged: (address: number) => boolean
  readonly #places = new Places(evidencePlaces)
  readonly #exporters: ExporterNumbers
  readonly #index: AttackedIndex
  readonly #recent = new RecentRecords(recentRecordsMax)

  constructor({ isJudged, attacked }: AttackListsOptions) {
    this.#isJudged = isJudged
    this.#index = new AttackedIndex(isJudged, (incident, endSecond) => incident.takes(endSecond))
    this.#exporters = new ExporterNumbers((used) => {
      this.#recent.markExporters(used)
      for (const { incidents } of attacked) for (const incident of incidents) incident.markExporters(used)
    })
  }

  /** What found no place in bounded tables: records of the last moments, items of lists, exporters. */
  get refused(): { records: number; items: number; exporters: number } {
    return { records: this.#recent.dropped, items: this.#places.dropped, exporters: this.#exporters.refused }
  }

  /** The number of the slot that was taken in last. */
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

  /** Lists that go on with what was reported before the service was started again. */
  resume(statistics: Statistics): Evidence {
    const evidence = this.create()
    evidence.resume(statistics, topMax, (address) => this.#exporters.numberOf(address))
    return evidence
  }

  /** From now on records go into the lists of the attack. */
  add({ incident, target }: Attack): void {
    this.#index.add(incident, target)
  }

  remove({ incident, target }: Attack): void {
    this.#index.remove(incident, target)
  }

  /** Begins the lists of new attacks, and completes those of attacks that were quiet: one reading of the last moments for all. */
  complete(opened: readonly Attack[], resumed: readonly Attack[]): void {
    if (opened.length + resumed.length === 0) return
    const isNew = new Set(opened.map(({ incident }) => incident))
    const unread = new AttackedIndex(this.#isJudged, (incident, endSecond, slot) =>
      isNew.has(incident) ? endSecond >= incident.startSecond : incident.misses(endSecond, slot),
    )
    for (const { incident, target } of [...opened, ...resumed]) unread.add(incident, target)
    for (const attack of opened) this.add(attack)
    const begun = [...opened, ...resumed].filter(({ incident }) => listedBy(incident) === 0)
    this.#recent.addTo(unread)
    for (const attack of begun) noteMissed(attack)
  }

  describe({ evidence, evidenceOfEpisode }: Incident): Pick<IncidentDetails, 'statistics' | 'ofEpisode'> {
    return {
      statistics: statisticsOf(evidence, this.#exporters),
      ofEpisode: evidenceOfEpisode === null ? null : statisticsOf(evidenceOfEpisode, this.#exporters),
    }
  }
}

/** Records that came so long ago that they are not kept any more are missing in lists that begin: as many as were counted, and are not listed. */
function noteMissed({ incident, target }: Attack): void {
  const { ring } = target.total
  const counted = ring === null ? 0 : ring.sum(incident.episodeStart, ring.last + 1).flows
  const missed = Math.round(counted - listedBy(incident))
  if (missed <= 0) return
  incident.evidence.lost(missed)
  incident.evidenceOfEpisode?.lost(missed)
}

/** Records in the lists of the latest episode. */
function listedBy({ evidence, evidenceOfEpisode }: Incident): number {
  const { proto } = (evidenceOfEpisode ?? evidence).lists
  let records = 0
  for (let row = 0; row < proto.size; row++) records += proto.flows(row)
  return records
}
