// What the service says of flows that it did not count: each honest exporter's stream beside what was sent, then every counter of what was refused, given
// up or lost on the way, so that a test that misses some says where they went.
import type { ExportProtocol } from '../../../src/flow/columns.ts'
import { metricsOf } from '../../helpers/metrics.ts'

/** What one exporter has sent from a socket of its own. */
export interface SentFlows {
  protocol: ExportProtocol
  port: number
  flows: number
  /** Datagrams that the system did not take. */
  unsent: number
}

interface Streams {
  streams: {
    protocol: ExportProtocol
    port: number
    flows: number
    datagrams: number
    sequence: object
    templateCount: number
    waitingSets: object
    undecodedSets: object
    errors: object
  }[]
}

/** Counters by which a flow that arrived may not be counted. */
const ways =
  /^floodgauge_(?:ingest_(?:refused|missing_templates|late_templates|undecoded_sets|decode_errors|socket_drops|sequence_lost|egress_again|restarts|sampling_jumps)|fold_|slots_|table_(?:gave_way|proven_gave_way)|detect_behind|task_failures)/

/** Lines that say what became of the flows; `headers` are those of an admin. */
export async function lossesOf(
  { url, headers, address }: { url: string; headers: Record<string, string>; address: string },
  sent: readonly SentFlows[],
): Promise<string[]> {
  const answer = await fetch(`${url}/api/v1/exporters/${address}`, { headers })
  const { streams } = (await answer.json()) as Streams
  const exporters = sent.map(({ protocol, port, flows, unsent }) => {
    const found = streams.filter((stream) => stream.protocol === protocol && stream.port === port)
    return `${protocol} from port ${port}: ${flows} flows sent, ${unsent} datagrams not taken; ${JSON.stringify(found)}`
  })
  return [...exporters, ...sumsOf(await metricsOf(url)).map(([series, sum]) => `${series} ${sum}`)]
}

/** Sums over the exporters, by reason; those that are 0 are left out. */
function sumsOf(text: string): [string, number][] {
  const sums = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (!ways.test(line)) continue
    const [series, value] = line.split(/ (?=\S+$)/)
    const key = series.replace(/(?:exporter|proto)="[^"]*",?/g, '').replace(/,?\}$/, '}')
    sums.set(key, (sums.get(key) ?? 0) + Number(value))
  }
  return [...sums].filter(([, sum]) => sum !== 0)
}
