// Which attacks a rule or a silence is about, as fields: by sites and their groups, and by kinds.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../shared/api/api.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import { vectorsQuery } from '../../attack-types/queries.ts'
import { attackName } from '../../events/vectors.ts'
import { groupsQuery } from '../../sites/queries.ts'
import { type About, kindWord, unknownKind } from './about-words.ts'
import { Checks } from './checks.tsx'
import { ChipsField } from './chips-field.tsx'

const offeredMax = 20

interface AboutFieldsProps {
  about: About
  onChange: (about: About) => void
}

export function AboutFields({ about, onChange }: AboutFieldsProps) {
  const translator = useTranslator()
  const { t } = translator
  const { data: groups = [] } = useQuery(groupsQuery(useApi()))
  const kinds = useKinds()
  return (
    <>
      <SitesField sites={about.sites} onChange={(sites) => onChange({ ...about, sites })} />
      {groups.length > 0 && (
        <Checks
          title={t('about.groups')}
          choices={groups.map(({ id, name }) => ({ value: id, label: name }))}
          values={about.groups}
          onChange={(chosen) => onChange({ ...about, groups: chosen })}
        />
      )}
      <ChipsField
        label={t('about.kinds')}
        hint={t('about.kindsHint')}
        placeholder={t('about.anyKind')}
        values={about.vectors}
        suggestions={kinds}
        labelOf={(vector) => kindWord(vector, translator)}
        separator={/[,;，；]/}
        onChange={(vectors) => onChange({ ...about, vectors })}
      />
    </>
  )
}

export function SitesField({ sites, onChange }: { sites: readonly string[]; onChange: (sites: string[]) => void }) {
  const { t } = useTranslator()
  const [typed, setTyped] = useState('')
  const hosts = useHosts(typed)
  return (
    <ChipsField
      label={t('about.sites')}
      hint={t('about.sitesHint')}
      placeholder={t('about.anySite')}
      values={sites}
      suggestions={hosts.map((host) => ({ value: host, label: host }))}
      labelOf={(host) => host}
      separator={/[\s,;，；]/}
      onChange={onChange}
      onType={setTyped}
    />
  )
}

/** Sites that have the text in them. */
export function useHosts(text: string): string[] {
  const api = useApi()
  const q = text.trim()
  const { data = [] } = useQuery({
    queryKey: ['sites', 'offered', q],
    meta: { live: ['sites'] },
    queryFn: async ({ signal }) =>
      (await api.call('findSites', { query: { q, limit: offeredMax }, signal })).sites.map(({ host }) => host),
  })
  return data
}

/** Kinds of attacks by their names, one of unknown kind among them. */
export function useKinds() {
  const translator = useTranslator()
  const { data } = useQuery(vectorsQuery(useApi()))
  const labels = data?.vectors.map(({ attackType }) => attackType) ?? []
  const named = labels.map((value) => ({ value, label: attackName(value, translator) }))
  return [...named, { value: unknownKind, label: attackName(null, translator) }]
}
