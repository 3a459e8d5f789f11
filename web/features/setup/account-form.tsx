// The form that makes the first user.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isStatus, reasonOf, useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Field, Notice } from '../../shared/ui/basics.tsx'
import { sessionKey, setupKey } from '../session/session.ts'

const passwordLengthMin = 10

export function AccountForm({ code: given, onDone }: { code: string; onDone: (token: string) => void }) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const [code, setCode] = useState(given)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isTried, setTried] = useState(false)
  const isEmail = /^[^\s@]+@[^\s@]+$/.test(email.trim())
  const isLong = password.length >= passwordLengthMin
  const make = useMutation({
    mutationFn: () => api.call('setUp', { body: { code: code.trim(), email: email.trim(), password } }),
    // Somebody else was first, or the time is over: the page says which, and how to go on.
    onError: (error) => isStatus(error, 409) && queries.invalidateQueries({ queryKey: setupKey }),
    onSuccess: ({ identity, token }) => {
      api.csrfToken = identity.csrfToken
      queries.setQueryData(sessionKey, identity)
      onDone(token)
    },
  })
  const wrong =
    make.error === null
      ? null
      : isStatus(make.error, 403)
        ? t('setup.wrongCode')
        : reasonOf(make.error, t('state.unreachableText'))
  return (
    <form
      className="stack"
      // What is wrong is said below the field, in the reader's language.
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (code.trim() !== '' && isEmail && isLong) make.mutate()
      }}
    >
      {wrong !== null && <Notice tone="bad">{wrong}</Notice>}
      {given === '' && (
        <Field label={t('setup.code')} hint={t('setup.codeHint')}>
          {(props) => (
            <input
              {...props}
              className="input mono"
              required
              maxLength={100}
              autoComplete="off"
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          )}
        </Field>
      )}
      <Field label={t('session.email')} error={isTried && !isEmail ? t('setup.emailWrong') : null}>
        {(props) => (
          <input
            {...props}
            className="input"
            type="email"
            autoComplete="username"
            required
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <Field
        label={t('session.password')}
        hint={t('setup.passwordHint', { count: passwordLengthMin })}
        error={isTried && !isLong ? t('setup.passwordShort', { count: passwordLengthMin }) : null}
      >
        {(props) => (
          <input
            {...props}
            className="input"
            type="password"
            autoComplete="new-password"
            required
            minLength={passwordLengthMin}
            maxLength={200}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <div className="row end">
        <Button type="submit" look="primary" disabled={make.isPending}>
          {t('setup.make')}
        </Button>
      </div>
    </form>
  )
}
