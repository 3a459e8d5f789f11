// What the service as a whole measures; the components' own metrics are declared beside them.
import type { MetricRow, Metrics } from '../metrics.ts'
import { stateOf } from '../names/proof.ts'
import type { Store } from '../store/store.ts'
import type { BaselineKeeper } from './baseline-keeper.ts'
import type { ObservationKeeper } from './observation-keeper.ts'
import type { ProofKeeper } from './proof-keeper.ts'
import type { Recorder } from './recorder.ts'
import type { Retention } from './retention.ts'
import type { SeriesWriter } from './series-writer.ts'
import type { SimulationRunner } from './simulations.ts'
import type { StreamStates } from './stream-states.ts'

export const serviceMetrics = {
  build: { name: 'floodgauge_build_info', help: 'Always 1; the label says which version runs.', labels: ['version'] },
  pass: { name: 'floodgauge_detect_tick_duration_seconds', help: 'Time that a detection pass took.' },
  slotsDelayed: {
    name: 'floodgauge_slots_delayed_total',
    help: 'Slots that a collector sealed late, since the detector had not taken those before: it is behind.',
  },
  events: { name: 'floodgauge_events_total', help: 'Events made: one for each owner of an attacked site.' },
  unowned: {
    name: 'floodgauge_events_unowned_total',
    help: 'Reports of attacks on addresses that were nobody’s by then.',
  },
  pending: { name: 'floodgauge_events_pending', help: 'Attacks whose latest state is not in the store yet.' },
  refused: {
    name: 'floodgauge_events_refused_total',
    help: 'Reports turned away since too many waited for the store.',
  },
  failures: {
    name: 'floodgauge_events_write_failures_total',
    help: 'Attempts to write events that failed; they are made again.',
  },
  series: { name: 'floodgauge_series_points_total', help: 'Minutes of traffic of a target, written.' },
  seriesRefused: {
    name: 'floodgauge_series_refused_total',
    help: 'Minutes of traffic of a target turned away since too many waited for the store.',
  },
  pruned: {
    name: 'floodgauge_retention_rows_deleted_total',
    help: 'Rows deleted because they were older than the retention.',
  },
  statesRestored: { name: 'floodgauge_ingest_templates_restored', help: 'Templates known from before the start.' },
  statesSaved: {
    name: 'floodgauge_ingest_templates_saved_total',
    help: 'Templates of exporters written to the store, for the next start.',
  },
  statesUnusable: {
    name: 'floodgauge_ingest_saved_state_refused_total',
    help: 'What was saved of exporters and could not be used: damaged (damaged), or too much at once to be saved (overflow).',
    labels: ['reason'],
  },
  observationsSaved: {
    name: 'floodgauge_observations_saved_total',
    help: 'Observed names and addresses written to the store: those that were seen for a minute at least, every five minutes.',
  },
  observationsDeleted: {
    name: 'floodgauge_observations_deleted_total',
    help: 'Observed names and addresses deleted from the store, since they are old, or too many.',
  },
  baselinesSaved: {
    name: 'floodgauge_baselines_saved_total',
    help: 'What is normal for a /24 and its addresses, written to the store for the next start.',
  },
  baselinesRefused: {
    name: 'floodgauge_baselines_refused_total',
    help: 'What was saved of what is normal for a /24 and could not be used: damaged (damaged), or too much at once to be saved (overflow).',
    labels: ['reason'],
  },
  proofs: {
    name: 'floodgauge_proofs',
    help: 'What users prove to control, by state: pending (not yet), verified, missed (the record was not there), unverified (not there three times).',
    labels: ['state'],
  },
  proofsLate: {
    name: 'floodgauge_proofs_late',
    help: 'Proofs that sites rest on and that should have been looked for an hour ago or longer: no resolver can tell of them.',
  },
  proofsInGrace: {
    name: 'floodgauge_proofs_in_grace',
    help: 'Proofs that are unverified and by which sites are still watched, for seven days.',
  },
  proofChecks: {
    name: 'floodgauge_proof_checks_total',
    help: 'Times that the record of a proof was looked for: found, missing, unanswered (no resolver could tell).',
    labels: ['result'],
  },
  proofFailures: {
    name: 'floodgauge_proof_write_failures_total',
    help: 'Attempts to keep proofs in the store that failed; they are made again.',
  },
  simulations: {
    name: 'floodgauge_simulations_total',
    help: 'Attacks simulated, by result: begun, found (there was an event of it), refused (too many at a time).',
    labels: ['result'],
  },
  simulatedDatagrams: {
    name: 'floodgauge_simulated_datagrams_total',
    help: 'Datagrams of simulated attacks, which no exporter is credited with: counted, or late (dropped, since the simulation was over).',
    labels: ['result'],
  },
  size: { name: 'floodgauge_db_size_bytes', help: 'Room that the store takes.' },
} as const satisfies Record<string, MetricRow>

