// What to do about the attack, by its kind, and how to see it in packets.
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import type { MessageKey } from '../../shared/i18n/messages.ts'
import { Card } from '../../shared/ui/basics.tsx'
import { Code } from '../../shared/ui/overlays.tsx'
import type { EventReport } from './queries.ts'
import { type Family, familyOf } from './vectors.ts'
import './event-page.css'

const steps: Readonly<Record<Family, readonly MessageKey[]>> = {
  amplification: ['advice.filterUpstream', 'advice.amplification', 'advice.blackhole'],
  syn: ['advice.synCookies', 'advice.scrub', 'advice.noSourceBlock'],
  connection: ['advice.connectionLimits', 'advice.proxy', 'advice.crowd'],
  tcp: ['advice.stateless', 'advice.scrub', 'advice.noSourceBlock'],
  udp: ['advice.closePorts', 'advice.filterUpstream', 'advice.blackhole'],
  icmp: ['advice.icmp', 'advice.scrub'],
  fragment: ['advice.fragments', 'advice.scrub'],
  protocol: ['advice.protocol', 'advice.scrub'],
  unknown: ['advice.crowd', 'advice.lookAtSources', 'advice.scrub'],
}

export function NextSteps({ event }: { event: EventReport }) {
  const { t } = useTranslator()
  const filter = packetFilter(event)
  return (
    <Card title={t('advice.title')}>
      <ol className="next-steps">
        {steps[familyOf(event.attackType)].map((key) => (
          <li key={key}>{t(key)}</li>
        ))}
        <li>
          {t('advice.capture')}
          <Code text={`tcpdump -ni any -c 1000 '${filter}'`} />
        </li>
      </ol>
    </Card>
  )
}

const tcpFlagsByKind: Readonly<Record<string, string>> = {
  syn: 'tcp[tcpflags] & (tcp-syn|tcp-ack) == tcp-syn',
  synack: 'tcp[tcpflags] & (tcp-syn|tcp-ack) == (tcp-syn|tcp-ack)',
  rst: 'tcp[tcpflags] & tcp-rst != 0',
  fin: 'tcp[tcpflags] & tcp-fin != 0',
  ack: 'tcp[tcpflags] == tcp-ack',
  null: 'tcp[tcpflags] == 0',
}

/** What tcpdump takes; made of an address, a port and words of this table only. */
function packetFilter({ address, attackType, statistics }: EventReport): string {
  const to = `dst host ${address}`
  const [protocol = '', , kind = ''] = attackType?.split('@') ?? []
  const name = kind.split('_')[0]
  if (name === 'frag') return `${to} and ip[6:2] & 0x3fff != 0`
  const [port] = statistics.sourcePorts.entries
  if (name === 'amp' && port !== undefined) return `${to} and udp src port ${port.item}`
  const flags = protocol === 'tcp' ? tcpFlagsByKind[name] : undefined
  if (flags !== undefined) return `${to} and ${flags}`
  return protocol === 'tcp' || protocol === 'udp' || protocol === 'icmp' ? `${to} and ${protocol}` : to
}
