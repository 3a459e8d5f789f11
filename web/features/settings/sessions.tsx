// Where one is signed in.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Pill } from '../../shared/ui/basics.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { Failure, SkeletonLines } from '../../shared/ui/states.tsx'

export function Sessions() {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => api.call('listSessions', { signal }),
  })
  const end = useMutation({
    mutationFn: (id: string) => api.call('endSession', { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })
  if (data === undefined) {
    return <Card flush>{error === null ? <SkeletonLines lines={3} /> : <Failure error={error} retry={refetch} />}</Card>
  }
  return (
    <Card flush>
      <Scroll label={t('settings.sessions')}>
        <table className="table stacking">
          <thead>
            <tr>
              <th scope="col">{t('sessions.browser')}</th>
              <th scope="col">{t('sessions.address')}</th>
              <th scope="col">{t('sessions.seen')}</th>
              <th scope="col">{t('sessions.began')}</th>
              <th scope="col">
                <span className="sr-only">{t('sessions.end')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.sessions.map(({ id, agent, address, seenAt, createdAt, isThis }) => (
              <tr key={id}>
                <td className="stack-head">
                  <span title={agent}>{browserName(agent)}</span>{' '}
                  {isThis && <Pill tone="accent">{t('sessions.this')}</Pill>}
                </td>
                <td className="mono" data-label={t('sessions.address')}>
                  {address}
                </td>
                <td className="nowrap" data-label={t('sessions.seen')}>
                  <Ago at={seenAt} />
                </td>
                <td className="nowrap" data-label={t('sessions.began')}>
                  <Ago at={createdAt} />
                </td>
                <td className="num">
                  {!isThis && <Button onClick={() => end.mutate(id)}>{t('sessions.end')}</Button>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Card>
  )
}

/** The name that people know a browser by; browsers call themselves by each other's names as well, so the order counts. */
function browserName(agent: string): string {
  const names = ['Firefox', 'Edg', 'OPR', 'Chrome', 'Safari', 'curl']
  const name = names.find((each) => agent.includes(each))
  if (name === undefined) return agent.slice(0, 40)
  return { Edg: 'Edge', OPR: 'Opera' }[name] ?? name
}
