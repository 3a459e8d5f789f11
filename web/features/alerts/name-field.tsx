// The name of a channel or of a rule, in its form.
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Field } from '../../shared/ui/basics.tsx'

interface NameFieldProps {
  name: string
  hint: string
  onChange: (name: string) => void
}

export function NameField({ name, hint, onChange }: NameFieldProps) {
  const { t } = useTranslator()
  return (
    <Field label={t('channels.name')} hint={hint}>
      {(props) => (
        <input
          {...props}
          className="input"
          required
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}
