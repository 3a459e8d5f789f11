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

const roles = ['viewer', 'member', 'admin'] as const satisfies readonly ListedUser['role'][]

interface UserFormProps {
  /** Null: a new one. */
  user: ListedUser | null
  /** Nobody takes their own role from themselves. */
  isSelf: boolean
  onClose: () => void
}

export function UserForm({ user, isSelf, onClose }: UserFormProps) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const [email, setEmail] = useState(user?.email ?? '')
  const [password, setPassword] = useState('')
  const [rights, setRights] = useState(() => rightsOf(user))
  const save = useMutation({
    mutationFn: () => {
      const { allowed, siteQuota, role } = rights
      const changes = {
        ...(siteQuota !== undefined && { siteQuota }),
        ...{ role, allowed: allowedOf(allowed) },
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
        <Rights isNew={user === null} isSelf={isSelf} given={rights} onChange={setRights} />
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
  role: ListedUser['role']
  allowed: string
}

function rightsOf(user: ListedUser | null): RightsGiven {
  return {
    siteQuota: user?.siteQuota,
    role: user?.role ?? 'member',
    allowed: [...(user?.allowed?.networks ?? []), ...(user?.allowed?.domains ?? [])].join('\n'),
  }
}

interface RightsProps {
  isNew: boolean
  isSelf: boolean
  given: RightsGiven
  onChange: (changed: RightsGiven) => void
}

function Rights({ isNew, isSelf, given, onChange }: RightsProps) {
  const { t } = useTranslator()
  return (
    <>
      <fieldset className="choices" disabled={isSelf}>
        <legend>{t('account.role')}</legend>
        {roles.map((role) => (
          <label key={role}>
            <input
              type="radio"
              name="role"
              checked={given.role === role}
              onChange={() => onChange({ ...given, role })}
            />
            {t(`role.${role}`)} <span className="quiet">{t(`roleText.${role}`)}</span>
          </label>
        ))}
      </fieldset>
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
