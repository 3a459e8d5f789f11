// The tab of the browser: its title says where one is, and with its icon whether an attack goes on, for whoever looks at something else.
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { eventQuery } from '../features/events/queries.ts'
import { eventTitle } from '../features/events/titles.ts'
import { overviewQuery } from '../features/overview/queries.ts'
import { attacksOf, documentTitle } from '../features/overview/sentences.ts'
import { useApi } from '../shared/api/api.ts'
import { useTranslator } from '../shared/i18n/i18n.tsx'
import calmIcon from './icon.svg'
import attackIcon from './icon-attack.svg'

const product = 'Floodgauge'

/** Nothing on the page: apart from the frame, which is not drawn again with each change of the title. */
export function DocumentTitle(): null {
  const { data } = useQuery(overviewQuery(useApi()))
  const attacks = data === undefined ? 0 : attacksOf(data.events)
  const page = usePageName()
  useEffect(() => {
    document.title = documentTitle(page, attacks, product)
  }, [page, attacks])
  useEffect(() => {
    setIcon(attacks > 0 ? attackIcon : calmIcon)
  }, [attacks])
  // Outside of the frame nothing is known.
  useEffect(
    () => () => {
      document.title = product
      setIcon(calmIcon)
    },
    [],
  )
  return null
}

function usePageName(): string | null {
  const translator = useTranslator()
  const { params, key } = useRouterState({
    select: ({ matches }) => {
      const last = matches.at(-1)
      const params: { id?: string; host?: string } = last?.params ?? {}
      return { params, key: last?.staticData.title }
    },
    structuralSharing: true,
  })
  const { id = '', host } = params
  const isEvent = key === 'nav.events' && id !== ''
  // The page of the event asks for it.
  const { data: event } = useQuery({ ...eventQuery(useApi(), id), enabled: false })
  if (isEvent && event !== undefined) {
    return eventTitle(event, translator)
  }
  const own = isEvent ? undefined : (host ?? (id === '' ? undefined : id))
  return own ?? (key === undefined ? null : translator.t(key))
}

function setIcon(address: string): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (link !== null && link.href !== address) link.href = address
}
