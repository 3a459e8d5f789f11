// Hours and days in a time zone, as fields.
import { useId } from 'react'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Field } from '../../../shared/ui/basics.tsx'
import { Checks } from './checks.tsx'
import { readersZone, zones } from './reader.ts'
import './window-fields.css'
import { dayName, type TimeWindow, weekDays } from './window-words.ts'

/** What is offered first: the hours in which nobody is at their desk. */
export const nightWindow = (): TimeWindow => ({ timeZone: readersZone(), days: [], hours: '22:00-07:00' })

interface WindowFieldsProps {
  window: TimeWindow
  onChange: (window: TimeWindow) => void
}

export function WindowFields({ window, onChange }: WindowFieldsProps) {
  const { t, language } = useTranslator()
  const [from = '', to = ''] = window.hours?.split('-') ?? []
  const setHours = (first: string, second: string) => onChange({ ...window, hours: `${first}-${second}` })
  const days = window.days.length === 0 ? weekDays : window.days
  return (
    <div className="stack window">
      {window.hours !== null && (
        <div className="hours">
          <Field label={t('window.from')}>
            {(props) => (
              <input
                {...props}
                type="time"
                className="input"
                required
                value={from}
                onChange={({ target }) => setHours(target.value, to)}
              />
            )}
          </Field>
          <Field label={t('window.to')}>
            {(props) => (
              <input
                {...props}
                type="time"
                className="input"
                required
                value={to}
                onChange={({ target }) => setHours(from, target.value)}
              />
            )}
          </Field>
          <ZoneField zone={window.timeZone} onChange={(timeZone) => onChange({ ...window, timeZone })} />
        </div>
      )}
      <label className="row">
        <input
          type="checkbox"
          checked={window.hours === null}
          onChange={({ target }) => onChange({ ...window, hours: target.checked ? null : '22:00-07:00' })}
        />
        {t('window.wholeDays')}
      </label>
      <Checks
        title={t('window.days')}
        choices={weekDays.map((day) => ({ value: day, label: dayName(day, language) }))}
        values={days}
        // None would be each of them.
        onChange={(chosen) => chosen.length > 0 && onChange({ ...window, days: chosen.length === 7 ? [] : chosen })}
      />
    </div>
  )
}

function ZoneField({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) {
  const { t } = useTranslator()
  const list = useId()
  return (
    <Field label={t('window.zone')}>
      {(props) => (
        <>
          <input
            {...props}
            className="input"
            required
            list={list}
            value={zone}
            onChange={({ target }) => onChange(target.value)}
          />
          <datalist id={list}>
            {zones().map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
