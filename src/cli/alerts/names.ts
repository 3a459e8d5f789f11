// Channels and groups by their names: in files and in arguments people write those, and the interface has ids.
import type { Client } from '../../../client/index.ts'
import { printable } from '../text/terminal.ts'
import { UsageError } from '../usage.ts'

interface Named {
  id: string
  name: string
}

/** What a user has of what rules and silences refer to. */
export interface Names {
  channels: readonly Named[]
  groups: readonly Named[]
}

export async function namesOf(client: Client): Promise<Names> {
  const [{ channels }, { groups }] = await Promise.all([client.call('listChannels'), client.call('listGroups')])
  return { channels, groups }
}

/** Members that refer, wherever they are. */
const references = { send: 'channels', groups: 'groups' } as const satisfies Record<string, keyof Names>

/** The same with names in place of ids; what is no more there is left out. */
export function withNames<Value>(value: Value, names: Names): Value {
  return replaced(value, (what, id) => names[what].filter((each) => each.id === id).map(({ name }) => name))
}

/** The same with ids in place of names; an id stays as it is. */
export function withIds<Value>(value: Value, names: Names): Value {
  return replaced(value, (what, text) => [idOf(names, what, text)])
}

export function idOf(names: Names, what: keyof Names, text: string): string {
  const found = names[what].find(({ id, name }) => name === text || id === text)
  if (found !== undefined) return found.id
  const known = names[what].map(({ name }) => printable(name)).join(', ') || 'none'
  throw new UsageError(`no ${what === 'channels' ? 'channel' : 'group'} ${printable(text)}; there are: ${known}`)
}

type Replace = (what: keyof Names, text: string) => string[]

function replaced<Value>(value: Value, replace: Replace): Value
function replaced(value: unknown, replace: Replace): unknown {
  if (Array.isArray(value)) return value.map((each) => replaced(each, replace))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const what = new Map<string, keyof Names>(Object.entries(references)).get(key)
      const isList = what !== undefined && Array.isArray(each)
      return [key, isList ? each.flatMap((text) => replace(what, String(text))) : replaced(each, replace)]
    }),
  )
}
