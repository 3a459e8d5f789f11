// The recovery codes, which are shown once.
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Notice } from '../../shared/ui/basics.tsx'
import { Code } from '../../shared/ui/overlays.tsx'

export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { t } = useTranslator()
  return (
    <div className="stack">
      <Notice tone="warn">{t('factor.codesOnce')}</Notice>
      <Code text={codes.join('\n')} />
      <div className="row end">
        <Button look="primary" onClick={onKept}>
          {t('factor.kept')}
        </Button>
      </div>
    </div>
  )
}
