// For who has to set up the second factor before anything else.
import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card, Notice } from '../../shared/ui/basics.tsx'
import { Mark } from '../../shared/ui/mark.tsx'
import { ownPath } from '../session/next.ts'
import { sessionQuery } from '../session/session.ts'
import { SetUp } from './set-up.tsx'

export function RequiredSecondFactor() {
  const { t } = useTranslator()
  const router = useRouter()
  const { next } = useSearch({ from: '/second-factor' })
  const identity = useIdentityRefetch()
  return (
    <div className="outside">
      <main className="stack">
        <p className="brand">
          <Mark />
          Floodgauge
        </p>
        <Card>
          <h1>{t('factor.title')}</h1>
          <Notice>{t('factor.required')}</Notice>
          <SetUp
            onDone={async () => {
              await identity()
              router.history.push(ownPath(next, router.basepath))
            }}
          />
        </Card>
      </main>
    </div>
  )
}

/** Asks again who is signed in: from now on the session is good for more. */
export function useIdentityRefetch() {
  const api = useApi()
  const queries = useQueryClient()
  return () => queries.fetchQuery({ ...sessionQuery(api), staleTime: 0 })
}
