// The networks and the addresses of the caller's sites that an attack on a network hits.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useRates } from '../../../shared/format/moments.tsx'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Bar, Card } from '../../../shared/ui/basics.tsx'
import type { EventReport } from '../queries.ts'
import './victims.css'

/** What is hit harder comes first; of very many only the first are of use. */
const networksMax = 16
const addressesMax = 20

export function Victims({ event: { networks, victims } }: { event: EventReport }) {
  const { t } = useTranslator()
  if (victims.length === 0) return null
  const all = networks.reduce((sum, { addresses }) => sum + addresses, 0)
  const shown = victims.slice(0, addressesMax)
  return (
    <Card title={t('victims.title', { count: all })}>
      {networks.length > 1 && (
        <>
          <Rows
            rows={networks.slice(0, networksMax).map(({ network, addresses, ...rates }) => ({
              key: network,
              label: (
                <span>
                  <span className="mono">{network}</span>{' '}
                  <span className="quiet">{t('victims.addresses', { count: addresses })}</span>
                </span>
              ),
              ...rates,
            }))}
          />
          <More count={networks.length - networksMax} />
        </>
      )}
      <Rows
        rows={shown.map(({ address, ...rates }) => ({
          key: address,
          label: (
            <Link to="/addresses" search={{ address }} className="mono">
              {address}
            </Link>
          ),
          ...rates,
        }))}
      />
      <More count={all - shown.length} />
    </Card>
  )
}

interface Row {
  key: string
  label: ReactNode
  packetsPerSecond: number
  bytesPerSecond: number
}

function Rows({ rows }: { rows: readonly Row[] }) {
  const { bits, packets } = useRates()
  const most = Math.max(...rows.map(({ packetsPerSecond }) => packetsPerSecond), 1e-9)
  return (
    <ul className="bars rates victims">
      {rows.map(({ key, label, packetsPerSecond, bytesPerSecond }) => (
        <li key={key}>
          {label}
          <span className="num quiet">{bits(bytesPerSecond)}</span>
          <span className="num">{packets(packetsPerSecond)}</span>
          <Bar share={packetsPerSecond / most} />
        </li>
      ))}
    </ul>
  )
}

function More({ count }: { count: number }) {
  const { t } = useTranslator()
  return count > 0 ? <p className="quiet">{t('victims.more', { count })}</p> : null
}
