// A button for what can't be taken back: it asks first.
import { useState } from 'react'
import { useTranslator } from '../i18n/i18n.tsx'
import { Button } from './basics.tsx'
import { Dialog } from './overlays.tsx'

interface SureButtonProps {
  label: string
  title: string
  text: string
  onSure: () => void
}

export function SureButton({ label, title, text, onSure }: SureButtonProps) {
  const { t } = useTranslator()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {label}
      </Button>
      {isAsking && (
        <Dialog title={title} onClose={() => setAsking(false)}>
          <p>{text}</p>
          <div className="row end">
            <Button onClick={() => setAsking(false)}>{t('action.cancel')}</Button>
            <Button
              look="danger"
              onClick={() => {
                setAsking(false)
                onSure()
              }}
            >
              {label}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}
