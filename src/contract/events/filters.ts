// The filters of the list of events under /api/v1: which events it asks for.
import { Type } from 'typebox'
import { otherTexts } from '../limits.ts'
import { classifications } from './classifications.ts'

const { max, length, all } = otherTexts

/** Texts that events are found by beside another one. */
export const QAlso = Type.String({
  pattern: `^[^,]{0,${length}}(,[^,]{0,${length}}){0,${max - 1}}$`,
  maxLength: all,
  description: `Other texts that find events as well as \`q\` does, separated by commas: ${max} at most, of ${length} characters each and ${all} in all. They do not count where \`q\` is an address. A client sends parts of attack types here, because their names on a screen differ from the types.`,
  examples: ['tcp@attack@syn_'],
})

/** The word that stands for no type in the filter. */
export const unknownType = 'unknown'

/** Properties of a query; what is not given does not matter. */
export const eventFilters = {
  site: Type.Optional(
    Type.String({
      description:
        'Events that hit this site, whichever site they are named after: on its addresses, or on those that its names led to. In any spelling of its host record; it may be deleted since.',
      examples: ['*.example.com'],
    }),
  ),
  address: Type.Optional(
    Type.String({ format: 'ipv4', description: 'Events of this victim.', examples: ['192.0.2.10'] }),
  ),
  state: Type.Optional(
    Type.Enum(['open', 'ended'], {
      description: 'Events whose attack goes on, or those whose attack is over.',
      examples: ['open'],
    }),
  ),
  attackType: Type.Optional(
    Type.String({
      description: `Events of this type; \`${unknownType}\`: of those that have none.`,
      examples: ['udp@attack@amp_flood_target-NTP'],
    }),
  ),
  classification: Type.Optional(
    Type.Enum([...classifications, 'none'], {
      description: 'Events that were said to be this; `none`: those of which nothing was said.',
      examples: ['attack'],
    }),
  ),
  acknowledged: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Whether somebody has taken note of them.', examples: ['false'] }),
  ),
  test: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Events of simulated attacks, or of real ones.', examples: ['false'] }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Events with this in site, domain or type (`unknown` where there is none); or, where it is an IPv4 address, with it as the victim or among the sources of their lists.',
      examples: ['example'],
    }),
  ),
  qAlso: Type.Optional(QAlso),
  severity: Type.Optional(
    Type.Enum(['low', 'medium', 'high', 'critical'], { description: 'Events that are so severe.', examples: ['high'] }),
  ),
  changedSince: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Events of any time that changed after this place in the sequence, in its order; 0: all. It goes with the filters and `limit` (100 unless given), not with `last`, `start`, `end`, `order`, `cursor` and `severity`. The `sequence` of the last event is where to go on.',
    }),
  ),
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], { description: '`desc`: the newest first. Without it the oldest.', examples: ['desc'] }),
  ),
  deviationMin: Type.Optional(
    Type.Number({ minimum: 0, description: 'Events whose deviation is at least this.', examples: [3] }),
  ),
}
