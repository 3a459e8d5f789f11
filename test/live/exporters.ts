// The real exporters, by the protocol that they speak. They watch the victim's end of the wire and report to the lab's tap.
import { writeFileSync } from 'node:fs'
import type { Lab } from './lab.ts'

export interface Exporter {
  name: string
  /** The option of `serve` whose port receives it. */
  option: '--netflow' | '--ipfix' | '--sflow'
  /** nfdump's collector for it. */
  collector: 'nfcapd' | 'sfcapd'
  start: (lab: Lab, to: { address: string; port: number }, folder: string) => void
}

/** Seconds; short, so that records leave while the attack goes on, as from a router with a short active timeout. */
const timeouts = ['general=1', 'tcp=1', 'tcp.rst=1', 'tcp.fin=1', 'udp=1', 'icmp=1', 'maxlife=2', 'expint=1']

const softflowd =
  (version: string): Exporter['start'] =>
  (lab, { address, port }, folder) => {
    const files = ['-p', `${folder}/softflowd.pid`, '-c', `${folder}/softflowd.ctl`]
    const limits = [...timeouts.flatMap((timeout) => ['-t', timeout]), '-m', '100000']
    lab.start(
      'softflowd',
      ['-d', '-N', '-i', lab.wire, '-v', version, '-n', `${address}:${port}`, ...files, ...limits],
      {
        namespace: lab.victim,
      },
    )
  }

const sfprobe: Exporter['start'] = (lab, { address, port }, folder) => {
  const file = `${folder}/pmacctd.conf`
  const settings = [
    'daemonize: false',
    `pcap_interface: ${lab.wire}`,
    'plugins: sfprobe[lab]',
    `sfprobe_receiver[lab]: ${address}:${port}`,
    `sfprobe_agentip[lab]: ${lab.exporterAddress}`,
    'sampling_rate[lab]: 1',
  ]
  writeFileSync(file, `${settings.join('\n')}\n`)
  lab.start('pmacctd', ['-f', file], { namespace: lab.victim })
}

export const exporters: readonly Exporter[] = [
  { name: 'NetFlow v5 by softflowd', option: '--netflow', collector: 'nfcapd', start: softflowd('5') },
  { name: 'NetFlow v9 by softflowd', option: '--netflow', collector: 'nfcapd', start: softflowd('9') },
  { name: 'IPFIX by softflowd', option: '--ipfix', collector: 'nfcapd', start: softflowd('10') },
  { name: 'sFlow by pmacctd', option: '--sflow', collector: 'sfcapd', start: sfprobe },
]
