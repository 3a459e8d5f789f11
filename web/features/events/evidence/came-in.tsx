// Where the packets of an attack came in, as the exporters say: interfaces (for administrators), and the networks of the sources.
import { useState } from 'react'
import { formatCount, formatShare } from '../../../shared/format/rates.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import type { MessageKey } from '../../../shared/i18n/messages.ts'
import { Bar, Button, Card } from '../../../shared/ui/basics.tsx'
import type { EventReport } from '../queries.ts'

interface Item {
  text: string
  note: string
  packets: number
}

interface List {
  title: MessageKey
  isExact: boolean
  items: readonly Item[]
}

const fewMax = 6

/** Nothing where no exporter says anything of it. */
export function CameIn({ event }: { event: EventReport }) {
  const { t } = useTranslator()
  const lists = listsOf(event).filter(({ items }) => items.length > 0)
  if (lists.length === 0) return null
  return (
    <section className="stack">
      <h2 className="section-title">{t('cameIn.title')}</h2>
      <div className="grid-3">
        {lists.map((list) => (
          <Share key={list.title} list={list} total={event.total.packets} />
        ))}
      </div>
    </section>
  )
}

function Share({ list: { title, isExact, items }, total }: { list: List; total: number }) {
  const { t, language } = useTranslator()
  const [isWhole, setWhole] = useState(false)
  const ordered = items.toSorted((a, b) => b.packets - a.packets)
  const listed = ordered.reduce((sum, { packets }) => sum + packets, 0)
  const all = Math.max(total, listed, 1e-9)
  return (
    <Card title={t(title)}>
      <ul className="bars">
        {ordered.slice(0, isWhole ? ordered.length : fewMax).map(({ text, note, packets }) => (
          <li key={`${text} ${note}`}>
            <span>
              {text}
              {note !== '' && <span className="quiet"> {note}</span>}
            </span>
            <span className="num quiet">{formatCount(packets, language)}</span>
            <b className="num">{formatShare(packets / all, language)}</b>
            <Bar share={packets / all} />
          </li>
        ))}
      </ul>
      {ordered.length > fewMax && (
        <Button look="ghost" className="no-print" onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? t('list.less') : t('list.all', { count: ordered.length })}
        </Button>
      )}
      {!isExact && <p className="quiet">{t('breakdown.rough')}</p>}
    </Card>
  )
}

function listsOf({ statistics }: EventReport): List[] {
  const { ingressInterfaces, egressInterfaces, sourceSystems } = statistics
  const interfaces = (title: MessageKey, from: typeof ingressInterfaces): List => ({
    title,
    isExact: from === null || from.flowsMissedMax === 0,
    items: (from?.entries ?? []).map(({ exporter, interface: index, packets }) => {
      return { text: `${exporter ?? '…'} #${index}`, note: '', packets }
    }),
  })
  return [
    interfaces('cameIn.ingress', ingressInterfaces),
    interfaces('cameIn.egress', egressInterfaces),
    {
      title: 'cameIn.systems',
      isExact: sourceSystems.flowsMissedMax === 0,
      items: sourceSystems.entries.map(({ as, packets }) => ({ text: `AS${as.number}`, note: as.name, packets })),
    },
  ]
}
