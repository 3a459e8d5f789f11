// What the reader chose for how things look and are told: theme, language, zone, unit, notifications. Kept in this browser.
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Zone } from '../format/times.ts'

export interface Preferences {
  theme: 'auto' | 'light' | 'dark'
  /** Null: what the browser wants. */
  language: string | null
  zone: Zone
  /** What rates are shown in. */
  unit: 'bits' | 'packets'
  /** Whether this browser notifies of attacks that begin. */
  notifies: boolean
}

const defaults: Preferences = { theme: 'auto', language: null, zone: 'local', unit: 'bits', notifies: false }
const storageKey = 'floodgauge.preferences'

export class PreferenceStore {
  #value: Preferences
  readonly #listeners = new Set<() => void>()

  constructor() {
    this.#value = { ...defaults, ...stored() }
  }

  readonly get = () => this.#value

  set(changed: Partial<Preferences>): void {
    this.#value = { ...this.#value, ...changed }
    try {
      localStorage.setItem(storageKey, JSON.stringify(this.#value))
    } catch {
      // Storage is full or forbidden: the choice holds until the page is left.
    }
    for (const tell of this.#listeners) tell()
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** What was kept, as far as it is what is kept today. */
function stored(): Partial<Preferences> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    const { theme, language, zone, unit, notifies } = kept as Record<string, unknown>
    return {
      ...(theme === 'light' || theme === 'dark' ? { theme } : {}),
      ...(typeof language === 'string' ? { language } : {}),
      ...(zone === 'utc' ? { zone } : {}),
      ...(unit === 'packets' ? { unit } : {}),
      ...(notifies === true ? { notifies } : {}),
    }
  } catch {
    return {}
  }
}

const PreferenceContext = createContext<PreferenceStore | null>(null)

export const PreferenceProvider = PreferenceContext.Provider

export function usePreferences(): [Preferences, (changed: Partial<Preferences>) => void] {
  const store = useContext(PreferenceContext)
  if (store === null) throw new Error('there are no preferences above this component')
  return [useSyncExternalStore(store.subscribe, store.get), (changed) => store.set(changed)]
}
