// The form that makes the first user.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Body } from '../../../src/contract/endpoints.ts'
import { passwordLength } from '../../../src/contract/limits.ts'
import { isStatus, reasonOf, useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Field, Notice } from '../../shared/ui/basics.tsx'
import { NewPassword } from '../../shared/ui/new-password.tsx'
import { sessionKey, setupKey } from '../session/session.ts'

export function AccountForm({ code: given, onDone }: { code: string; onDone: (token: string) => void }) {
  const { t } = useTranslator()
  const [code, setCode] = useState(given)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isTried, setTried] = useState(false)
  const isEmail = /^[^\s@]+@[^\s@]+$/.test(email.trim())
  const isLong = password.length >= passwordLength.min
  const make = useSetUp(onDone)
  return (
    <form
      className="stack"
      // What is wrong is said below the field, in the reader's language.
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (code.trim() === '' || !isEmail || !isLong) return
        make.mutate({ code: code.trim(), email: email.trim(), password })
      }}
    >
      <WhyRefused error={make.error} />
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
      <NewPassword
        label={t('session.password')}
        error={isTried && !isLong ? t('setup.passwordShort', { count: passwordLength.min }) : null}
        value={password}
        onChange={setPassword}
      />
      <div className="row end">
        <Button type="submit" look="primary" disabled={make.isPending}>
          {t('setup.make')}
        </Button>
      </div>
    </form>
  )
}

/** Makes the first user, who is signed in with that; `onDone` is given the token for programs. */
function useSetUp(onDone: (token: string) => void) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Body<'setUp'>) => api.call('setUp', { body }),
    // Somebody else was first, or the time is over: the page says which, and how to go on.
    onError: (error) => isStatus(error, 409) && queries.invalidateQueries({ queryKey: setupKey }),
    onSuccess: ({ identity, token }) => {
      api.csrfToken = identity.csrfToken
      queries.setQueryData(sessionKey, identity)
      onDone(token)
    },
  })
}

function WhyRefused({ error }: { error: Error | null }) {
  const translator = useTranslator()
  const { t } = translator
  if (error === null) return null
  return <Notice tone="bad">{isStatus(error, 403) ? t('setup.wrongCode') : reasonOf(error, translator)}</Notice>
}
