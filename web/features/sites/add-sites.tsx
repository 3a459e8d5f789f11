// Adding sites, many at a time: what was taken, and why the rest was not, line by line as the service says it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import type { AddOutcome } from '../../../client/types.ts'
import { hostsMax } from '../../../src/contract/limits.ts'
import { useApi } from '../../shared/api/api.ts'
import { formatCount } from '../../shared/format/rates.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Field } from '../../shared/ui/basics.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { Refused } from '../../shared/ui/states.tsx'
import { sitesChanged } from './queries.ts'
import './add-sites.css'

export function AddSites({ onDone, onAdded }: { onDone: () => void; onAdded?: () => void }) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const hosts = hostsOf(text)
  const add = useMutation({
    mutationFn: () => addAll((batch) => api.call('addAnySites', { body: { hosts: batch } }), hosts),
    onSuccess: (outcome) => {
      void sitesChanged(queries)
      if (outcome.success.length > 0) onAdded?.()
      // What was refused stays, to be mended.
      setText(outcome.error.flatMap((refused) => Object.keys(refused)).join('\n'))
    },
  })
  const isAdded = add.data !== undefined && add.data.success.length > 0
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <Field label={t('sites.hosts')} hint={t('sites.hostsHint')}>
        {(props) => (
          <textarea
            {...props}
            className="input mono"
            rows={7}
            spellCheck={false}
            placeholder={'www.example.com\n*.shop.example.com\n192.0.2.10\n198.51.100.0/24'}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Refused error={add.error} />
      {add.data !== undefined && <Outcome outcome={add.data} />}
      <div className="row end">
        {isAdded && (
          <Button onClick={onDone} look="primary">
            {t('sites.done')}
          </Button>
        )}
        {(add.data === undefined || hosts.length > 0) && (
          <Button type="submit" look={isAdded ? 'plain' : 'primary'} disabled={hosts.length === 0 || add.isPending}>
            {t('sites.addCount', { count: hosts.length })}
          </Button>
        )}
      </div>
    </form>
  )
}

function Outcome({ outcome: { success, error } }: { outcome: AddOutcome }) {
  const { t, language } = useTranslator()
  const refused = error.flatMap((each) => Object.entries(each))
  const [added, left] = [formatCount(success.length, language), formatCount(refused.length, language)]
  return (
    <div className="stack" role="status">
      <p>
        <b>{refused.length === 0 ? t('sites.added', { added }) : t('sites.addedSome', { added, refused: left })}</b>
      </p>
      <Scroll label={t('sites.hosts')} className="outcomes">
        <ul className="outcome">
          {refused.map(([host, reason]) => (
            <li key={host} className="bad">
              <CircleAlert size={14} aria-hidden />
              <span className="mono">{host}</span>
              <span lang="en">{reason}</span>
            </li>
          ))}
          {success.map((host) => (
            <li key={host} className="good">
              <CircleCheck size={14} aria-hidden />
              <span className="mono">{host}</span>
            </li>
          ))}
        </ul>
      </Scroll>
    </div>
  )
}

/** Words of the text, whatever is between them; each once. */
function hostsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((word) => word !== ''))]
}

/** As many requests as it takes, one after the other. */
async function addAll(add: (hosts: string[]) => Promise<AddOutcome>, hosts: string[]): Promise<AddOutcome> {
  const all: AddOutcome = { status: 0, success: [], error: [] }
  for (let at = 0; at < hosts.length; at += hostsMax) {
    const { success, error } = await add(hosts.slice(at, at + hostsMax))
    all.success.push(...success)
    all.error.push(...error)
  }
  return all
}
