// The button that sends a message about a made-up attack, and what came of it.
import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { reasonOf, useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button } from '../../shared/ui/basics.tsx'
import './alerts.css'
import { AttemptWords } from './attempt.tsx'

export function useTest(id: string) {
  const api = useApi()
  return useMutation({ mutationFn: () => api.call('testChannel', { params: { id } }) })
}

interface TestResultProps {
  test: ReturnType<typeof useTest>
  /** Says that it is about a test, beside what came of other messages. */
  label?: string
}

export function TestResult({ test: { data, error, isPending }, label }: TestResultProps) {
  const translator = useTranslator()
  const isThere = isPending || data !== undefined || error !== null
  return (
    <span role="status" className={label === undefined ? '' : 'test-result'}>
      {label !== undefined && isThere && <span className="quiet">{label}: </span>}
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
