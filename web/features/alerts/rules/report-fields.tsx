// When a rule reports on all attacks, as fields.
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Field } from '../../../shared/ui/basics.tsx'
import { readersZone } from '../about/reader.ts'
import { dayName, weekDays } from '../about/window-words.ts'
import { hourText, type Schedule } from './report.ts'
import './rule-form.css'
import type { Rule } from './sentence.ts'

interface ReportFieldsProps {
  report: Rule['report']
  onChange: (report: Rule['report']) => void
}

const hours = Array.from({ length: 24 }, (_, hour) => hour)
const daily = 'daily'

export function ReportFields({ report, onChange }: ReportFieldsProps) {
  const { t, language } = useTranslator()
  const choose = (value: string) => {
    const day = weekDays.find((each) => each === value) ?? null
    if (value === '') onChange(null)
    else onChange({ ...(report ?? plainSchedule()), day })
  }
  return (
    <>
      <Field label={t('rules.report')} hint={t('rules.reportHint')}>
        {(props) => (
          <select
            {...props}
            className="input"
            value={report === null ? '' : (report.day ?? daily)}
            onChange={({ target }) => choose(target.value)}
          >
            <option value="">{t('rules.never')}</option>
            <option value={daily}>{t('rules.everyDay')}</option>
            {weekDays.map((day) => (
              <option key={day} value={day}>
                {t('rules.every', { time: dayName(day, language, 'long') })}
              </option>
            ))}
          </select>
        )}
      </Field>
      {report !== null && (
        <Field label={t('rules.reportHour', { zone: report.timeZone })}>
          {(props) => (
            <select
              {...props}
              className="input"
              value={report.hour}
              onChange={({ target }) => onChange({ ...report, hour: Number(target.value) })}
            >
              {hours.map((hour) => (
                <option key={hour} value={hour}>
                  {hourText(hour)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </>
  )
}

const plainSchedule = (): Schedule => ({ day: null, hour: 8, timeZone: readersZone() })
