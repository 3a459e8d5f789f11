// Another secret for a channel that signs its messages: shown once, while the one before it still counts.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../shared/api/api.ts'
import { Moment } from '../../../shared/format/moments.tsx'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { Button, Notice } from '../../../shared/ui/basics.tsx'
import { Code } from '../../../shared/ui/overlays.tsx'
import { Refused } from '../../../shared/ui/states.tsx'
import { type Channel, channelsKey } from '../queries.ts'

export function RotateSecret({ channel: { id } }: { channel: Channel }) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const rotate = useMutation({
    mutationFn: () => api.call('rotateSecret', { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: channelsKey }),
  })
  const until = rotate.data?.channel.oldSecretUntil ?? null
  return (
    <div className="stack">
      <div className="row">
        <Button disabled={rotate.isPending} onClick={() => rotate.mutate()}>
          {t('channelForm.rotate')}
        </Button>
        <span className="quiet">{t('channelForm.rotateHint')}</span>
      </div>
      <Refused error={rotate.error} />
      <div role="status">
        {rotate.data !== undefined && (
          <>
            <Notice tone="good">
              {t('channels.secretOnce')}{' '}
              {until !== null && (
                <>
                  {t('channelForm.rotated')} <Moment at={until} />
                </>
              )}
            </Notice>
            <Code text={rotate.data.secret} />
          </>
        )}
      </div>
    </div>
  )
}
