// On the pages of an event and of a site: tells nobody about what it is about for a while.
import { BellOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Button } from '../../../shared/ui/basics.tsx'
import { useMayChange } from '../../session/session.ts'
import { SilenceForm } from './silence-form.tsx'

export function SilenceButton({ site }: { site: string }) {
  const { t } = useTranslator()
  const [isOpen, setOpen] = useState(false)
  if (!useMayChange()) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <BellOff size={14} aria-hidden />
        {t('silences.button')}
      </Button>
      {isOpen && <SilenceForm about={{ sites: [site], groups: [], vectors: [] }} onClose={() => setOpen(false)} />}
    </>
  )
}
