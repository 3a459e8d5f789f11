// The small parts: buttons, pills, cards, fields, segments, notices.
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import { type ButtonHTMLAttributes, type ReactNode, useId } from 'react'

export type Tone = 'plain' | 'bad' | 'warn' | 'good' | 'accent'

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: 'plain' | 'primary' | 'danger' | 'ghost'
  /** Only an icon is inside: the name that is read out. */
  label?: string
}

export function Button({ look = 'plain', label, className = '', ...rest }: ButtonProps) {
  const classes = ['button', look, label === undefined ? '' : 'icon', className].filter((name) => name !== 'plain')
  const named = label === undefined ? {} : { 'aria-label': label, title: label }
  return <button type="button" className={classes.join(' ').trim()} {...named} {...rest} />
}

export function Pill({
  tone = 'plain',
  icon,
  children,
  title,
}: {
  tone?: Tone
  icon?: ReactNode
  children: ReactNode
  title?: string | undefined
}) {
  return (
    <span className={`pill ${tone}`} title={title}>
      {icon}
      {children}
    </span>
  )
}

export function Card({
  title,
  actions,
  children,
  flush = false,
  className = '',
}: {
  title?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** The content goes to the edges, as tables do. */
  flush?: boolean
  className?: string
}) {
  return (
    <section className={`card ${className}`}>
      {title !== undefined && (
        <div className="card-head">
          <h2>{title}</h2>
          {actions !== undefined && <div className="actions">{actions}</div>}
        </div>
      )}
      {flush ? children : <div className="card-body">{children}</div>}
    </section>
  )
}

/** A label and its control, which gets the id to be found by, and a hint or what is wrong. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string
  hint?: ReactNode
  error?: ReactNode
  children: (props: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }) => ReactNode
}) {
  const id = useId()
  const note = `${id}-note`
  const hasError = error !== undefined && error !== null
  const described = hint === undefined && !hasError ? {} : { 'aria-describedby': note }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, ...described, ...(hasError ? { 'aria-invalid': true } : {}) })}
      {(hint !== undefined || hasError) && (
        <span id={note} className="hint" role={hasError ? 'alert' : undefined}>
          {error ?? hint}
        </span>
      )}
    </div>
  )
}

export interface Choice<Value extends string> {
  value: Value
  label: string
}

/** One of a few, all in sight. Arrow keys move as in any group of radio buttons. */
export function Segments<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  label: string
  value: Value
  choices: readonly Choice<Value>[]
  onChange: (value: Value) => void
}) {
  const move = (by: number) => {
    const at = choices.findIndex((choice) => choice.value === value)
    onChange(choices[(at + by + choices.length) % choices.length].value)
  }
  return (
    <div
      className="segments"
      role="radiogroup"
      aria-label={label}
      onKeyDown={(event) => {
        const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
        if (by === undefined) return
        event.preventDefault()
        move(by)
        const radios = event.currentTarget.querySelectorAll('button')
        const at = choices.findIndex((choice) => choice.value === value)
        radios[(at + by + choices.length) % choices.length]?.focus()
      }}
    >
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          role="radio"
          aria-checked={choice.value === value}
          tabIndex={choice.value === value ? 0 : -1}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  )
}

const icons = { bad: CircleAlert, warn: TriangleAlert, good: CircleCheck, plain: Info, accent: Info }

export function Notice({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  const Icon = icons[tone]
  return (
    <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon size={16} aria-hidden />
      <div>{children}</div>
    </div>
  )
}

/** A part of a whole, 0 to 1. What it says stands in text beside it. */
export function Bar({ share, color }: { share: number; color?: string }) {
  const width = `${Math.max(0, Math.min(1, share)) * 100}%`
  return (
    <span className="bar" aria-hidden>
      <i style={color === undefined ? { width } : { width, background: color }} />
    </span>
  )
}
