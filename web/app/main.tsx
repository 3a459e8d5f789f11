// Starts the console: makes what lives as long as the page, and shows it.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useEffect, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import '../shared/theme/tokens.css'
import '../shared/theme/base.css'
import '../shared/ui/ui.css'
import '../shared/ui/parts.css'
import './shell.css'
import { sessionKey } from '../features/session/session.ts'
import { ApiProvider, createApi, isStatus } from '../shared/api/api.ts'
import { LiveProvider, LiveStream } from '../shared/api/live.ts'
import { NowProvider } from '../shared/format/moments.tsx'
import { TranslatorProvider } from '../shared/i18n/i18n.tsx'
import { english, loadMessages, preferredLanguage, regional } from '../shared/i18n/languages.ts'
import { createTranslator, type Translator } from '../shared/i18n/messages.ts'
import { Toasts } from '../shared/ui/overlays.tsx'
import { PreferenceProvider, PreferenceStore, usePreferences } from '../shared/ui/preferences.tsx'
import { createConsoleRouter, fetchFirstScreen } from './router.tsx'

const triesMax = 2

function start(root: HTMLElement): void {
  const base = document.baseURI
  const api = createApi(base)
  const isFinal = (error: unknown) => isStatus(error, 400, 401, 403, 404)
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => !isFinal(error) && failures < triesMax,
      },
    },
  })
  const preferences = new PreferenceStore()
  const live = new LiveStream(api, queries)
  const router = createConsoleRouter({ api, queries, basepath: new URL(base).pathname })
  fetchFirstScreen(router)
  api.onSignedOut = () => {
    queries.removeQueries({ queryKey: sessionKey })
    live.stop()
    void router.invalidate()
  }

  createRoot(root).render(
    <StrictMode>
      <PreferenceProvider value={preferences}>
        <ApiProvider value={api}>
          <QueryClientProvider client={queries}>
            <LiveProvider value={live}>
              <Console router={router} />
            </LiveProvider>
          </QueryClientProvider>
        </ApiProvider>
      </PreferenceProvider>
    </StrictMode>,
  )
}

function Console({ router }: { router: ReturnType<typeof createConsoleRouter> }) {
  const translator = useLoadedTranslator()
  useTheme()
  return (
    translator !== null && (
      <TranslatorProvider value={translator}>
        <NowProvider>
          <Toasts>
            <RouterProvider router={router} />
          </Toasts>
        </NowProvider>
      </TranslatorProvider>
    )
  )
}

/** Null until the messages are there, so that nothing is shown in one language and then in another. */
function useLoadedTranslator(): Translator | null {
  const [{ language: chosen }] = usePreferences()
  const language = preferredLanguage(chosen === null ? navigator.languages : [chosen])
  const [loaded, setLoaded] = useState(language === 'en' ? { language, messages: english } : null)
  useEffect(() => {
    let isWanted = true
    void loadMessages(language).then((messages) => {
      if (isWanted) setLoaded((last) => (last?.language === language ? last : { language, messages }))
    })
    return () => {
      isWanted = false
    }
  }, [language])
  useEffect(() => {
    if (loaded !== null) document.documentElement.lang = loaded.language
  }, [loaded])
  return useMemo(
    () => loaded && createTranslator(regional(loaded.language, navigator.languages), loaded.messages, english),
    [loaded],
  )
}

function useTheme(): void {
  const [{ theme }] = usePreferences()
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }, [theme])
}

const root = document.getElementById('root')
if (root !== null) start(root)
