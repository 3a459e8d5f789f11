// The audit log: who has changed what, and what was refused; found by who, what and outcome.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import type { Response } from '../../../src/contract/endpoints.ts'
import { useApi } from '../../shared/api/api.ts'
import { Moment } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Pill } from '../../shared/ui/basics.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { auditWord, auditWords, detailText } from './audit-words.ts'

type Entry = Response<'listAudit'>['entries'][number]

interface Filter {
  q?: string
  kind?: string
  outcome?: 'done' | 'refused'
}

const pageSize = 100

export function AuditLog() {
  const { t } = useTranslator()
  const api = useApi()
  const [filter, setFilter] = useState<Filter>({})
  const query = useDeferredValue(filter)
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['audit', query],
    queryFn: ({ signal, pageParam }) => {
      const before = pageParam === null ? {} : { before: pageParam }
      return api.call('listAudit', { query: { ...query, ...before, limit: pageSize }, signal })
    },
    initialPageParam: nothingBefore(),
    getNextPageParam: ({ next }) => next,
  })
  const entries = data?.pages.flatMap((page) => page.entries)
  return (
    <Card
      title={t('settings.audit')}
      flush
      actions={
        <a className="button" href={api.address('getAuditTable', { query })} download="audit.csv">
          <Download size={14} aria-hidden />
          {t('audit.table')}
        </a>
      }
    >
      <Find filter={filter} onChange={setFilter} />
      {entries === undefined ? (
        error === null ? (
          <SkeletonLines lines={6} />
        ) : (
          <Failure error={error} retry={refetch} />
        )
      ) : entries.length === 0 ? (
        <p className="card-note">{t('audit.none')}</p>
      ) : (
        <EntryTable entries={entries} />
      )}
      {hasNextPage && (
        <Button look="ghost" className="more" onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
          {t('audit.older')}
        </Button>
      )}
    </Card>
  )
}

/** The first page begins with the newest entry. */
function nothingBefore(): number | null {
  return null
}

function Find({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  const { t } = useTranslator()
  const set = <Key extends keyof Filter>(key: Key, value: Filter[Key] | '') => {
    const { [key]: _, ...rest } = filter
    onChange(value === '' ? rest : { ...rest, [key]: value })
  }
  return (
    <div className="row card-lead">
      <input
        type="search"
        className="input find"
        aria-label={t('audit.who')}
        placeholder={t('audit.who')}
        maxLength={100}
        value={filter.q ?? ''}
        onChange={({ target }) => set('q', target.value)}
      />
      <select
        className="input span"
        aria-label={t('audit.what')}
        value={filter.kind ?? ''}
        onChange={({ target }) => set('kind', target.value)}
      >
        <option value="">{t('audit.anything')}</option>
        {Object.entries(auditWords).map(([kind, key]) => (
          <option key={kind} value={kind}>
            {kind.includes(' ') ? `${t(key)} (${kind})` : t(key)}
          </option>
        ))}
      </select>
      <select
        className="input span"
        aria-label={t('audit.outcome')}
        value={filter.outcome ?? ''}
        onChange={({ target: { value } }) => set('outcome', value === 'done' || value === 'refused' ? value : '')}
      >
        <option value="">{t('audit.anyOutcome')}</option>
        <option value="done">{t('audit.done')}</option>
        <option value="refused">{t('audit.refused')}</option>
      </select>
    </div>
  )
}

function EntryTable({ entries }: { entries: readonly Entry[] }) {
  const { t } = useTranslator()
  return (
    <Scroll label={t('settings.audit')}>
      <table className="table stacking">
        <thead>
          <tr>
            <th scope="col">{t('audit.when')}</th>
            <th scope="col">{t('audit.who')}</th>
            <th scope="col">{t('audit.what')}</th>
            <th scope="col">{t('audit.outcome')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <EntryRow key={entry.sequence} entry={entry} />
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function EntryRow({ entry: { at, kind, actor, object, outcome, count, detail } }: { entry: Entry }) {
  const { t } = useTranslator()
  const word = auditWord(kind)
  const told = detailText(detail)
  const from = actor.address === '' || actor.kind === 'service' ? '' : ` ${actor.address}`
  return (
    <tr>
      <td className="nowrap" data-label={t('audit.when')}>
        <Moment at={at} />
      </td>
      <td data-label={t('audit.who')}>
        <span className="two">
          <span>{actor.name === '' ? t(`audit.actor.${actor.kind}`) : actor.name}</span>
          <small className="quiet">
            {t(`audit.actor.${actor.kind}`)}
            <span className="mono">{from}</span>
          </small>
        </span>
      </td>
      <td data-label={t('audit.what')}>
        <span className="two">
          <span>
            {word === null ? t('audit.other', { kind }) : t(word)} <span className="mono">{object}</span>
          </span>
          {told !== '' && (
            <small className="quiet" lang="en">
              {told}
            </small>
          )}
        </span>
      </td>
      <td className="nowrap" data-label={t('audit.outcome')}>
        <Pill tone={outcome === 'done' ? 'good' : 'warn'} title={outcome}>
          {count === 1
            ? t(outcome === 'done' ? 'audit.done' : 'audit.refused')
            : t('audit.times', { what: t(outcome === 'done' ? 'audit.done' : 'audit.refused'), count })}
        </Pill>
      </td>
    </tr>
  )
}
