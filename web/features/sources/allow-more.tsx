// The form that lets somebody send who has not sent yet: addresses and networks as they are typed, beside those that may already.
import { useState } from 'react'
import { isStatus } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Field } from '../../shared/ui/basics.tsx'
import { useToast } from '../../shared/ui/overlays.tsx'
import { Refused } from '../../shared/ui/states.tsx'
import type { Allowed } from './queries.ts'
import { useAllow } from './use-allow.ts'
import './allow-more.css'

/** The first list that there is would shut out those that send now: it has them too. */
export function AllowMore({ allowed: { source, entries, senders } }: { allowed: Allowed }) {
  const { t } = useTranslator()
  const { mutate, error, isPending, reset } = useAllow()
  const tell = useToast()
  const [text, setText] = useState('')
  const isFirst = source === 'anybody'
  const kept = isFirst ? senders : entries
  const added = wordsOf(text).filter((word) => !kept.includes(word))
  const wrong = wrongEntries(error)
    .map((at) => added[at - kept.length])
    .filter((entry) => entry !== undefined)
  const first = senders.length === 0 ? t('allowed.addFirst') : t('allowed.addFirstBeside', { count: senders.length })
  const submit = () =>
    mutate([...kept, ...added], {
      onSuccess: () => {
        setText('')
        tell(t('allowed.added', { entries: added.join(', ') }))
      },
    })
  return (
    <form
      className="stack allow-more"
      onSubmit={(event) => {
        event.preventDefault()
        if (added.length > 0) submit()
      }}
    >
      <Field
        label={t('allowed.add')}
        hint={isFirst ? first : t('allowed.addHint')}
        error={wrong.length === 0 ? null : t('allowed.wrong', { entries: wrong.join(', ') })}
      >
        {(props) => (
          <div className="row">
            <input
              {...props}
              className="input mono"
              placeholder="192.0.2.1, 198.51.100.0/28"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
              value={text}
              onChange={({ target }) => {
                setText(target.value)
                reset()
              }}
            />
            <Button type="submit" disabled={isPending}>
              {t('allowed.allow')}
            </Button>
          </div>
        )}
      </Field>
      {wrong.length === 0 && <Refused error={error} />}
    </form>
  )
}

/** Words of the text, whatever is between them; each once. */
function wordsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))]
}

/** The places in the list that the service says are neither an address nor a network. */
function wrongEntries(error: Error | null): number[] {
  if (!isStatus(error, 400)) return []
  const places = error.problem?.errors?.map(({ pointer }) => /^\/entries\/(\d+)$/.exec(pointer ?? '')?.[1]) ?? []
  return places.filter((place) => place !== undefined).map(Number)
}
