// By which other settings the past of an address is to be judged. What is left empty stays as it is.
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Field, Segments } from '../../shared/ui/basics.tsx'
import './explanation.css'
import {
  type AddressSearch,
  isChanged,
  type Limit,
  limits,
  sensitivities,
  spanNames,
  type WhatIfSearch,
  whatIfOf,
} from './search.ts'

/** What people type for each limit: megabits, as everywhere, where the interface has bytes. */
const typed = {
  packetsPerSecond: { unit: 'unit.packetsPerSecond', by: 1 },
  bytesPerSecond: { unit: 'whatIf.megabits', by: 1e6 / 8 },
  flowsPerSecond: { unit: 'unit.flowsPerSecond', by: 1 },
} as const

export function WhatIfForm({ search }: { search: WhatIfSearch }) {
  const { t } = useTranslator()
  const navigate = useNavigate({ from: '/addresses' })
  const [texts, setTexts] = useState(() =>
    limits.map((limit) => (search[limit] === undefined ? '' : String(search[limit] / typed[limit].by))),
  )
  const [sensitivity, setSensitivity] = useState<string>(search.sensitivity ?? '')
  const [last, setLast] = useState(search.last ?? '1d')
  const amounts = texts.flatMap((text, i) =>
    text.trim() === '' ? [] : [[limits[i], Number(text) * typed[limits[i]].by] as const],
  )
  const isWrong = amounts.some(([, value]) => !(value >= 0))
  const wanted = whatIfOf({ ...Object.fromEntries(amounts), sensitivity, last })
  return (
    <form
      className="explanation-form"
      onSubmit={(event) => {
        event.preventDefault()
        const kept = ({ address, at }: AddressSearch) => ({
          ...(address === undefined ? {} : { address }),
          ...(at === undefined ? {} : { at }),
        })
        void navigate({ search: (before) => ({ ...kept(before), ...wanted }), resetScroll: false })
      }}
    >
      <p className="quiet">{t('whatIf.lead')}</p>
      <div className="what-if-fields">
        {limits.map((limit, i) => (
          <LimitField key={limit} limit={limit} text={texts[i]} onChange={(text) => setTexts(texts.with(i, text))} />
        ))}
        <Field label={t('address.sensitivity')}>
          {(props) => (
            <select
              {...props}
              className="input"
              value={sensitivity}
              onChange={({ target }) => setSensitivity(target.value)}
            >
              <option value="">{t('whatIf.asIs')}</option>
              {sensitivities.map((word) => (
                <option key={word} value={word}>
                  {t(`whatIf.sensitivity.${word}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <div className="row">
        <Segments
          label={t('traffic.range')}
          value={last}
          onChange={setLast}
          choices={spanNames.map((value) => ({ value, label: t(`whatIf.last.${value}`) }))}
        />
        <Button type="submit" disabled={isWrong || !isChanged(wanted)}>
          {t('whatIf.judge')}
        </Button>
      </div>
    </form>
  )
}

function LimitField({ limit, text, onChange }: { limit: Limit; text: string; onChange: (text: string) => void }) {
  const { t } = useTranslator()
  return (
    <Field label={t(`whatIf.${limit}`)} hint={t(typed[limit].unit)}>
      {(props) => (
        <input
          {...props}
          className="input"
          inputMode="decimal"
          placeholder={t('whatIf.asIs')}
          value={text}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}
