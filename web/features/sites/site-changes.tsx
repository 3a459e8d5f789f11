// What can be done with sites, many at a time.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { hostsMax } from '../../../src/contract/limits.ts'
import { reasonOf, useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { useToast } from '../../shared/ui/overlays.tsx'
import { sitesChanged } from './queries.ts'

export type SiteChange =
  | { name: 'enableSites' | 'disableSites' | 'deleteSites'; hosts: readonly string[] }
  /** Null: into no group. */
  | { name: 'changeSites'; hosts: readonly string[]; groupId: string | null }

/** What takes a change back; null: nothing does. */
function undone(change: SiteChange): SiteChange | null {
  if (change.name === 'enableSites') return { ...change, name: 'disableSites' }
  if (change.name === 'disableSites') return { ...change, name: 'enableSites' }
  return null
}

export function useSiteChange() {
  const api = useApi()
  const queries = useQueryClient()
  const tell = useToast()
  const translator = useTranslator()
  const { t } = translator
  const change = useMutation({
    mutationFn: async (change: SiteChange) => {
      for (let at = 0; at < change.hosts.length; at += hostsMax) {
        const hosts = change.hosts.slice(at, at + hostsMax)
        if (change.name === 'changeSites') await api.call('changeSites', { body: { hosts, groupId: change.groupId } })
        else await api.call(change.name, { body: { hosts } })
      }
    },
    onSuccess: (_, done) => {
      const back = undone(done)
      const action = back === null ? undefined : { label: t('action.undo'), onClick: () => change.mutate(back) }
      tell(t(`sites.told.${done.name}`, { count: done.hosts.length }), action)
    },
    onError: (error) => tell(reasonOf(error, translator)),
    onSettled: () => sitesChanged(queries),
  })
  return change
}
