// Which moment is to be explained.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readLocal, writeLocal, zoneName } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button } from '../../shared/ui/basics.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import './explanation.css'

/** By then most exporters have sent what they know of a moment. */
const reportedMs = 60_000

/** `at`: ISO 8601; undefined: nothing was asked yet. */
export function MomentForm({ at }: { at: string | undefined }) {
  const { t, language } = useTranslator()
  const [{ zone }] = usePreferences()
  const navigate = useNavigate({ from: '/addresses' })
  const write = () => writeLocal(at === undefined ? Date.now() - reportedMs : Date.parse(at), zone, 'second')
  const [moment, setMoment] = useState(write)
  // The field follows the address of the screen and the reader's clock; the button that was pressed keeps the focus.
  const [shown, setShown] = useState({ at, zone })
  if (shown.at !== at || shown.zone !== zone) {
    setShown({ at, zone })
    setMoment(write())
  }
  const ask = (ms: number) =>
    void navigate({ search: (search) => ({ ...search, at: new Date(ms).toISOString() }), resetScroll: false })
  const ms = readLocal(moment, zone)
  return (
    <form
      className="row explanation-form"
      onSubmit={(event) => {
        event.preventDefault()
        ask(ms)
      }}
    >
      <label className="row">
        <span>{t('explain.at')}</span>
        <input
          type="datetime-local"
          step={1}
          className="input"
          value={moment}
          onChange={({ target }) => setMoment(target.value)}
        />
      </label>
      <span className="quiet">{zoneName(Number.isNaN(ms) ? Date.now() : ms, language, zone)}</span>
      <Button type="submit" disabled={Number.isNaN(ms)}>
        {t('explain.ask')}
      </Button>
      <Button look="ghost" onClick={() => ask(Date.now() - reportedMs)}>
        {t('explain.now')}
      </Button>
    </form>
  )
}
