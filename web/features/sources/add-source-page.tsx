// A new source of flows: what to paste into which router, and what comes of it, live.
import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Diagnosis } from './diagnosis.tsx'
import { VendorConfiguration } from './vendor-configuration.tsx'

export function AddSourcePage() {
  const { t } = useTranslator()
  return (
    <>
      <div className="page-head">
        <div>
          <p className="crumb">
            <Link to="/sources">
              <ChevronLeft size={14} aria-hidden />
              {t('nav.sources')}
            </Link>
          </p>
          <h1>{t('sources.add')}</h1>
        </div>
      </div>
      <div className="columns">
        <VendorConfiguration />
        <Diagnosis />
      </div>
    </>
  )
}
