// What to do about the attack, by its kind, and how to see it in packets.
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import type { MessageKey } from '../../../shared/i18n/messages.ts'
import { Card } from '../../../shared/ui/basics.tsx'
import { Code } from '../../../shared/ui/overlays.tsx'
import type { EventReport } from '../queries.ts'
import { type Family, familyOf } from '../vectors.ts'
import { packetFilter } from './packet-filter.ts'
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
        {stepsFor(event).map((key) => (
          <li key={key}>{t(key)}</li>
        ))}
        <li>
          {t(event.network === null ? 'advice.capture' : 'advice.captureNetwork')}
          <Code text={`tcpdump -ni any -c 1000 '${filter}'`} />
        </li>
      </ol>
    </Card>
  )
}

/** Where a whole network is hit, to give up one address saves nothing. */
function stepsFor({ attackType, network }: EventReport): readonly MessageKey[] {
  const all = steps[familyOf(attackType)]
  return network === null ? all : all.filter((key) => key !== 'advice.blackhole')
}
