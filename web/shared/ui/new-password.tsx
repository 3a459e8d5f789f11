// The field in which somebody chooses a password.
import { passwordLength } from '../../../src/contract/limits.ts'
import { useTranslator } from '../i18n/i18n.tsx'
import { Field } from './basics.tsx'

interface NewPasswordProps {
  label: string
  /** Left out: how many characters it must have. */
  hint?: string
  error?: string | null
  /** It may stay empty. */
  isOptional?: boolean
  value: string
  onChange: (typed: string) => void
}

export function NewPassword({ label, hint, error = null, isOptional = false, value, onChange }: NewPasswordProps) {
  const { t } = useTranslator()
  return (
    <Field label={label} hint={hint ?? t('setup.passwordHint', { count: passwordLength.min })} error={error}>
      {(props) => (
        <input
          {...props}
          className="input"
          type="password"
          autoComplete="new-password"
          required={!isOptional}
          minLength={passwordLength.min}
          maxLength={passwordLength.max}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
