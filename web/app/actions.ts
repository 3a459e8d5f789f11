// What the palette can do besides leading somewhere: change how things are shown, and sign out.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sessionKey } from '../features/session/session.ts'
import { useApi } from '../shared/api/api.ts'
import { useTranslator } from '../shared/i18n/i18n.tsx'
import { languages, nameOfLanguage } from '../shared/i18n/languages.ts'
import { usePreferences } from '../shared/ui/preferences.tsx'

export interface Action {
  id: string
  text: string
  go: () => void
}

/** Those that would change nothing are left out. */
export function useActions(): Action[] {
  const { t, language } = useTranslator()
  const [{ theme, zone, unit }, prefer] = usePreferences()
  const signOut = useSignOut()
  const current = language.split('-')[0]
  const choices = [
    ...(['auto', 'light', 'dark'] as const)
      .filter((each) => each !== theme)
      .map((each) => ({ of: t('prefer.theme'), choice: t(`prefer.${each}`), wanted: { theme: each } })),
    zone === 'utc'
      ? { of: t('prefer.zone'), choice: t('prefer.local'), wanted: { zone: 'local' as const } }
      : { of: t('prefer.zone'), choice: 'UTC', wanted: { zone: 'utc' as const } },
    unit === 'bits'
      ? { of: t('prefer.unit'), choice: t('unit.packets'), wanted: { unit: 'packets' as const } }
      : { of: t('prefer.unit'), choice: t('unit.bits'), wanted: { unit: 'bits' as const } },
    ...languages
      .filter((each) => each !== current)
      .map((each) => ({ of: t('prefer.language'), choice: nameOfLanguage(each), wanted: { language: each } })),
  ]
  return [
    ...choices.map(({ of, choice, wanted }) => {
      const text = t('palette.choose', { of, choice })
      return { id: text, text, go: () => prefer(wanted) }
    }),
    { id: 'sign out', text: t('session.signOut'), go: () => signOut.mutate() },
  ]
}

export function useSignOut() {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => api.call('signOut', {}),
    onSuccess: async ({ location }) => {
      queries.removeQueries({ queryKey: sessionKey })
      if (location === null) await navigate({ to: '/sign-in' })
      else globalThis.location.assign(location)
      queries.clear()
    },
  })
}
