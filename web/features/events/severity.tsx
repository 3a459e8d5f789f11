// How severe an attack is: one to four bars, with the word for it.
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { type Severity, severities } from './standing.ts'

const width = 3
const gap = 1.5
const height = 13

export function SeverityMark({ severity, withWord = false }: { severity: Severity; withWord?: boolean }) {
  const { t } = useTranslator()
  const level = severities.indexOf(severity)
  const word = t(`severity.${severity}`)
  return (
    <span className={`severity ${severity}`} title={withWord ? t('severity.how') : `${word}. ${t('severity.how')}`}>
      <svg width={severities.length * (width + gap)} height={height} aria-hidden="true">
        {severities.map((bar, i) => (
          <rect
            key={bar}
            x={i * (width + gap)}
            y={height - 4 - 3 * i}
            width={width}
            height={4 + 3 * i}
            rx={1}
            className={i <= level ? 'filled' : ''}
          />
        ))}
      </svg>
      {withWord ? word : <span className="sr-only">{word}</span>}
    </span>
  )
}
