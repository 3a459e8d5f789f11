// What the service has against a form, in the reader's language where it has words for it.
import { isStatus } from '../../../shared/api/api.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Notice } from '../../../shared/ui/basics.tsx'
import { Refused } from '../../../shared/ui/states.tsx'
import { SaidText } from '../attempt.tsx'
import { saidBy } from '../service-words.ts'

interface RefusedWordsProps {
  error: Error | null
  /** What was sent: the value that is meant is said, too. */
  sent: unknown
}

export function RefusedWords({ error, sent }: RefusedWordsProps) {
  const translator = useTranslator()
  const errors = isStatus(error, 400) ? (error.problem?.errors ?? []) : []
  if (errors.length === 0) return <Refused error={error} />
  return (
    <Notice tone="bad">
      {errors.map(({ pointer = '', detail }) => {
        const value = valueAt(sent, pointer)
        return (
          <p key={`${pointer} ${detail}`}>
            {typeof value === 'string' && <b>{value}: </b>}
            <SaidText said={saidBy(detail, translator)} />
          </p>
        )
      })}
    </Notice>
  )
}

/** By a JSON pointer. */
function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => new Map(Object.entries(Object(at))).get(name), value)
}
