// The field in which somebody says the password that they have.
import { Field } from './basics.tsx'

/** Longer than any password: what is typed is sent, and refused, whole. */
const lengthMax = 1_000

interface CurrentPasswordProps {
  label: string
  value: string
  onChange: (typed: string) => void
}

export function CurrentPassword({ label, value, onChange }: CurrentPasswordProps) {
  return (
    <Field label={label}>
      {(props) => (
        <input
          {...props}
          className="input"
          type="password"
          autoComplete="current-password"
          required
          maxLength={lengthMax}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
