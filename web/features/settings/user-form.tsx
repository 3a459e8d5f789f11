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
  const [rights, setRights] = useState(() => rightsOf(user))
  const save = useMutation({
    mutationFn: () => {
      const { allowed, ...rest } = rights
      const changes = { ...rest, allowed: allowedOf(allowed), ...(password === '' ? {} : { password }) }
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
        <Rights given={rights} onChange={setRights} />
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

/** What a user may do. `allowed`: networks and domains as they are typed. */
interface RightsGiven {
  siteQuota: number
  isAdmin: boolean
  allowed: string
}

function rightsOf(user: ListedUser | null): RightsGiven {
  return {
    siteQuota: user?.siteQuota ?? siteQuotaDefault,
    isAdmin: user?.isAdmin ?? false,
    allowed: [...(user?.allowed?.networks ?? []), ...(user?.allowed?.domains ?? [])].join('\n'),
  }
}

function Rights({ given, onChange }: { given: RightsGiven; onChange: (changed: RightsGiven) => void }) {
  const { t } = useTranslator()
  return (
    <>
      <Field label={t('account.quota')}>
        {(props) => (
          <input
            {...props}
            className="input"
            type="number"
            min={0}
            max={siteQuotaMax}
            required
            value={given.siteQuota}
            onChange={(event) => onChange({ ...given, siteQuota: event.target.valueAsNumber || 0 })}
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
            value={given.allowed}
            onChange={(event) => onChange({ ...given, allowed: event.target.value })}
          />
        )}
      </Field>
      <div className="choices">
        <label>
          <input
            type="checkbox"
            checked={given.isAdmin}
            onChange={(event) => onChange({ ...given, isAdmin: event.target.checked })}
          />
          {t('account.admin')}
        </label>
      </div>
    </>
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
