// What the traffic of the attack consists of, by vector.

import { useRates } from '../../../shared/format/moments.tsx'
import { formatShare } from '../../../shared/format/rates.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Bar, Card } from '../../../shared/ui/basics.tsx'
import { vectorShares } from '../parts-of-attack.ts'
import type { EventReport } from '../queries.ts'
import { attackName } from '../vectors.ts'

export function Vectors({ event }: { event: EventReport }) {
  const translator = useTranslator()
  const { t, language } = translator
  const { packets } = useRates()
  if (event.vectors.length === 0) return null
  return (
    <Card title={t('vectors.title')}>
      <ul className="bars">
        {vectorShares(event).map(({ attackType, share, packetsPerSecond }, i) => (
          <li key={attackType}>
            <span title={attackType}>{attackName(attackType, translator)}</span>
            <span className="num quiet">{packets(packetsPerSecond)}</span>
            <b className="num">{formatShare(share, language)}</b>
            <Bar share={share} color={`var(--series-${(i % 5) + 1})`} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
