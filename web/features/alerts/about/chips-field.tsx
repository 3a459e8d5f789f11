// Several values in one field, each a chip that can be taken away: what is typed becomes one with Enter, a comma, a space where none can be in it, or when the field is left.
import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Field } from '../../../shared/ui/basics.tsx'
import './chips-field.css'

export interface Suggestion {
  value: string
  label: string
}

interface ChipsFieldProps {
  label: string
  hint: string
  placeholder: string
  values: readonly string[]
  /** What is offered while one types. */
  suggestions: readonly Suggestion[]
  labelOf: (value: string) => string
  onChange: (values: string[]) => void
  /** Told while one types, to look for what to offer. */
  onType?: (text: string) => void
  /** What ends a value: what can be in none. */
  separator: RegExp
}

export function ChipsField({ label, hint, placeholder, values, onType, ...rest }: ChipsFieldProps) {
  const { suggestions, labelOf, onChange, separator } = rest
  const { t } = useTranslator()
  const [typed, setTyped] = useState('')
  const list = useId()
  const add = (text: string) => {
    const texts = text.split(separator).map((each) => each.trim())
    const found = texts.filter((each) => each !== '').map((each) => meantBy(each, suggestions))
    if (found.length > 0) onChange([...new Set([...values, ...found])])
    type('')
  }
  const type = (text: string) => {
    setTyped(text)
    onType?.(text)
  }
  return (
    <Field label={label} hint={hint}>
      {(props) => (
        <div className="chips input">
          {values.length > 0 && (
            <ul className="filters">
              {values.map((value) => (
                <li key={value} className="pill accent">
                  <span className="chip">{labelOf(value)}</span>
                  <button
                    type="button"
                    aria-label={t('events.without', { filter: labelOf(value) })}
                    onClick={() => onChange(values.filter((each) => each !== value))}
                  >
                    <X size={12} aria-hidden />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <input
            {...props}
            list={list}
            maxLength={1_000}
            autoComplete="off"
            placeholder={values.length === 0 ? placeholder : ''}
            value={typed}
            onChange={({ target: { value }, nativeEvent }) => {
              // Who types one that is offered may mean a longer one.
              const isTyped = nativeEvent instanceof InputEvent && nativeEvent.inputType === 'insertText'
              const isChosen = !isTyped && suggestions.some((each) => each.label === value)
              if (isChosen || separator.test(value)) add(value)
              else type(value)
            }}
            onBlur={() => add(typed)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && typed.trim() !== '') {
                event.preventDefault()
                add(typed)
              }
              if (event.key === 'Backspace' && typed === '') onChange(values.slice(0, -1))
            }}
          />
          <datalist id={list}>
            {suggestions
              .filter(({ value }) => !values.includes(value))
              .map((each) => (
                <option key={each.value} value={each.label} />
              ))}
          </datalist>
        </div>
      )}
    </Field>
  )
}

/** A name that is offered stands for its value; anything else for itself. */
function meantBy(text: string, suggestions: readonly Suggestion[]): string {
  return suggestions.find((each) => each.label.toLowerCase() === text.toLowerCase())?.value ?? text
}
