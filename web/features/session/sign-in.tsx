// Signing in with e-mail and password.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { isStatus, reasonOf, useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Field, Notice } from '../../shared/ui/basics.tsx'
import { Mark } from '../../shared/ui/mark.tsx'
import { sessionKey } from './session.ts'

export function SignIn() {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const router = useRouter()
  const { next } = useSearch({ from: '/sign-in' })
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    mutationFn: () => api.call('signIn', { body: { email: email.trim(), password } }),
    onSuccess: async (identity) => {
      api.csrfToken = identity.csrfToken
      queries.setQueryData(sessionKey, identity)
      router.history.push(ownPath(next, router.basepath))
    },
  })
  return (
    <div className="outside">
      <main className="stack">
        <p className="brand">
          <Mark />
          Floodgauge
        </p>
        <Card>
          <h1>{t('session.title')}</h1>
          {signIn.isError && <Notice tone="bad">{wrong(signIn.error, t)}</Notice>}
          <form
            onSubmit={(event) => {
              event.preventDefault()
              signIn.mutate()
            }}
          >
            <Field label={t('session.email')}>
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
            <Field label={t('session.password')}>
              {(props) => (
                <input
                  {...props}
                  className="input"
                  type="password"
                  autoComplete="current-password"
                  required
                  maxLength={1000}
                  value={password}
                  onChange={(event) => setPassword(event.target.value)}
                />
              )}
            </Field>
            <Button type="submit" look="primary" disabled={signIn.isPending}>
              {t('session.signIn')}
            </Button>
          </form>
          <p className="quiet">{t('session.forgotten')}</p>
        </Card>
      </main>
    </div>
  )
}

function wrong(error: unknown, t: ReturnType<typeof useTranslator>['t']): string {
  if (isStatus(error, 401)) return t('session.wrong')
  if (isStatus(error, 429)) return t('session.wait', { seconds: Math.ceil((error.retryAfterMs ?? 1_000) / 1_000) })
  return error instanceof Error ? reasonOf(error, t('state.unreachableText')) : String(error)
}

/** Where to go after signing in, below the console's own address: never to another host, whatever the address says. */
function ownPath(next: string | undefined, basepath: string): string {
  const base = basepath.replace(/\/$/, '')
  return next !== undefined && /^\/(?![/\\])/.test(next) ? base + next : `${base}/`
}
