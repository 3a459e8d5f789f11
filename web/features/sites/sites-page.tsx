// The sites: what is watched and how it does, found by a part of its name or by its group, changed one by one or many at a time.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Globe, Plus } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { useLongList } from '../../shared/api/pages.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card } from '../../shared/ui/basics.tsx'
import { Dialog } from '../../shared/ui/overlays.tsx'
import { Empty, Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { SureButton } from '../../shared/ui/sure-button.tsx'
import { useMayChange } from '../session/session.ts'
import { AddSites } from './add-sites.tsx'
import { groupsQuery, type SiteOverview, type SitesSearch, siteList } from './queries.ts'
import { useSiteChange } from './site-changes.tsx'
import { SiteList } from './site-list.tsx'

export function SitesPage() {
  const { t } = useTranslator()
  const search = useSearch({ from: '/shell/sites' })
  const navigate = useNavigate({ from: '/sites' })
  const filter = { q: useDeferredValue(search.q), group: search.group }
  const { rows: sites, total, error, refetch, onSight } = useLongList(siteList(useApi(), filter))
  const [isAdding, setAdding] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const change = useSiteChange()
  const isFiltered = search.q !== undefined || search.group !== undefined
  const mayChange = useMayChange()
  const addButton = mayChange && (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus size={14} aria-hidden />
      {t('sites.add')}
    </Button>
  )
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{t('nav.sites')}</h1>
          <p>{total === undefined ? '\u00a0' : t('sites.count', { count: total })}</p>
        </div>
        {addButton}
      </div>
      {isAdding && (
        <Dialog title={t('sites.add')} onClose={() => setAdding(false)}>
          <AddSites onDone={() => setAdding(false)} />
        </Dialog>
      )}
      {sites === undefined ? (
        <Card flush>{error === null ? <SkeletonLines lines={8} /> : <Failure error={error} retry={refetch} />}</Card>
      ) : sites.length === 0 && !isFiltered ? (
        <Card flush>
          <Empty icon={<Globe size={28} aria-hidden />} title={t('sites.none')}>
            {mayChange && <p>{t('sites.noneText')}</p>}
            {addButton}
          </Empty>
        </Card>
      ) : (
        <>
          <div className="row spread">
            <Find search={search} onChange={(changed) => void navigate({ search: changed, replace: true })} />
            {mayChange && chosen.size > 0 && (
              <Changes sites={sites} chosen={chosen} change={change.mutate} onDone={() => setChosen(new Set())} />
            )}
          </div>
          {sites.length === 0 ? (
            <Card flush>
              <Empty icon={<Globe size={28} aria-hidden />} title={t('sites.noneFits')} />
            </Card>
          ) : (
            <SiteList
              sites={sites}
              total={total ?? sites.length}
              mayChange={mayChange}
              chosen={chosen}
              onChoose={setChosen}
              onSwitch={(host, isEnabled) =>
                change.mutate({ name: isEnabled ? 'enableSites' : 'disableSites', hosts: [host] })
              }
              onSight={onSight}
            />
          )}
        </>
      )}
    </>
  )
}

function Find({ search, onChange }: { search: SitesSearch; onChange: (search: SitesSearch) => void }) {
  const { t } = useTranslator()
  const { data: groups = [] } = useQuery(groupsQuery(useApi()))
  const without = <Key extends keyof SitesSearch>(key: Key) => {
    const { [key]: _, ...rest } = search
    return rest
  }
  return (
    <div className="row">
      <input
        type="search"
        className="input find"
        aria-label={t('sites.find')}
        placeholder={t('sites.find')}
        maxLength={100}
        value={search.q ?? ''}
        onChange={({ target: { value } }) => onChange(value === '' ? without('q') : { ...search, q: value })}
      />
      {groups.length > 0 && (
        <select
          className="input span"
          aria-label={t('sites.group')}
          value={search.group ?? ''}
          onChange={({ target: { value } }) => onChange(value === '' ? without('group') : { ...search, group: value })}
        >
          <option value="">{t('sites.allGroups')}</option>
          <option value="none">{t('sites.noGroup')}</option>
          {groups.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

interface ChangesProps {
  sites: readonly SiteOverview[]
  chosen: ReadonlySet<string>
  change: ReturnType<typeof useSiteChange>['mutate']
  onDone: () => void
}

function Changes({ sites, chosen, change, onDone }: ChangesProps) {
  const { t } = useTranslator()
  const { data: groups = [] } = useQuery(groupsQuery(useApi()))
  const hosts = [...chosen]
  const remove = () => {
    change({ name: 'deleteSites', hosts })
    onDone()
  }
  /** Those that are so already are left alone: to undo it must not change them. */
  const turn = (isEnabled: boolean) => {
    const others = sites.filter((site) => chosen.has(site.host) && site.isEnabled !== isEnabled)
    if (others.length > 0) {
      change({ name: isEnabled ? 'enableSites' : 'disableSites', hosts: others.map(({ host }) => host) })
    }
    onDone()
  }
  return (
    <div className="row">
      <span className="quiet">{t('sites.chosen', { count: chosen.size })}</span>
      {groups.length > 0 && (
        <select
          className="input span"
          aria-label={t('sites.toGroup')}
          value=""
          onChange={({ target: { value } }) => {
            change({ name: 'changeSites', hosts, groupId: value === 'none' ? null : value })
            onDone()
          }}
        >
          <option value="">{t('sites.toGroup')}</option>
          <option value="none">{t('sites.noGroup')}</option>
          {groups.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      <Button onClick={() => turn(true)}>{t('sites.enable')}</Button>
      <Button onClick={() => turn(false)}>{t('sites.disable')}</Button>
      <SureButton
        label={t('sites.delete')}
        title={t('sites.deleteTitle', { count: chosen.size })}
        text={t('sites.deleteText')}
        onSure={remove}
      />
    </div>
  )
}
