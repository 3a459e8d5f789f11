// The real exporters, by the protocol that they speak. They watch the victim's end of the wire and report to the lab's tap.
import { writeFileSync } from 'node:fs'
import type { Lab, Running } from './lab.ts'
import { openVswitch } from './open-vswitch.ts'

export interface Exporter {
  name: string
  /** The option of `serve` whose port receives it. */
  option: '--netflow' | '--ipfix' | '--sflow'
  /** nfdump's collector for it. */
  collector: 'nfcapd' | 'sfcapd'
  /** It reports each packet as it comes in and as it goes out, and nfdump misreads its counters: they are compared with what was on the wire. */
  reportsTwice?: boolean
  /** Gives the process that exports; an interrupt ends it, with what it still has to say. */
  start: (lab: Lab, to: { address: string; port: number }, folder: string) => Running | Promise<Running>
}

/** After how long a flow is reported that goes on, and one that is quiet. Seconds. */
export interface Timeouts {
  active: number
  inactive: number
}

/** Short, so that records leave while the attack goes on, as from a router with a short active timeout. */
const short: Timeouts = { active: 2, inactive: 1 }
const flowsMax = 200_000

function timeoutSettings({ active, inactive }: Timeouts): string[] {
  const kinds = ['general', 'tcp', 'tcp.rst', 'tcp.fin', 'udp', 'icmp']
  return [...kinds.map((kind) => `${kind}=${inactive}`), `maxlife=${active}`, 'expint=1']
}

export const softflowd =
  (version: '5' | '9' | '10', timeouts = short): Exporter['start'] =>
  (lab, { address, port }, folder) => {
    const files = ['-p', `${folder}/softflowd.pid`, '-c', `${folder}/softflowd.ctl`]
    const limits = [...timeoutSettings(timeouts).flatMap((timeout) => ['-t', timeout]), '-m', String(flowsMax)]
    return lab.start(
      'softflowd',
      ['-d', '-N', '-i', lab.wire, '-v', version, '-n', `${address}:${port}`, ...files, ...limits],
      {
        namespace: lab.victim,
      },
    )
  }

/** A plugin of pmacctd that exports what it sees on the wire. */
function pmacctd(lab: Lab, folder: string, settings: readonly string[]): Running {
  const file = `${folder}/pmacctd.conf`
  writeFileSync(file, `${['daemonize: false', `pcap_interface: ${lab.wire}`, ...settings].join('\n')}\n`)
  return lab.start('pmacctd', ['-f', file], { namespace: lab.victim })
}

export const nfprobe =
  (version: 5 | 9 | 10, timeouts = short): Exporter['start'] =>
  (lab, { address, port }, folder) =>
    pmacctd(lab, folder, [
      'plugins: nfprobe[lab]',
      'aggregate[lab]: src_host, dst_host, src_port, dst_port, proto, tos, tcpflags',
      `nfprobe_receiver[lab]: ${address}:${port}`,
      `nfprobe_source_ip[lab]: ${lab.exporterAddress}`,
      `nfprobe_version[lab]: ${version}`,
      `nfprobe_timeouts[lab]: ${timeoutSettings(timeouts).join(':')}`,
      `nfprobe_maxflows[lab]: ${flowsMax}`,
    ])

export const sfprobe: Exporter['start'] = (lab, { address, port }, folder) =>
  pmacctd(lab, folder, [
    'plugins: sfprobe[lab]',
    `sfprobe_receiver[lab]: ${address}:${port}`,
    `sfprobe_agentip[lab]: ${lab.exporterAddress}`,
    'sampling_rate[lab]: 1',
  ])

export const exporters: readonly Exporter[] = [
  { name: 'NetFlow v5 by softflowd', option: '--netflow', collector: 'nfcapd', start: softflowd('5') },
  { name: 'NetFlow v9 by softflowd', option: '--netflow', collector: 'nfcapd', start: softflowd('9') },
  { name: 'IPFIX by softflowd', option: '--ipfix', collector: 'nfcapd', start: softflowd('10') },
  { name: 'sFlow by pmacctd', option: '--sflow', collector: 'sfcapd', start: sfprobe },
]

const [netflow, ipfix, sflow] = [
  { option: '--netflow', collector: 'nfcapd' },
  { option: '--ipfix', collector: 'nfcapd' },
  { option: '--sflow', collector: 'sfcapd' },
] as const

/** Those whose counters are compared one by one: all of the above, and more. */
export const countedExporters: readonly Exporter[] = [
  ...exporters,
  { name: 'NetFlow v5 by pmacctd', ...netflow, start: nfprobe(5) },
  { name: 'NetFlow v9 by pmacctd', ...netflow, start: nfprobe(9) },
  { name: 'IPFIX by pmacctd', ...ipfix, start: nfprobe(10) },
  { name: 'NetFlow v5 by Open vSwitch', ...netflow, start: openVswitch('netflow') },
  // Its records have totals of the whole bridge beside deltas of the flow, which nfdump 1.7.1 adds up.
  { name: 'IPFIX by Open vSwitch', ...ipfix, reportsTwice: true, start: openVswitch('ipfix') },
  { name: 'sFlow by Open vSwitch', ...sflow, start: openVswitch('sflow') },
]
