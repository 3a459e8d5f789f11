// The people who may sign in: who they are, how many sites they may have, who looks after the installation.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Pill } from '../../shared/ui/basics.tsx'
import { useToast } from '../../shared/ui/overlays.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { SureButton } from '../../shared/ui/sure-button.tsx'
import type { Identity } from '../session/session.ts'
import { type ListedUser, usersKey } from './queries.ts'
import { UserForm } from './user-form.tsx'

export function Users({ identity }: { identity: Identity }) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const tell = useToast()
  /** Null: none is; `new`: one that is not there yet. */
  const [edited, setEdited] = useState<ListedUser | 'new' | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: usersKey,
    queryFn: ({ signal }) => api.call('listUsers', { signal }),
  })
  const remove = useMutation({
    mutationFn: (id: string) => api.call('deleteUser', { params: { id } }),
    onError: (failure) => tell(failure.message),
    onSettled: () => queries.invalidateQueries({ queryKey: usersKey }),
  })
  return (
    <Card
      title={t('users.title')}
      flush
      actions={
        <Button onClick={() => setEdited('new')}>
          <Plus size={14} aria-hidden />
          {t('users.add')}
        </Button>
      }
    >
      {edited !== null && <UserForm user={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {data === undefined ? (
        error === null ? (
          <SkeletonLines lines={3} />
        ) : (
          <Failure error={error} retry={refetch} />
        )
      ) : (
        <Scroll label={t('users.title')}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t('session.email')}</th>
                <th scope="col">{t('account.role')}</th>
                <th scope="col" className="num">
                  {t('nav.sites')}
                </th>
                <th scope="col">{t('users.mayWatch')}</th>
                <th scope="col">{t('account.since')}</th>
                <th scope="col">
                  <span className="sr-only">{t('users.change')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.users.map((user) => (
                <tr key={user.id}>
                  <td>
                    {user.email} {user.id === identity.user.id && <Pill tone="accent">{t('users.you')}</Pill>}
                  </td>
                  <td>
                    {t(user.isAdmin ? 'account.admin' : 'account.owner')}{' '}
                    {!user.hasPassword && <Pill>{t('users.noPassword')}</Pill>}
                  </td>
                  <td className="num nowrap">{t('users.sitesOf', { count: user.siteCount, quota: user.siteQuota })}</td>
                  <td>
                    {user.allowed === null ? (
                      <span className="quiet">{t('users.anything')}</span>
                    ) : (
                      [...user.allowed.networks, ...user.allowed.domains].join(', ')
                    )}
                  </td>
                  <td className="nowrap">
                    <Ago at={user.createdAt} />
                  </td>
                  <td>
                    <div className="row end">
                      <Button onClick={() => setEdited(user)}>{t('users.change')}</Button>
                      {user.id !== identity.user.id && (
                        <SureButton
                          label={t('sites.delete')}
                          title={t('users.deleteTitle', { email: user.email })}
                          text={t('users.deleteText')}
                          onSure={() => remove.mutate(user.id)}
                        />
                      )}
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Card>
  )
}
