// The groups that sites can be put into.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Field } from '../../shared/ui/basics.tsx'
import { Dialog } from '../../shared/ui/overlays.tsx'
import { Failure, Refused, SkeletonLines } from '../../shared/ui/states.tsx'
import { SureButton } from '../../shared/ui/sure-button.tsx'
import { useMayChange } from '../session/session.ts'
import { type Group, groupsQuery, sitesChanged } from '../sites/queries.ts'

export function Groups() {
  const { t } = useTranslator()
  const { data, error, refetch } = useQuery(groupsQuery(useApi()))
  /** Null: none is; `new`: one that is not there yet. */
  const mayChange = useMayChange()
  const [edited, setEdited] = useState<Group | 'new' | null>(null)
  return (
    <Card
      title={t('groups.title')}
      flush
      actions={
        mayChange && (
          <Button onClick={() => setEdited('new')}>
            <Plus size={14} aria-hidden />
            {t('groups.add')}
          </Button>
        )
      }
    >
      {edited !== null && <GroupForm group={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {data === undefined ? (
        error === null ? (
          <SkeletonLines lines={3} />
        ) : (
          <Failure error={error} retry={refetch} />
        )
      ) : data.length === 0 ? (
        <p className="card-note">{t('groups.none')}</p>
      ) : (
        <GroupTable groups={data} onRename={setEdited} />
      )}
    </Card>
  )
}

function GroupTable({ groups, onRename }: { groups: readonly Group[]; onRename: (group: Group) => void }) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const mayChange = useMayChange()
  const remove = useMutation({
    mutationFn: (id: string) => api.call('deleteGroup', { params: { id } }),
    onSettled: () => sitesChanged(queries),
  })
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">{t('groups.name')}</th>
          <th scope="col" className="num">
            {t('nav.sites')}
          </th>
          <th scope="col">
            <span className="sr-only">{t('groups.rename')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <tr key={group.id}>
            <td>
              <Link to="/sites" search={{ group: group.id }} className="row-link">
                {group.name}
              </Link>
            </td>
            <td className="num">{group.siteCount}</td>
            <td>
              {mayChange && (
                <div className="row end">
                  <Button onClick={() => onRename(group)}>{t('groups.rename')}</Button>
                  <SureButton
                    label={t('sites.delete')}
                    title={t('groups.deleteTitle', { name: group.name })}
                    text={t('groups.deleteText')}
                    onSure={() => remove.mutate(group.id)}
                  />
                </div>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** `group` null: a new one. */
function GroupForm({ group, onClose }: { group: Group | null; onClose: () => void }) {
  const { t } = useTranslator()
  const api = useApi()
  const queries = useQueryClient()
  const [name, setName] = useState(group?.name ?? '')
  const save = useMutation({
    mutationFn: () =>
      group === null
        ? api.call('addGroup', { body: { name: name.trim() } })
        : api.call('renameGroup', { params: { id: group.id }, body: { name: name.trim() } }),
    onSuccess: async () => {
      await sitesChanged(queries)
      onClose()
    },
  })
  return (
    <Dialog title={t(group === null ? 'groups.add' : 'groups.rename')} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Refused error={save.error} />
        <Field label={t('groups.name')}>
          {(props) => (
            <input
              {...props}
              className="input"
              required
              maxLength={100}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <div className="row end">
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="submit" look="primary" disabled={save.isPending}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
