// What the console knows of the kinds of channels beside their schemas: how they are found in a list, and what is typed at first.
import type { MessageKey } from '../../../shared/i18n/messages.ts'
import type { Kind } from '../queries.ts'
import type { FormField, Typed } from './fields.ts'

interface Group {
  title: MessageKey
  kinds: readonly string[]
}

const groups: readonly Group[] = [
  {
    title: 'channelGroup.people',
    kinds: ['mail', 'slack', 'mattermost', 'rocket-chat', 'discord', 'teams', 'telegram', 'ntfy', 'gotify'],
  },
  { title: 'channelGroup.pagers', kinds: ['pagerduty', 'opsgenie'] },
]
const programs: MessageKey = 'channelGroup.programs'

/** Kinds that run or reach what is the installation's. */
const adminKinds: ReadonlySet<string> = new Set(['exec', 'syslog'])

/** Secrets that the service makes where none is given. */
const made: ReadonlySet<string> = new Set(['webhook secret'])

/** What there is to choose from, in groups; a kind that is in none of them is one for programs. */
export function groupedKinds(
  kinds: readonly Kind[],
  isAdmin: boolean,
): { title: MessageKey; kinds: readonly Kind[] }[] {
  const offered = kinds.filter(({ kind }) => isAdmin || !adminKinds.has(kind))
  const inGroups = new Set(groups.flatMap((group) => group.kinds))
  return [
    ...groups.map((group) => ({ ...group, kinds: offered.filter(({ kind }) => group.kinds.includes(kind)) })),
    { title: programs, kinds: offered.filter(({ kind }) => !inGroups.has(kind)) },
  ].filter((group) => group.kinds.length > 0)
}

export const isMade = (kind: string, { part, name }: FormField) => part === 'secrets' && made.has(`${kind} ${name}`)

/** Kinds whose secret the service makes another one in place of. */
export const canRotate = (kind: string) => made.has(`${kind} secret`)

/** What messages say, which most leave as it is. */
export const isWording = ({ key }: FormField) => key === 'settings.titleTemplate' || key === 'settings.textTemplate'

export interface Reader {
  email: string
  /** BCP 47. */
  language: string
  timeZone: string
}

/** Messages are in the language and time zone of who makes the channel, and mail goes to them, unless they choose otherwise. */
export function firstTyped(kind: string, fields: readonly FormField[], reader: Reader): Typed {
  const [language = ''] = reader.language.split('-')
  const known: Typed = {
    ...(kind === 'mail' && { 'settings.to': reader.email }),
    'settings.language': language,
    'settings.timeZone': reader.timeZone,
  }
  const fits = ({ key, control, choices }: FormField) =>
    key in known && (control !== 'choice' || choices.includes(language))
  return Object.fromEntries(fields.filter(fits).map(({ key }) => [key, known[key]]))
}
