// The field for a code: of the authenticator, or one of the recovery codes.
import { useCallback } from 'react'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Field } from '../../shared/ui/basics.tsx'

interface CodeFieldProps {
  /** No recovery code will do: the authenticator has to show that it has the secret. */
  isFirst?: boolean
  /** It is all that there is to fill in. */
  isFocused?: boolean
  value: string
  onChange: (typed: string) => void
}

export function CodeField({ isFirst = false, isFocused = false, value, onChange }: CodeFieldProps) {
  const { t } = useTranslator()
  const focus = useCallback(
    (input: HTMLInputElement | null) => {
      if (isFocused) input?.focus()
    },
    [isFocused],
  )
  return (
    <Field label={t('factor.code')} hint={t(isFirst ? 'factor.firstCodeHint' : 'factor.codeHint')}>
      {(props) => (
        <input
          {...props}
          ref={focus}
          className="input mono"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          inputMode={isFirst ? 'numeric' : 'text'}
          required
          minLength={6}
          maxLength={40}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
