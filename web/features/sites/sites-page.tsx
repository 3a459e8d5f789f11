// The sites: what is watched, found by a part of its name, switched on and off, taken away.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Globe, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { hostsMax } from '../../../src/contract/limits.ts'
import { useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card } from '../../shared/ui/basics.tsx'
import { Dialog, useToast } from '../../shared/ui/overlays.tsx'
import { Empty, Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { AddSites } from './add-sites.tsx'
import { sitesQuery } from './queries.ts'
import { SiteList } from './site-list.tsx'
import './sites.css'

export type SiteChange = 'enableSites' | 'disableSites' | 'deleteSites'

export function SitesPage() {
  const { t } = useTranslator()
  const { q = '' } = useSearch({ from: '/shell/sites' })
  const navigate = useNavigate({ from: '/sites' })
  const { data, error, refetch } = useQuery(sitesQuery(useApi()))
  const [isAdding, setAdding] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const change = useSiteChange()
  const shown = useMemo(() => (data ?? []).filter(({ host }) => host.includes(q.trim().toLowerCase())), [data, q])
  const apply = (name: SiteChange) => {
    change.mutate({ name, hosts: [...chosen] })
    setChosen(new Set())
  }
  return (
    <>
      <div className="page-head">
        <div>
          <h1>{t('nav.sites')}</h1>
          {data !== undefined && <p>{t('sites.count', { count: data.length })}</p>}
        </div>
        <Button look="primary" onClick={() => setAdding(true)}>
          <Plus size={14} aria-hidden />
          {t('sites.add')}
        </Button>
      </div>
      {isAdding && (
        <Dialog title={t('sites.add')} onClose={() => setAdding(false)}>
          <AddSites onDone={() => setAdding(false)} />
        </Dialog>
      )}
      {data === undefined ? (
        <Card flush>{error === null ? <SkeletonLines lines={8} /> : <Failure error={error} retry={refetch} />}</Card>
      ) : data.length === 0 ? (
        <Card flush>
          <Empty icon={<Globe size={28} aria-hidden />} title={t('sites.none')}>
            <p>{t('sites.noneText')}</p>
            <Button look="primary" onClick={() => setAdding(true)}>
              {t('sites.add')}
            </Button>
          </Empty>
        </Card>
      ) : (
        <>
          <div className="row spread">
            <input
              type="search"
              className="input find"
              aria-label={t('sites.find')}
              placeholder={t('sites.find')}
              value={q}
              onChange={(event) => {
                const found = event.target.value
                void navigate({ search: found === '' ? {} : { q: found }, replace: true })
              }}
            />
            {chosen.size > 0 && (
              <div className="row">
                <span className="quiet">{t('sites.chosen', { count: chosen.size })}</span>
                <Button onClick={() => apply('enableSites')}>{t('sites.enable')}</Button>
                <Button onClick={() => apply('disableSites')}>{t('sites.disable')}</Button>
                <DeleteButton count={chosen.size} onDelete={() => apply('deleteSites')} />
              </div>
            )}
          </div>
          {shown.length === 0 ? (
            <Card flush>
              <Empty icon={<Globe size={28} aria-hidden />} title={t('sites.notFound')} />
            </Card>
          ) : (
            <SiteList
              sites={shown}
              chosen={chosen}
              onChoose={setChosen}
              onSwitch={(host, isEnabled) =>
                change.mutate({ name: isEnabled ? 'enableSites' : 'disableSites', hosts: [host] })
              }
            />
          )}
        </>
      )}
    </>
  )
}

/** Asks before it deletes. */
export function DeleteButton({ count, onDelete }: { count: number; onDelete: () => void }) {
  const { t } = useTranslator()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t('sites.delete')}
      </Button>
      {isAsking && (
        <Dialog title={t('sites.deleteTitle', { count })} onClose={() => setAsking(false)}>
          <p>{t('sites.deleteText')}</p>
          <div className="row end">
            <Button onClick={() => setAsking(false)}>{t('action.cancel')}</Button>
            <Button
              look="danger"
              onClick={() => {
                setAsking(false)
                onDelete()
              }}
            >
              {t('sites.delete')}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}

export function useSiteChange() {
  const api = useApi()
  const queries = useQueryClient()
  const tell = useToast()
  const { t } = useTranslator()
  return useMutation({
    mutationFn: async ({ name, hosts }: { name: SiteChange; hosts: readonly string[] }) => {
      for (let at = 0; at < hosts.length; at += hostsMax) {
        await api.call(name, { body: { hosts: hosts.slice(at, at + hostsMax) } })
      }
    },
    onSuccess: (_, { name, hosts }) => tell(t(`sites.told.${name}`, { count: hosts.length })),
    onError: (error) => tell(error.message),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['sites'] })
      await queries.invalidateQueries({ queryKey: ['site'] })
    },
  })
}
