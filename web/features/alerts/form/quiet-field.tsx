// Quiet hours of a channel: whether it has some, and which.
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { nightWindow, WindowFields } from '../about/window-fields.tsx'
import type { TimeWindow } from '../about/window-words.ts'

interface QuietFieldProps {
  quiet: TimeWindow | null
  onChange: (quiet: TimeWindow | null) => void
}

export function QuietField({ quiet, onChange }: QuietFieldProps) {
  const { t } = useTranslator()
  return (
    <>
      <label className="row">
        <input
          type="checkbox"
          checked={quiet !== null}
          onChange={({ target }) => onChange(target.checked ? nightWindow() : null)}
        />
        {t('quiet.has')}
      </label>
      {quiet !== null && (
        <>
          <WindowFields window={quiet} onChange={onChange} />
          <p className="quiet">{t('quiet.text')}</p>
        </>
      )}
    </>
  )
}
