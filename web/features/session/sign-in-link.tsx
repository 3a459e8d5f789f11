// Signing in by a one-time link. The code stands behind `#` in the address, which browsers send nowhere; it leaves the address with the page.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { isStatus, useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Field, Notice } from '../../shared/ui/basics.tsx'
import { Mark } from '../../shared/ui/mark.tsx'
import { NewPassword } from '../../shared/ui/new-password.tsx'
import { Refused } from '../../shared/ui/states.tsx'
import { beginSession } from './session.ts'

export function SignInLink() {
  const { t } = useTranslator()
  const given = new URLSearchParams(useLocation({ select: ({ hash }) => hash }))
  const email = given.get('email') ?? ''
  const code = given.get('code') ?? ''
  const isDirect = given.has('direct')
  const { mutate, error, isPending } = useLink(email, code)
  const isBegun = useRef(false)
  useEffect(() => {
    if (!isDirect || code === '' || isBegun.current) return
    isBegun.current = true
    mutate(undefined)
  }, [isDirect, code, mutate])
  return (
    <div className="outside">
      <main className="stack">
        <p className="brand">
          <Mark />
          Floodgauge
        </p>
        <Card>
          <h1>{t('session.linkTitle')}</h1>
          {code === '' || isStatus(error, 403) ? (
            <Notice tone="bad">{t('session.linkOver')}</Notice>
          ) : (
            <Refused error={error} />
          )}
          {!isDirect && code !== '' && <PasswordForm email={email} isPending={isPending} onDone={mutate} />}
          {(code === '' || error !== null) && (
            <p>
              <Link to="/sign-in">{t('session.signIn')}</Link>
            </p>
          )}
        </Card>
      </main>
    </div>
  )
}

function useLink(email: string, code: string) {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (password: string | undefined) =>
      api.call('signInByLink', { body: { email, code, ...(password === undefined ? {} : { password }) } }),
    onSuccess: async (identity) => {
      beginSession(identity, { api, queries })
      await navigate({ to: '/', replace: true })
    },
  })
}

function PasswordForm(props: { email: string; isPending: boolean; onDone: (password: string) => void }) {
  const { t } = useTranslator()
  const [password, setPassword] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        props.onDone(password)
      }}
    >
      <Field label={t('session.email')}>
        {(field) => <input {...field} className="input" autoComplete="username" readOnly value={props.email} />}
      </Field>
      <NewPassword label={t('session.password')} value={password} onChange={setPassword} />
      <Button type="submit" look="primary" disabled={props.isPending}>
        {t('session.setPassword')}
      </Button>
    </form>
  )
}
