// The people who may sign in: who they are, how many sites they may have, who looks after the installation.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { reasonOf, useApi } from '../../shared/api/api.ts'
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
  /** Null: none is; `new`: one that is not there yet. */
  const [edited, setEdited] = useState<ListedUser | 'new' | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: usersKey,
    queryFn: ({ signal }) => api.call('listUsers', { signal }),
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
      {edited !== null && (
        <UserForm
          user={edited === 'new' ? null : edited}
          isSelf={edited !== 'new' && edited.id === identity.user.id}
          onClose={() => setEdited(null)}
        />
      )}
      {data === undefined ? (
        error === null ? (
          <SkeletonLines lines={3} />
        ) : (
          <Failure error={error} retry={refetch} />
        )
      ) : (
        <UserTable users={data.users} own={identity.user.id} onChange={setEdited} />
      )}
    </Card>
  )
}

interface UserTableProps {
  users: readonly ListedUser[]
  /** The id of who looks at them. */
  own: string
  onChange: (user: ListedUser) => void
}

function UserTable({ users, own, onChange }: UserTableProps) {
  const translator = useTranslator()
  const { t } = translator
  const api = useApi()
  const queries = useQueryClient()
  const tell = useToast()
  const remove = useMutation({
    mutationFn: (id: string) => api.call('deleteUser', { params: { id } }),
    onError: (failure) => tell(reasonOf(failure, translator)),
    onSettled: () => queries.invalidateQueries({ queryKey: usersKey }),
  })
  const reset = useMutation({
    mutationFn: (id: string) => api.call('resetSecondFactor', { params: { id } }),
    onError: (failure) => tell(reasonOf(failure, translator)),
    onSettled: () => queries.invalidateQueries({ queryKey: usersKey }),
  })
  return (
    <Scroll label={t('users.title')}>
      <table className="table stacking">
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
          {users.map((user) => (
            <UserRow
              key={user.id}
              user={user}
              isSelf={user.id === own}
              onChange={() => onChange(user)}
              onReset={() => reset.mutate(user.id)}
              onDelete={() => remove.mutate(user.id)}
            />
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

interface UserRowProps {
  user: ListedUser
  isSelf: boolean
  onChange: () => void
  onReset: () => void
  onDelete: () => void
}

function UserRow({ user, isSelf, onChange, onReset, onDelete }: UserRowProps) {
  const { t } = useTranslator()
  return (
    <tr>
      <td className="stack-head">
        {user.email} {isSelf && <Pill tone="accent">{t('users.you')}</Pill>}
      </td>
      <td data-label={t('account.role')}>
        <span>
          {t(`role.${user.role}`)} {!user.hasPassword && !user.hasIdentity && <Pill>{t('users.noPassword')}</Pill>}
          {user.hasIdentity && <Pill tone="accent">{t('users.signOn')}</Pill>}
          {user.hasSecondFactor && <Pill tone="good">{t('users.twoFactors')}</Pill>}
        </span>
      </td>
      <td className="num nowrap" data-label={t('nav.sites')}>
        {t('users.sitesOf', { count: user.siteCount, quota: user.siteQuota })}
      </td>
      <td data-label={t('users.mayWatch')}>
        {user.allowed === null ? (
          <span className="quiet">{t('users.anything')}</span>
        ) : (
          [...user.allowed.networks, ...user.allowed.domains].join(', ')
        )}
      </td>
      <td className="nowrap" data-label={t('account.since')}>
        <Ago at={user.createdAt} />
      </td>
      <td>
        <div className="row end">
          <Button onClick={onChange}>{t('users.change')}</Button>
          {!isSelf && user.hasSecondFactor && (
            <SureButton
              label={t('factor.reset')}
              title={t('factor.resetTitle', { email: user.email })}
              text={t('factor.resetText')}
              onSure={onReset}
            />
          )}
          {!isSelf && (
            <SureButton
              label={t('sites.delete')}
              title={t('users.deleteTitle', { email: user.email })}
              text={t('users.deleteText')}
              onSure={onDelete}
            />
          )}
        </div>
      </td>
    </tr>
  )
}
