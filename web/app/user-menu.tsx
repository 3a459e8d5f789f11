// Who is signed in, and how the reader wants things shown.
import { ChevronsUpDown, CircleUser, Keyboard, LogOut } from 'lucide-react'
import type { Identity } from '../features/session/session.ts'
import { useTranslator } from '../shared/i18n/i18n.tsx'
import { languages, nameOfLanguage } from '../shared/i18n/languages.ts'
import { Segments } from '../shared/ui/basics.tsx'
import { Menu } from '../shared/ui/overlays.tsx'
import { usePreferences } from '../shared/ui/preferences.tsx'
import { useSignOut } from './actions.ts'

export function UserMenu({ identity, onShortcuts }: { identity: Identity; onShortcuts: () => void }) {
  const { t } = useTranslator()
  const signOut = useSignOut()
  return (
    <Menu
      up
      button={(props) => (
        <button type="button" className="user-button" {...props}>
          <CircleUser size={16} aria-hidden />
          <span>{identity.user.email}</span>
          <ChevronsUpDown size={14} aria-hidden />
        </button>
      )}
    >
      <PreferenceChoices />
      <hr />
      <button type="button" onClick={onShortcuts}>
        <Keyboard size={16} aria-hidden />
        {t('keys.title')}
      </button>
      <button type="button" onClick={() => signOut.mutate()}>
        <LogOut size={16} aria-hidden />
        {t('session.signOut')}
      </button>
    </Menu>
  )
}

function PreferenceChoices() {
  const { t, language } = useTranslator()
  const [{ theme, zone, unit }, prefer] = usePreferences()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a choice leaves the menu open.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the buttons inside take keys.
    <div className="menu-settings" onClick={(event) => event.stopPropagation()}>
      <span>{t('prefer.theme')}</span>
      <Segments
        label={t('prefer.theme')}
        value={theme}
        onChange={(value) => prefer({ theme: value })}
        choices={[
          { value: 'auto', label: t('prefer.auto') },
          { value: 'light', label: t('prefer.light') },
          { value: 'dark', label: t('prefer.dark') },
        ]}
      />
      <span>{t('prefer.zone')}</span>
      <Segments
        label={t('prefer.zone')}
        value={zone}
        onChange={(value) => prefer({ zone: value })}
        choices={[
          { value: 'local', label: t('prefer.local') },
          { value: 'utc', label: 'UTC' },
        ]}
      />
      <span>{t('prefer.unit')}</span>
      <Segments
        label={t('prefer.unit')}
        value={unit}
        onChange={(value) => prefer({ unit: value })}
        choices={[
          { value: 'bits', label: t('unit.bits') },
          { value: 'packets', label: t('unit.packets') },
        ]}
      />
      <span>{t('prefer.language')}</span>
      <select
        className="input"
        aria-label={t('prefer.language')}
        value={language.split('-')[0]}
        onChange={(event) => prefer({ language: event.target.value })}
      >
        {languages.map((code) => (
          <option key={code} value={code} lang={code}>
            {nameOfLanguage(code)}
          </option>
        ))}
      </select>
    </div>
  )
}
