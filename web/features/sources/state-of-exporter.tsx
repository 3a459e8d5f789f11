// How an exporter does, as a mark with a word, and what is to be done about it.
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Notice, Pill } from '../../shared/ui/basics.tsx'
import type { Exporter, Finding } from './queries.ts'

const marks = {
  ok: { tone: 'good', Icon: CircleCheck },
  warning: { tone: 'warn', Icon: TriangleAlert },
  error: { tone: 'bad', Icon: CircleAlert },
} as const

export function StateOfExporter({ state }: { state: Exporter['state'] }) {
  const { t } = useTranslator()
  const { tone, Icon } = marks[state]
  return (
    <Pill tone={tone} icon={<Icon size={12} aria-hidden />}>
      {t(`source.state.${state}`)}
    </Pill>
  )
}

const tones = { error: 'bad', warning: 'warn', note: 'plain' } as const

/** The texts of findings are the service's. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul className="stack">
      {findings.map(({ rule, severity, text, advice }) => (
        <li key={rule} lang="en">
          <Notice tone={tones[severity]}>
            <p>
              <b>{text}</b>
            </p>
            <p>{advice}</p>
          </Notice>
        </li>
      ))}
    </ul>
  )
}
