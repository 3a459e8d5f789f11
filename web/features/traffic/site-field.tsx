// Whose traffic is looked at: all sites, or the one that is chosen.
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import './traffic-page.css'

const offeredMax = 20

export function SiteField({ site, onChange }: { site: string | undefined; onChange: (site?: string) => void }) {
  const { t } = useTranslator()
  const api = useApi()
  const [text, setText] = useState('')
  const list = useId()
  const q = text.trim()
  const { data } = useQuery({
    queryKey: ['sites', 'offered', q],
    meta: { live: ['sites'] },
    enabled: site === undefined,
    queryFn: async ({ signal }) =>
      (await api.call('findSites', { query: { q, limit: offeredMax }, signal })).sites.map(({ host }) => host),
  })
  const choose = (host: string) => {
    setText('')
    onChange(host)
  }
  if (site !== undefined) {
    return (
      <ul className="row filters">
        <li className="pill accent">
          {t('events.site')}: {site}
          <button type="button" aria-label={t('traffic.allSites')} onClick={() => onChange(undefined)}>
            <X size={12} aria-hidden />
          </button>
        </li>
      </ul>
    )
  }
  return (
    <form
      className="site-field"
      onSubmit={(event) => {
        event.preventDefault()
        if (q !== '') choose(data?.length === 1 ? data[0] : q)
      }}
    >
      <input
        type="search"
        className="input"
        list={list}
        aria-label={t('traffic.oneSite')}
        placeholder={t('traffic.oneSite')}
        maxLength={255}
        value={text}
        onChange={({ target: { value } }) => (data?.includes(value) === true ? choose(value) : setText(value))}
      />
      <datalist id={list}>
        {data?.map((host) => (
          <option key={host} value={host} />
        ))}
      </datalist>
    </form>
  )
}
