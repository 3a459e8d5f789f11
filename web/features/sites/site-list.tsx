// Sites as rows, of which only those in sight are made.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { Asterisk, Flame, Globe, Network, Server } from 'lucide-react'
import { memo, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { Ago, useRates } from '../../shared/format/moments.tsx'
import { formatShare, formatTimes } from '../../shared/format/rates.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Pill } from '../../shared/ui/basics.tsx'
import { phoneScreen, useMedia } from '../../shared/ui/media.ts'
import { RowLink } from '../../shared/ui/row-link.tsx'
import { attackName } from '../events/vectors.ts'
import type { SiteOverview } from './queries.ts'
import './site-list.css'

const rowHeight = 53
const phoneRowHeight = 80

export interface SiteListProps {
  sites: readonly SiteOverview[]
  /** How many there are in all, those that are not here yet included. */
  total: number
  /** Without it there is nothing to choose rows for, and switches only show how things are. */
  mayChange: boolean
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
  onSwitch: (host: string, isEnabled: boolean) => void
  /** Is told which rows are in sight, or near. */
  onSight: (first: number, last: number) => void
}

export function SiteList({ sites, total, mayChange, chosen, onChoose, onSwitch, onSight }: SiteListProps) {
  const { t } = useTranslator()
  const list = useRef<HTMLDivElement>(null)
  const height = useMedia(phoneScreen) ? phoneRowHeight : rowHeight
  const rows = useWindowVirtualizer({
    count: sites.length,
    estimateSize: () => height,
    overscan: 12,
    // Rows beyond the edge are there already; drawing at once would hold the scroll up.
    useFlushSync: false,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (row) => sites[row].host,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height lie elsewhere.
  useLayoutEffect(() => rows.measure(), [height])
  const items = rows.getVirtualItems()
  const [firstRow, lastRow] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => onSight(firstRow, lastRow), [onSight, firstRow, lastRow])
  const isAll = sites.every(({ host }) => chosen.has(host))
  // The rows are to stay as they are while others are chosen.
  const latest = useRef({ chosen, onChoose, onSwitch })
  latest.current = { chosen, onChoose, onSwitch }
  const choose = useCallback((host: string, isChosen: boolean) => {
    const next = new Set(latest.current.chosen)
    if (isChosen) next.add(host)
    else next.delete(host)
    latest.current.onChoose(next)
  }, [])
  const turn = useCallback((host: string, isEnabled: boolean) => latest.current.onSwitch(host, isEnabled), [])
  return (
    <div className="card" role="table" aria-label={t('nav.sites')} aria-rowcount={total + 1}>
      <Head
        mayChange={mayChange}
        isAll={isAll}
        onAll={() => onChoose(isAll ? new Set() : new Set(sites.map(({ host }) => host)))}
      />
      <div role="rowgroup" ref={list} className="site-body" style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, key, start }) => (
          <Row
            key={key}
            site={sites[index]}
            row={index}
            top={start - rows.options.scrollMargin}
            mayChange={mayChange}
            isChosen={chosen.has(sites[index].host)}
            onChoose={choose}
            onSwitch={turn}
          />
        ))}
      </div>
    </div>
  )
}

function Head({ mayChange, isAll, onAll }: { mayChange: boolean; isAll: boolean; onAll: () => void }) {
  const { t } = useTranslator()
  return (
    <div role="rowgroup" className="site-head">
      <div role="row" className="site-row">
        <span role="columnheader">
          {mayChange ? (
            <input type="checkbox" aria-label={t('sites.chooseShown')} checked={isAll} onChange={onAll} />
          ) : (
            <span className="sr-only">{t('sites.host')}</span>
          )}
        </span>
        <span role="columnheader">{t('sites.host')}</span>
        <span role="columnheader" className="num">
          {t('sites.rate')}
        </span>
        <span role="columnheader" className="num wide">
          {t('sites.addresses')}
        </span>
        <span role="columnheader" className="num wide">
          {t('sites.learnt')}
        </span>
        <span role="columnheader" className="last-event">
          {t('sites.lastEvent')}
        </span>
        <span role="columnheader" className="nowrap">
          {t('sites.watched')}
        </span>
      </div>
    </div>
  )
}