interface Measured {
  version: string
  store: Store
  recorder: Recorder
  series: SeriesWriter
  retention: Retention
  states: StreamStates
  baselines: BaselineKeeper
  observations: ObservationKeeper
  proofs: ProofKeeper
  simulations: SimulationRunner
}

export function registerServiceMetrics(
  metrics: Metrics,
  { version, store, recorder, series, retention, states, baselines, observations, proofs, simulations }: Measured,
): void {
  const rows = serviceMetrics
  const single = (value: number) => [{ labels: {}, value }]
  metrics.gaugeFrom(rows.build, () => [{ labels: { version }, value: 1 }])
  metrics.counterFrom(rows.events, () => single(recorder.counts.events))
  metrics.counterFrom(rows.unowned, () => single(recorder.counts.unowned))
  metrics.gaugeFrom(rows.pending, () => single(recorder.pending))
  metrics.counterFrom(rows.refused, () => single(recorder.counts.refused))
  metrics.counterFrom(rows.failures, () => single(recorder.counts.failures))
  metrics.counterFrom(rows.series, () => single(series.counts.points))
  metrics.counterFrom(rows.seriesRefused, () => single(series.counts.refused))
  metrics.counterFrom(rows.pruned, () => single(retention.rowsDeleted))
  metrics.gaugeFrom(rows.statesRestored, () => single(states.counts.restored))
  metrics.counterFrom(rows.statesSaved, () => single(states.counts.saved))
  metrics.counterFrom(rows.statesUnusable, () => [
    { labels: { reason: 'damaged' }, value: states.counts.unusable },
    { labels: { reason: 'overflow' }, value: states.counts.refused },
  ])
  metrics.counterFrom(rows.observationsSaved, () => single(observations.counts.saved))
  metrics.counterFrom(rows.observationsDeleted, () => single(observations.counts.deleted))
  metrics.counterFrom(rows.baselinesSaved, () => single(baselines.counts.saved))
  metrics.counterFrom(rows.baselinesRefused, () => [
    { labels: { reason: 'damaged' }, value: baselines.counts.damaged },
    { labels: { reason: 'overflow' }, value: baselines.counts.overflowed },
  ])
  metrics.gaugeFrom(rows.proofs, () => {
    const counts = { pending: 0, verified: 0, missed: 0, unverified: 0 }
    for (const proof of proofs.all()) counts[stateOf(proof)]++
    return Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }))
  })
  metrics.gaugeFrom(rows.proofsLate, () => single(proofs.late))
  metrics.gaugeFrom(rows.proofsInGrace, () => single(proofs.inGrace))
  metrics.counterFrom(rows.proofChecks, () =>
    (['found', 'missing', 'unanswered'] as const).map((result) => ({
      labels: { result },
      value: proofs.counts[result],
    })),
  )
  metrics.counterFrom(rows.proofFailures, () => single(proofs.counts.failures))
  metrics.counterFrom(rows.simulations, () =>
    (['begun', 'found', 'refused'] as const).map((result) => ({
      labels: { result },
      value: simulations.counts[result],
    })),
  )
  metrics.gaugeFrom(rows.size, async () => single(await store.sizeBytes()))
}

/** Passes take milliseconds; one that takes a second delays the next. */
export const passBuckets = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5]
