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

/** What was found in the reader's language, and its numbers as the service says them; a finding that is newer than the console is the service's alone. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const { find } = useTranslator()
  return (
    <ul className="stack">
      {findings.map(({ rule, severity, text, advice }) => (
        <li key={rule}>
          <Notice tone={tones[severity]}>
            <p>
              <b>{find(`finding.${rule}.about`) ?? rule}</b>
            </p>
            <p lang="en">{text}</p>
            <p>{find(`finding.${rule}.advice`) ?? <span lang="en">{advice}</span>}</p>
          </Notice>
        </li>
      ))}
    </ul>
  )
}
