// The exporters of the table, all on the same wire. Their timeouts are those of routers: many have 60 and 15 seconds, collectors ask for less.
import { type Exporter, nfprobe, sfprobe, softflowd } from '../wire/exporters.ts'
import type { Bridge, RecordKind } from '../wire/open-vswitch.ts'

export interface TableExporter extends Pick<Exporter, 'name' | 'collector'> {
  protocol: keyof typeof collectors
  /** A process, or records of the bridge. */
  by: Exporter['start'] | { kind: RecordKind; settings: readonly string[] }
  /** Octets of each packet that it counts beside those of IP: the Ethernet header, and in sFlow its checksum. */
  frameOctets?: number
  /** It tells no TCP flags: floods of TCP are of no kind. */
  hasNoFlags?: boolean
  /** The service is stopped once, between two attacks, and started again. */
  isRestarted?: boolean
}

const collectors = { netflow: 'nfcapd', ipfix: 'nfcapd', sflow: 'sfcapd' } as const

const row = (
  name: string,
  protocol: TableExporter['protocol'],
  by: TableExporter['by'],
  more: Partial<TableExporter> = {},
): TableExporter => ({ name, protocol, collector: collectors[protocol], by, ...more })

const usual = { active: 60, inactive: 15 }
const quick = { active: 10, inactive: 5 }

export const tableExporters: readonly TableExporter[] = [
  row('NetFlow v5, softflowd, 60/15 s', 'netflow', softflowd('5', usual)),
  row('NetFlow v9, softflowd, 60/15 s', 'netflow', softflowd('9', usual), { isRestarted: true }),
  row('IPFIX, softflowd, 10/5 s', 'ipfix', softflowd('10', quick)),
  row('NetFlow v9, pmacctd, 60/15 s', 'netflow', nfprobe(9, usual)),
  row('IPFIX, pmacctd, 10/5 s', 'ipfix', nfprobe(10, quick)),
  row('sFlow, pmacctd', 'sflow', sfprobe, { frameOctets: 18 }),
  row(
    'NetFlow v5, Open vSwitch, 60 s',
    'netflow',
    { kind: 'netflow', settings: ['active_timeout=60'] },
    { frameOctets: 14 },
  ),
  row(
    'IPFIX, Open vSwitch, 60 s',
    'ipfix',
    { kind: 'ipfix', settings: ['cache_active_timeout=60', 'cache_max_flows=100000'] },
    { hasNoFlags: true },
  ),
  row('sFlow, Open vSwitch', 'sflow', { kind: 'sflow', settings: [] }, { frameOctets: 18 }),
]

export async function startExporter(
  { by }: TableExporter,
  {
    lab,
    bridge,
    to,
    folder,
  }: { lab: Parameters<Exporter['start']>[0]; bridge: Bridge; to: { address: string; port: number }; folder: string },
): Promise<void> {
  if (typeof by === 'function') await by(lab, to, folder)
  else bridge.report(by.kind, to, by.settings)
}
