// The other sites that an attack hits: those that share the address, hold it in their network, or have a name that led to it.
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Button } from '../../../shared/ui/basics.tsx'
import type { EventReport } from '../queries.ts'

const shownMax = 5

export function AlsoAffected({ event: { sites } }: { event: EventReport }) {
  const { t } = useTranslator()
  const [isAll, setAll] = useState(false)
  const [, ...others] = sites
  if (others.length === 0) return null
  const shown = isAll ? others : others.slice(0, shownMax)
  return (
    <div className="row">
      <span className="quiet">{t('event.alsoAffects')}</span>
      {shown.map((site) => (
        <Link key={site} to="/sites/$host" params={{ host: site }}>
          {site}
        </Link>
      ))}
      {shown.length < others.length && (
        <Button look="ghost" onClick={() => setAll(true)}>
          {t('event.alsoAffectsMore', { count: others.length - shown.length })}
        </Button>
      )}
    </div>
  )
}
