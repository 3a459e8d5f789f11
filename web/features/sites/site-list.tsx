// Sites as rows, of which only those in sight are made.
import { Link } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { Asterisk, Globe, Network, Server } from 'lucide-react'
import { useRef } from 'react'
import type { Site } from '../../../client/types.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'

const rowHeight = 45

export interface SiteListProps {
  sites: readonly Site[]
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
  onSwitch: (host: string, isEnabled: boolean) => void
}

export function SiteList({ sites, chosen, onChoose, onSwitch }: SiteListProps) {
  const { t } = useTranslator()
  const list = useRef<HTMLDivElement>(null)
  const rows = useWindowVirtualizer({
    count: sites.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (row) => sites[row].host,
  })
  const isAll = sites.every(({ host }) => chosen.has(host))
  const choose = (host: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(host)
    else next.delete(host)
    onChoose(next)
  }
  return (
    <div className="card" role="table" aria-label={t('nav.sites')} aria-rowcount={sites.length + 1}>
      <div role="rowgroup" className="site-head">
        <div role="row" className="site-row">
          <span role="columnheader">
            <input
              type="checkbox"
              aria-label={t('sites.chooseAll')}
              checked={isAll}
              onChange={() => onChoose(isAll ? new Set() : new Set(sites.map(({ host }) => host)))}
            />
          </span>
          <span role="columnheader">{t('sites.host')}</span>
          <span role="columnheader" className="hide-phone">
            {t('sites.group')}
          </span>
          <span role="columnheader" className="hide-phone">
            {t('sites.added')}
          </span>
          <span role="columnheader">{t('sites.watched')}</span>
        </div>
      </div>
      <div role="rowgroup" ref={list} className="site-body" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const { host, group_name, create_time, is_enable } = sites[index]
          return (
            <div
              key={key}
              role="row"
              aria-rowindex={index + 2}
              className="site-row"
              style={{ transform: `translateY(${start - rows.options.scrollMargin}px)` }}
            >
              <span role="cell">
                <input
                  type="checkbox"
                  aria-label={t('sites.choose', { host })}
                  checked={chosen.has(host)}
                  onChange={(event) => choose(host, event.target.checked)}
                />
              </span>
              <span role="cell" className="host">
                <KindIcon host={host} />
                <Link to="/sites/$host" params={{ host }} className="row-link">
                  {host}
                </Link>
              </span>
              <span role="cell" className="quiet hide-phone">
                {group_name}
              </span>
              <span role="cell" className="quiet hide-phone">
                <Ago at={create_time} />
              </span>
              <span role="cell">
                <button
                  type="button"
                  role="switch"
                  className="switch"
                  aria-checked={is_enable}
                  aria-label={t('sites.watch', { host })}
                  onClick={() => onSwitch(host, !is_enable)}
                >
                  <i />
                </button>
              </span>
            </div>
          )
        })}
      </div>
    </div>
  )
}

function KindIcon({ host }: { host: string }) {
  const Icon = host.startsWith('*.') ? Asterisk : host.includes('/') ? Network : /^[\d.]+$/.test(host) ? Server : Globe
  return <Icon size={15} aria-hidden />
}
