// Signing in: by the provider of single sign-on, or with e-mail and password, and where there is a second factor with a code after them.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { isStatus, reasonOf, useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import type { Translator } from '../../shared/i18n/messages.ts'
import { Button, Card, Field, Notice } from '../../shared/ui/basics.tsx'
import { CurrentPassword } from '../../shared/ui/current-password.tsx'
import { Mark } from '../../shared/ui/mark.tsx'
import { CodeField } from '../second-factor/code-field.tsx'
import { ownPath } from './next.ts'
import { beginSession } from './session.ts'
import { SignOnButton, signOnKey } from './sign-on-button.tsx'

interface Given {
  email: string
  password: string
  code: string
}

export function SignIn() {
  const { t } = useTranslator()
  const api = useApi()
  const { data, isError } = useQuery({
    queryKey: signOnKey,
    queryFn: ({ signal }) => api.call('getSignOn', { signal }),
  })
  const provider = data?.provider ?? null
  const passwords = data?.passwords ?? isError
  return (
    <div className="outside">
      <main className="stack">
        <p className="brand">
          <Mark />
          Floodgauge
        </p>
        <Card>
          <h1>{t('session.title')}</h1>
          {provider !== null && <SignOnButton label={provider.label} isPrimary={!passwords} />}
          {provider !== null && passwords && <p className="quiet">{t('signOn.or')}</p>}
          {passwords && <ByPassword />}
        </Card>
      </main>
    </div>
  )
}

function ByPassword() {
  const translator = useTranslator()
  const { t } = translator
  const [given, setGiven] = useState<Given>({ email: '', password: '', code: '' })
  /** Whether the password was right, and a code is asked for. */
  const [isCodeAsked, setCodeAsked] = useState(false)
  const signIn = useSignIn(() => setCodeAsked(true))
  const take = (changed: Partial<Given>) => setGiven({ ...given, ...changed })
  const isFirstAsked = isCodeAsked && signIn.variables?.code === ''
  return (
    <>
      {signIn.isError && !isFirstAsked && <Notice tone="bad">{wrong(signIn.error, translator)}</Notice>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          signIn.mutate(given)
        }}
      >
        {isCodeAsked ? (
          <CodeField isFocused value={given.code} onChange={(code) => take({ code })} />
        ) : (
          <PasswordFields given={given} onChange={take} />
        )}
        <Button type="submit" look="primary" disabled={signIn.isPending}>
          {t('session.signIn')}
        </Button>
        {isCodeAsked && (
          <Button
            onClick={() => {
              signIn.reset()
              setCodeAsked(false)
              setGiven({ email: given.email, password: '', code: '' })
            }}
          >
            {t('session.back')}
          </Button>
        )}
      </form>
      <p className="quiet">{t(isCodeAsked ? 'factor.lost' : 'session.forgotten')}</p>
    </>
  )
}

function useSignIn(onCodeAsked: () => void) {
  const api = useApi()
  const queries = useQueryClient()
  const router = useRouter()
  const { next } = useSearch({ from: '/sign-in' })
  return useMutation({
    mutationFn: ({ email, password, code }: Given) =>
      api.call('signIn', { body: { email: email.trim(), password, ...(code === '' ? {} : { code }) } }),
    onError: (error) => isCodeWrong(error) && onCodeAsked(),
    onSuccess: async (identity) => {
      beginSession(identity, { api, queries })
      router.history.push(ownPath(next, router.basepath))
    },
  })
}

function PasswordFields({ given, onChange }: { given: Given; onChange: (changed: Partial<Given>) => void }): ReactNode {
  const { t } = useTranslator()
  return (
    <>
      <Field label={t('session.email')}>
        {(props) => (
          <input
            {...props}
            className="input"
            type="email"
            autoComplete="username"
            required
            maxLength={254}
            value={given.email}
            onChange={(event) => onChange({ email: event.target.value })}
          />
        )}
      </Field>
      <CurrentPassword
        label={t('session.password')}
        value={given.password}
        onChange={(password) => onChange({ password })}
      />
    </>
  )
}

/** The password was right: a code is missing, wrong, or used up. */
function isCodeWrong(error: Error): boolean {
  return isStatus(error, 401) && (error.problem?.errors?.some(({ pointer }) => pointer === '/code') ?? false)
}

function wrong(error: Error, translator: Translator): string {
  const { t } = translator
  if (isCodeWrong(error)) return t('factor.wrong')
  if (isStatus(error, 401)) return t('session.wrong')
  if (isStatus(error, 429)) return t('session.wait', { seconds: Math.ceil((error.retryAfterMs ?? 1_000) / 1_000) })
  return reasonOf(error, translator)
}