interface RowProps {
  site: SiteOverview
  row: number
  top: number
  mayChange: boolean
  isChosen: boolean
  onChoose: (host: string, isChosen: boolean) => void
  onSwitch: SiteListProps['onSwitch']
}

/** Scrolling draws the list many times a second, and leaves most rows as they are. */
const Row = memo(function Row({ site, row, top, mayChange, isChosen, onChoose, onSwitch }: RowProps) {
  const { t, language } = useTranslator()
  const { main } = useRates()
  const { host, isEnabled, addresses, rates, deviation, learnt } = site
  return (
    <div role="row" aria-rowindex={row + 2} className="site-row" style={{ transform: `translateY(${top}px)` }}>
      <span role="cell" className="choose">
        {mayChange && (
          <input
            type="checkbox"
            aria-label={t('sites.choose', { host })}
            checked={isChosen}
            onChange={(event) => onChoose(host, event.target.checked)}
          />
        )}
      </span>
      <HostCell site={site} />
      <span role="cell" className="num nowrap rate">
        {rates === null ? '–' : main(rates)}
        {deviation !== null && <small className="quiet"> {formatTimes(deviation, language)}</small>}
      </span>
      <span
        role="cell"
        className="num wide"
        title={t('sites.addressesHint', { count: addresses.count, seen: addresses.observable })}
      >
        {addresses.observable}/{addresses.count}
      </span>
      <span role="cell" className="num wide learnt">
        {learnt === null ? (
          <span className="wide">–</span>
        ) : (
          <>
            <span className="phone">{t('sites.learnt')} </span>
            {formatShare(learnt, language)}
          </>
        )}
      </span>
      <span role="cell" className="last-event">
        <LastEvent site={site} />
      </span>
      <span role="cell" className="watched">
        <button
          type="button"
          role="switch"
          className="switch"
          aria-checked={isEnabled}
          aria-label={t('sites.watch', { host })}
          disabled={!mayChange}
          onClick={() => onSwitch(host, !isEnabled)}
        >
          <i />
        </button>
      </span>
    </div>
  )
})

function HostCell({ site: { host, kind, group, isEnabled, openEvents } }: { site: SiteOverview }) {
  const { t } = useTranslator()
  return (
    <span role="cell" className="host">
      <KindIcon kind={kind} />
      <span className="two">
        <RowLink to="/sites/$host" params={{ host }}>
          {host}
        </RowLink>
        {group !== null && <small>{group.name}</small>}
      </span>
      {openEvents > 0 && (
        <Pill tone="bad" icon={<Flame size={12} aria-hidden />}>
          <span className="wide">{t('sites.open', { count: openEvents })}</span>
          <span className="narrow">{openEvents}</span>
        </Pill>
      )}
      {!isEnabled && (
        <span className="phone">
          <Pill tone="warn">{t('site.disabled')}</Pill>
        </span>
      )}
    </span>
  )
}

function LastEvent({ site: { lastEvent } }: { site: SiteOverview }) {
  const translator = useTranslator()
  if (lastEvent === null) return <span className="quiet">{translator.t('sites.noEvent')}</span>
  return (
    <span className="two">
      <RowLink to="/events/$id" params={{ id: lastEvent.id }}>
        {attackName(lastEvent.attackType, translator)}
      </RowLink>
      <small>
        <Ago at={lastEvent.createdAt} />
      </small>
    </span>
  )
}

const kindIcons = { fqdn: Globe, wildcard: Asterisk, ipv4: Server, cidr: Network }

function KindIcon({ kind }: { kind: SiteOverview['kind'] }) {
  const Icon = kindIcons[kind]
  return <Icon size={15} aria-hidden />
}
