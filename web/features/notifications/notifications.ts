// Notifications of the browser about attacks that begin, while a page of the console is open and whoever uses this browser wants them.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { useEventChanges } from '../../shared/api/live.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { usePreferences } from '../../shared/ui/preferences.tsx'
import { eventQuery } from '../events/queries.ts'
import { type BrowserNotice, noticesOf, permissionOf } from './notices.ts'

/** Attacks that begin within it are told together. */
const gatherMs = 1_500
/** Events that are asked for; further ones of the same moment are only counted. */
const askedMax = 50

/** Nothing on the page. */
export function Notifications(): null {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const translator = useTranslator()
  const [{ notifies }] = usePreferences()
  const waiting = useRef(new Set<string>())
  const gathering = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(gathering.current), [])

  const show = ({ title, body, tag, eventId }: BrowserNotice) => {
    const shown = notify(title, { body, tag })
    shown?.addEventListener('click', () => {
      window.focus()
      shown.close()
      if (eventId === null) void navigate({ to: '/events', search: { tab: 'active' } })
      else void navigate({ to: '/events/$id', params: { id: eventId } })
    })
  }

  const tell = async () => {
    const ids = [...waiting.current].slice(0, askedMax)
    waiting.current.clear()
    const found = await Promise.allSettled(ids.map((id) => queries.fetchQuery(eventQuery(api, id))))
    const events = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    for (const notice of noticesOf(events, translator)) show(notice)
  }

  useEventChanges(({ id, change }) => {
    const isNew = change === 'made' || change === 'returned'
    if (!isNew || !notifies || permissionOf(window) !== 'granted') return
    waiting.current.add(id)
    clearTimeout(gathering.current)
    gathering.current = setTimeout(() => void tell(), gatherMs)
  })
  return null
}

/** Null: this browser shows them in another way only, as those of phones do. */
function notify(title: string, options: NotificationOptions): Notification | null {
  try {
    return new Notification(title, options)
  } catch {
    return null
  }
}
