// Some of a few, all in sight.
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import './checks.css'

interface ChecksProps<Value extends string> {
  title: string
  choices: readonly { value: Value; label: string }[]
  values: readonly Value[]
  onChange: (values: Value[]) => void
  /** What it means that none is chosen; undefined: one must be. */
  none?: string
}

export function Checks<Value extends string>({ title, choices, values, onChange, none }: ChecksProps<Value>) {
  const { t } = useTranslator()
  const toggle = (value: Value) =>
    onChange(
      choices
        .map((each) => each.value)
        .filter((each) => (each === value ? !values.includes(each) : values.includes(each))),
    )
  return (
    <fieldset className="toggles">
      <legend>{title}</legend>
      <div className="row">
        {choices.map(({ value, label }) => (
          <label key={value} className={values.includes(value) ? 'check chosen' : 'check'}>
            <input type="checkbox" checked={values.includes(value)} onChange={() => toggle(value)} />
            {label}
          </label>
        ))}
      </div>
      {values.length === 0 && none !== undefined && <p className="check-note">{none}</p>}
      {choices.length === 0 && <p className="check-note">{t('checks.nothing')}</p>}
    </fieldset>
  )
}
