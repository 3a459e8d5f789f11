// The form for a user, new or changed.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Field } from '../../shared/ui/basics.tsx'
import { Dialog } from '../../shared/ui/overlays.tsx'
import { Refused } from '../../shared/ui/states.tsx'
import { useIdentity } from '../session/session.ts'
import { type ListedUser, usersKey } from './queries.ts'

const siteQuotaDefault = 1_000
const siteQuotaMax = 1_000_000
const networkPattern = /^[\d./]+$/

/** `user` null: a new one. */
export function UserForm({ user, onClose }: { user: ListedUser | null; onClose: () => void }) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const { policy } = useIdentity()
  const [email, setEmail] = useState(user?.email ?? '')
  const [password, setPassword] = useState('')
  const [siteQuota, setSiteQuota] = useState(user?.siteQuota ?? siteQuotaDefault)
  const [isAdmin, setAdmin] = useState(user?.isAdmin ?? false)
  const [allowed, setAllowed] = useState(
    [...(user?.allowed?.networks ?? []), ...(user?.allowed?.domains ?? [])].join('\n'),
  )
  const save = useMutation({
    mutationFn: () => {
      const changes = { siteQuota, isAdmin, allowed: allowedOf(allowed), ...(password === '' ? {} : { password }) }
      return user === null
        ? api.call('addUser', { body: { email: email.trim(), ...changes } })
        : api.call('changeUser', { params: { id: user.id }, body: changes })
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: usersKey })
      onClose()
    },
  })
  return (
    <Dialog title={user === null ? t('users.add') : user.email} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Refused error={save.error} />
        {user === null && (
          <Field label={t('session.email')}>
            {(props) => (
              <input
                {...props}
                className="input"
                type="email"
                autoComplete="off"
                required
                maxLength={254}
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            )}
          </Field>
        )}
        <Field
          label={t(user === null ? 'session.password' : 'users.newPassword')}
          hint={t(user === null ? 'users.passwordHint' : 'users.newPasswordHint', { count: policy.passwordLengthMin })}
        >
          {(props) => (
            <input
              {...props}
              className="input"
              type="password"
              autoComplete="new-password"
              minLength={policy.passwordLengthMin}
              maxLength={policy.passwordLengthMax}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Field label={t('account.quota')}>
          {(props) => (
            <input
              {...props}
              className="input"
              type="number"
              min={0}
              max={siteQuotaMax}
              required
              value={siteQuota}
              onChange={(event) => setSiteQuota(event.target.valueAsNumber || 0)}
            />
          )}
        </Field>
        <Field label={t('users.mayWatch')} hint={t('users.mayWatchHint')}>
          {(props) => (
            <textarea
              {...props}
              className="input mono"
              rows={3}
              spellCheck={false}
              value={allowed}
              onChange={(event) => setAllowed(event.target.value)}
            />
          )}
        </Field>
        <div className="choices">
          <label>
            <input type="checkbox" checked={isAdmin} onChange={(event) => setAdmin(event.target.checked)} />
            {t('account.admin')}
          </label>
        </div>
        <div className="row end">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="submit" look="primary" disabled={save.isPending}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Networks and domains, word by word. Nothing: anything may be watched. */
function allowedOf(text: string): { networks: string[]; domains: string[] } | null {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '')
  if (words.length === 0) return null
  return {
    networks: words.filter((word) => networkPattern.test(word)),
    domains: words.filter((word) => !networkPattern.test(word)),
  }
}
