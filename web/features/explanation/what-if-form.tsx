// By which other settings the past of an address is to be judged. What is left empty stays as it is.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Field, Segments } from '../../shared/ui/basics.tsx'
import './explanation.css'
import { whatIfQuery } from './queries.ts'
import {
  type AddressSearch,
  defaultSpan,
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

/** What stands in the fields. */
const textsOf = (search: WhatIfSearch) =>
  limits.map((limit) => (search[limit] === undefined ? '' : String(search[limit] / typed[limit].by)))

/** NaN: no amount. */
function amountOf(text: string): number {
  const amount = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(amount) && amount >= 0 ? amount : Number.NaN
}

const isWrong = (text: string) => text.trim() !== '' && Number.isNaN(amountOf(text))

export function WhatIfForm({ address, search }: { address: string; search: WhatIfSearch }) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate({ from: '/addresses' })
  const [texts, setTexts] = useState(() => textsOf(search))
  const [sensitivity, setSensitivity] = useState<string>(search.sensitivity ?? '')
  const [last, setLast] = useState(search.last ?? defaultSpan)
  // The fields follow the address of the screen; the button that was pressed keeps the focus.
  const key = JSON.stringify([address, search])
  const [shown, setShown] = useState(key)
  if (shown !== key) {
    setShown(key)
    setTexts(textsOf(search))
    setSensitivity(search.sensitivity ?? '')
    setLast(search.last ?? defaultSpan)
  }
  const amounts = limits.map((limit, i) => [limit, amountOf(texts[i]) * typed[limit].by] as const)
  const wanted = whatIfOf({ ...Object.fromEntries(amounts), sensitivity, last })
  const judge = () => {
    // The same question gets another answer: time has gone on.
    void queries.resetQueries({ queryKey: whatIfQuery(api, address, wanted).queryKey, exact: true })
    const kept = ({ address, at }: AddressSearch) => ({
      ...(address === undefined ? {} : { address }),
      ...(at === undefined ? {} : { at }),
    })
    void navigate({ search: (before) => ({ ...kept(before), ...wanted }), resetScroll: false })
  }
  return (
    <form
      className="explanation-form"
      onSubmit={(event) => {
        event.preventDefault()
        judge()
      }}
    >
      <p className="quiet">{t('whatIf.lead')}</p>
      <div className="what-if-fields">
        {limits.map((limit, i) => (
          <LimitField key={limit} limit={limit} text={texts[i]} onChange={(text) => setTexts(texts.with(i, text))} />
        ))}
        <SensitivityField value={sensitivity} onChange={setSensitivity} />
      </div>
      <div className="row">
        <Segments
          label={t('traffic.range')}
          value={last}
          onChange={setLast}
          choices={spanNames.map((value) => ({ value, label: t(`whatIf.last.${value}`) }))}
        />
        <Button type="submit" disabled={texts.some(isWrong) || !isChanged(wanted)}>
          {t('whatIf.judge')}
        </Button>
      </div>
    </form>
  )
}

function LimitField({ limit, text, onChange }: { limit: Limit; text: string; onChange: (text: string) => void }) {
  const { t } = useTranslator()
  return (
    <Field
      label={t(`whatIf.${limit}`)}
      hint={t('whatIf.unitHint', { unit: t(typed[limit].unit) })}
      error={isWrong(text) ? t('whatIf.wrong') : null}
    >
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

function SensitivityField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslator()
  return (
    <Field label={t('address.sensitivity')}>
      {(props) => (
        <select {...props} className="input" value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">{t('whatIf.asIs')}</option>
          {sensitivities.map((word) => (
            <option key={word} value={word}>
              {t(`whatIf.sensitivity.${word}`)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
