// A field of a channel's form, with its label, what it is for, and what is wrong with what is in it.
import { useId } from 'react'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import type { Translator } from '../../../shared/i18n/messages.ts'
import { Field } from '../../../shared/ui/basics.tsx'
import { SaidText } from '../attempt.tsx'
import type { Said } from '../service-words.ts'
import type { Fault, FormField } from './fields.ts'

/** A secret that the channel may do without. */
export interface Removal {
  isRemoved: boolean
  onChange: (isRemoved: boolean) => void
}

interface FieldInputProps {
  kind: string
  field: FormField
  value: string
  /** It may be left empty: the service makes it, or keeps what it has. */
  empty: 'made' | 'kept' | null
  fault: Fault | Said | null
  onChange: (value: string) => void
  /** Null: it is not offered. */
  removal: Removal | null
}

export function FieldInput({ kind, field, value, empty, fault, onChange, removal }: FieldInputProps) {
  const translator = useTranslator()
  const { t } = translator
  const isMandatory = field.isRequired && empty === null
  const label = labelOf(field, translator)
  const input = (
    <Field
      label={isMandatory || field.control === 'choice' ? label : t('channelForm.optional', { label })}
      hint={<Hint kind={kind} field={field} empty={empty} />}
      error={fault && (typeof fault === 'string' ? t(`channelFault.${fault}`) : <SaidText said={fault} />)}
    >
      {(props) => <Control {...{ field, value, isMandatory, onChange, ...props }} />}
    </Field>
  )
  if (removal === null) return input
  return (
    <>
      {!removal.isRemoved && input}
      <label className="row">
        <input
          type="checkbox"
          checked={removal.isRemoved}
          onChange={({ target }) => {
            onChange('')
            removal.onChange(target.checked)
          }}
        />
        {t('channelForm.remove', { label })}
      </label>
    </>
  )
}

/** What is not known here, such as a setting of a newer service, has the name that the service gives it. */
export function labelOf({ name }: FormField, { find }: Pick<Translator, 'find'>): string {
  return find(`channelField.${name}`) ?? name
}

function Hint({ kind, field, empty }: Pick<FieldInputProps, 'kind' | 'field' | 'empty'>) {
  const { t, find } = useTranslator()
  const { name, description, standard, control } = field
  const own = find(`channelHint.${kind}.${name}`) ?? find(`channelHint.any.${name}`)
  return (
    <>
      {own ?? <span lang="en">{description}</span>}
      {standard !== '' && control !== 'choice' && ` ${t('channelForm.standard', { value: standard })}`}
      {empty !== null && ` ${t(`channelForm.empty.${empty}`)}`}
    </>
  )
}

interface ControlProps {
  field: FormField
  value: string
  isMandatory: boolean
  onChange: (value: string) => void
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean
}

function Control({ field, value, isMandatory, onChange, ...props }: ControlProps) {
  const { part, name, control, choices, standard, isUrl } = field
  const given = {
    ...props,
    value,
    'aria-required': isMandatory,
    className: 'input',
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  }
  if (control === 'choice') {
    return (
      <select {...given} value={value === '' ? standard : value}>
        {choices.map((choice) => (
          <Choice key={choice} name={name} choice={choice} />
        ))}
      </select>
    )
  }
  if (control === 'switch') {
    const { value: _, className: __, onChange: ___, ...rest } = given
    return (
      <input
        {...rest}
        type="checkbox"
        checked={value !== ''}
        onChange={({ target }) => onChange(target.checked ? 'true' : '')}
      />
    )
  }
  if (control === 'lines' || control === 'list') {
    return <textarea {...given} className="input mono" rows={control === 'list' ? 2 : 4} spellCheck={false} />
  }
  if (name === 'timeZone') return <ZoneInput {...given} />
  // A secret is no password of whoever types it: a browser is not to offer one, nor to keep it.
  const secret = part === 'secrets' ? { type: 'password', autoComplete: 'new-password' } : { autoComplete: 'off' }
  const inputMode = control === 'number' ? ('numeric' as const) : isUrl ? ('url' as const) : ('text' as const)
  return <input {...given} {...secret} inputMode={inputMode} spellCheck={false} placeholder={standard} />
}

function Choice({ name, choice }: { name: string; choice: string }) {
  const { find } = useTranslator()
  return <option value={choice}>{find(`channelChoice.${name}.${choice}`) ?? choice}</option>
}

function ZoneInput(props: React.InputHTMLAttributes<HTMLInputElement>) {
  const list = useId()
  return (
    <>
      <input {...props} list={list} autoComplete="off" spellCheck={false} />
      <datalist id={list}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}
