// The thresholds of detection, one row each; the rows of each subject are a file of lines/. Rate, ratio and time of each vector are in
// vectors/vectors.ts, and what an operator may set is in settings.ts: a number that decides is in one of these three places. The tables in docs/detect.md
// are made of these rows.
import { connectionRows } from './lines/connections.ts'
import { evidenceRows } from './lines/evidence.ts'
import { incidentRows } from './lines/incidents.ts'
import { judgementRows } from './lines/judgement.ts'
import type { Lines } from './lines/line.ts'
import { networkRows } from './lines/networks.ts'
import { normalRows } from './lines/normal.ts'
import { traceRows } from './lines/traces.ts'

/** All rows, by the name of their table in docs/detect.md. */
export const lines = {
  judgement: judgementRows,
  connections: connectionRows,
  networks: networkRows,
  normal: normalRows,
  incidents: incidentRows,
  evidence: evidenceRows,
  traces: traceRows,
} as const satisfies Readonly<Record<string, Lines>>
