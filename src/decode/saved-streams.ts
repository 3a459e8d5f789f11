// The saved state of streams, which outlives the process: templates, sampling, the exporter's start. It is checked when it is read, since a disk may have changed
// it.
import type { ExportProtocol } from '../flow/columns.ts'
import type { SamplingEntry } from './sampling/sampling.ts'
import { type Definition, fieldsOf } from './templates/definition.ts'

/** The key of a stream. */
export interface StreamKey {
  protocol: ExportProtocol
  address: string
  port: number
  domain: number
}

export type SavedTemplate = Omit<Definition, 'protocol'>

export interface SavedStream extends StreamKey {
  /** Last datagram, Unix milliseconds. */
  seenMs: number
  /** When the exporter started, by its options data; 0: unknown. */
  bootMs: number
  /** Its time and its uptime by its last header; 0: unknown. */
  exportMs: number
  uptimeMs: number
  /** It has sent records for minutes: it gives way to no newcomer. */
  isProven: boolean
  sampling: SamplingEntry[]
  templates: SavedTemplate[]
}

/** What has changed of a stream since it was last asked. */
export interface StreamChange extends Omit<SavedStream, 'templates'> {
  /** All that it has now, in place of those before; null: they are the same. */
  templates: SavedTemplate[] | null
}

/** What a row of the store takes beside its octets, and a rate within one, about. Octets. */
export const rowOctets = 200
const rateOctets = 48

/** What a stream takes in the store, about. Octets. */
export function octetsOf({ sampling, templates }: StreamChange): number {
  const ofTemplates = (templates ?? []).reduce((sum, { octets }) => sum + octets.length + rowOctets, 0)
  return rowOctets + sampling.length * rateOctets + ofTemplates
}

export interface CheckedStreams {
  streams: SavedStream[]
  /** Streams, templates and sampling entries that could not be. */
  refused: number
}

/** The saved streams with a datagram after `seenMs`, as far as they can be used. */
export function checkSaved(saved: readonly SavedStream[], seenMs: number): CheckedStreams {
  const streams: SavedStream[] = []
  let refused = 0
  for (const stream of saved) {
    const { protocol } = stream
    if (!isStream(stream) || (protocol !== 'netflow9' && protocol !== 'ipfix')) {
      refused++
      continue
    }
    if (stream.seenMs < seenMs) continue
    const templates = stream.templates.filter((template) => fieldsOf({ protocol, ...template }) !== null)
    const sampling = stream.sampling.filter(isEntry)
    refused += stream.templates.length - templates.length + stream.sampling.length - sampling.length
    streams.push({ ...stream, templates, sampling })
  }
  return { streams, refused }
}

function isStream({ address, port, domain, seenMs, bootMs, exportMs, uptimeMs }: SavedStream): boolean {
  if (address.length === 0 || address.length > 64) return false
  if (!isCount(port, 0xffff) || !isCount(domain, 0xffff_ffff)) return false
  return [seenMs, bootMs, exportMs, uptimeMs].every((ms) => Number.isFinite(ms))
}

/** Entries come as JSON: nothing about them is sure. */
function isEntry(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false
  const { scope, id, rate, sampler } = { id: 1, rate: 1, sampler: 1, scope: '', ...entry }
  const known = ['sampler', 'interface', 'template', 'sequence', 'exporter'].includes(scope)
  const rated = typeof rate === 'number' && (rate === 0 || (rate >= 1 && rate <= 2 ** 32))
  return known && rated && isCount(id, Number.MAX_SAFE_INTEGER) && isCount(sampler, Number.MAX_SAFE_INTEGER)
}

function isCount(value: unknown, max: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max
}
