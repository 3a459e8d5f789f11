// The button that sends a message about a made-up attack, and what came of it.
import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { reasonOf, useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button } from '../../shared/ui/basics.tsx'
import { AttemptWords } from './attempt.tsx'

export function useTest(id: string) {
  const api = useApi()
  return useMutation({ mutationFn: () => api.call('testChannel', { params: { id } }) })
}

export function TestResult({ test: { data, error, isPending } }: { test: ReturnType<typeof useTest> }) {
  const translator = useTranslator()
  return (
    <span role="status">
      {isPending && <span className="quiet">{translator.t('channels.testing')}</span>}
      {!isPending && data !== undefined && <AttemptWords outcome={data} />}
      {!isPending && error !== null && <span className="tone bad">{reasonOf(error, translator)}</span>}
    </span>
  )
}

export function TestChannel({ id }: { id: string }) {
  const { t } = useTranslator()
  const test = useTest(id)
  return (
    <div className="stack">
      <div className="row">
        <Button disabled={test.isPending} onClick={() => test.mutate()}>
          <Send size={14} aria-hidden />
          {t('channels.test')}
        </Button>
      </div>
      <TestResult test={test} />
    </div>
  )
}
