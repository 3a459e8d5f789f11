// The form for a user, new or changed.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { passwordLength, sitesPerUser } from '../../../src/contract/limits.ts'
import { useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Field } from '../../shared/ui/basics.tsx'
import { NewPassword } from '../../shared/ui/new-password.tsx'
import { Dialog } from '../../shared/ui/overlays.tsx'
import { Refused } from '../../shared/ui/states.tsx'
import { type ListedUser, usersKey } from './queries.ts'

const networkPattern = /^[\d./]+$/

/** `user` null: a new one. */
export function UserForm({ user, onClose }: { user: ListedUser | null; onClose: () => void }) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const [email, setEmail] = useState(user?.email ?? '')
  const [password, setPassword] = useState('')
  const [rights, setRights] = useState(() => rightsOf(user))
  const save = useMutation({
    mutationFn: () => {
      const { allowed, siteQuota, isAdmin } = rights
      const changes = {
        ...(siteQuota !== undefined && { siteQuota }),
        ...{ isAdmin, allowed: allowedOf(allowed) },
        ...(password !== '' && { password }),
      }
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
        <NewPassword
          label={t(user === null ? 'session.password' : 'users.newPassword')}
          hint={t(user === null ? 'users.passwordHint' : 'users.newPasswordHint', { count: passwordLength.min })}
          isOptional
          value={password}
          onChange={setPassword}
        />
        <Rights isNew={user === null} given={rights} onChange={setRights} />
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
  /** Undefined: as many as the installation gives a new user. */
  siteQuota: number | undefined
  isAdmin: boolean
  allowed: string
}

function rightsOf(user: ListedUser | null): RightsGiven {
  return {
    siteQuota: user?.siteQuota,
    isAdmin: user?.isAdmin ?? false,
    allowed: [...(user?.allowed?.networks ?? []), ...(user?.allowed?.domains ?? [])].join('\n'),
  }
}

interface RightsProps {
  isNew: boolean
  given: RightsGiven
  onChange: (changed: RightsGiven) => void
}

function Rights({ isNew, given, onChange }: RightsProps) {
  const { t } = useTranslator()
  return (
    <>
      <Field label={t('account.quota')} {...(isNew && { hint: t('users.quotaHint') })}>
        {(props) => (
          <input
            {...props}
            className="input"
            type="number"
            min={0}
            max={sitesPerUser.max}
            required={!isNew}
            value={given.siteQuota ?? ''}
            onChange={({ target }) =>
              onChange({ ...given, siteQuota: target.value === '' ? undefined : target.valueAsNumber })
            }
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
