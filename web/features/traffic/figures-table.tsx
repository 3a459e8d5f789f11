// What each curve comes to: least, average, 95th percentile, most, busiest second, last.
import { Link } from '@tanstack/react-router'
import { formatAmount } from '../../shared/format/rates.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { figuresOf } from './figures.ts'
import { type Curve, curveOf, firstCounted, partsOf } from './parts.ts'
import { type Metric, type Traffic, unitKeys } from './queries.ts'
import type { TrafficSearch } from './search.ts'
import '../../shared/charts/charts.css'
import './traffic-page.css'

interface FiguresTableProps {
  traffic: Traffic
  metric: Metric
  by: TrafficSearch['by']
}

const columns = ['min', 'average', 'p95', 'max', 'peak', 'last'] as const

export function FiguresTable({ traffic, metric, by }: FiguresTableProps) {
  const { t } = useTranslator()
  const parts = partsOf(traffic, metric)
  const first = firstCounted(traffic)
  return (
    <Scroll label={t('traffic.figures')}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t('traffic.what')}</th>
            {columns.map((column) => (
              <th key={column} scope="col" className="num">
                {t(`traffic.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {parts.map(({ name, color, ...curve }) => (
            <Row key={name ?? ''} curve={curve} first={first} metric={metric} color={color}>
              {name === null ? t('traffic.rest') : <Name name={name} by={by} />}
            </Row>
          ))}
          <Row
            curve={curveOf(traffic.total, metric)}
            first={first}
            metric={metric}
            color={parts.length === 0 ? '--series-1' : undefined}
          >
            <b>{t('traffic.total')}</b>
          </Row>
          {traffic.previous !== null && (
            <Row
              curve={curveOf(traffic.previous, metric)}
              first={firstCounted(traffic, true)}
              metric={metric}
              color="--text-2"
            >
              {t('traffic.before')}
            </Row>
          )}
        </tbody>
      </table>
    </Scroll>
  )
}

function Name({ name, by }: { name: string; by: TrafficSearch['by'] }) {
  return by === 'address' ? (
    <Link to="/addresses" search={{ address: name }} className="row-link mono">
      {name}
    </Link>
  ) : (
    <Link from="/traffic" search={(before: TrafficSearch) => ({ ...before, site: name })} className="row-link">
      {name}
    </Link>
  )
}

interface RowProps {
  curve: Omit<Curve, 'name' | 'color'>
  first: number
  metric: Metric
  color?: string | undefined
  children: React.ReactNode
}

function Row({ curve, first, metric, color, children }: RowProps) {
  const { t, language } = useTranslator()
  const figures = figuresOf(curve, first)
  return (
    <tr>
      <td>
        <span className="keyed">
          {color !== undefined && <i className="swatch" style={{ background: `var(${color})` }} />}
          {children}
        </span>
      </td>
      {columns.map((column) => (
        <td key={column} className="num nowrap">
          {figures === null ? '–' : formatAmount(figures[column], language, t(unitKeys[metric]))}
        </td>
      ))}
    </tr>
  )
}
