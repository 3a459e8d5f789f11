// Of an attack on a network: the addresses of the site that are hit.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useRates } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Bar, Button, Card } from '../../shared/ui/basics.tsx'
import type { EventReport } from './queries.ts'
import './victims.css'

const fewMax = 8

export function Victims({ event: { victims } }: { event: EventReport }) {
  const { t } = useTranslator()
  const { bits, packets } = useRates()
  const [isWhole, setWhole] = useState(false)
  if (victims.length === 0) return null
  const most = Math.max(...victims.map(({ packetsPerSecond }) => packetsPerSecond), 1e-9)
  return (
    <Card title={t('victims.title', { count: victims.length })}>
      <ul className="bars rates victims">
        {victims.slice(0, isWhole ? victims.length : fewMax).map(({ address, packetsPerSecond, bytesPerSecond }) => (
          <li key={address}>
            <Link to="/addresses" search={{ address }} className="mono">
              {address}
            </Link>
            <span className="num quiet">{bits(bytesPerSecond)}</span>
            <span className="num">{packets(packetsPerSecond)}</span>
            <Bar share={packetsPerSecond / most} />
          </li>
        ))}
      </ul>
      {victims.length > fewMax && (
        <Button look="ghost" onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? t('list.less') : t('list.all', { count: victims.length })}
        </Button>
      )}
    </Card>
  )
}
