// The page that the provider of single sign-on sends the browser back to.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card, Notice } from '../../shared/ui/basics.tsx'
import { Mark } from '../../shared/ui/mark.tsx'
import { SkeletonLines } from '../../shared/ui/states.tsx'
import { ownPath } from './next.ts'
import { beginSession } from './session.ts'
import { whyNot } from './sign-on-button.tsx'

export function SignOnReturn() {
  const translator = useTranslator()
  const { t } = translator
  const { mutate, error } = useFinish()
  const isBegun = useRef(false)
  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    const query = globalThis.location.search.slice(1)
    // What proves who one is stays in no history.
    globalThis.history.replaceState(globalThis.history.state, '', globalThis.location.pathname)
    mutate(query)
  }, [mutate])
  return (
    <div className="outside">
      <main className="stack">
        <p className="brand">
          <Mark />
          Floodgauge
        </p>
        <Card>
          <h1>{t('session.title')}</h1>
          {error === null ? <SkeletonLines lines={2} /> : <Notice tone="bad">{whyNot(error, translator)}</Notice>}
          {error !== null && (
            <p>
              <Link to="/sign-in">{t('signOn.again')}</Link>
            </p>
          )}
        </Card>
      </main>
    </div>
  )
}

function useFinish() {
  const api = useApi()
  const queries = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: (query: string) => api.call('finishSignOn', { body: { query } }),
    onSuccess: ({ identity, next }) => {
      beginSession(identity, { api, queries })
      router.history.replace(ownPath(next, router.basepath))
    },
  })
}
