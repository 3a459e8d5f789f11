// The filters of the list of events under /api/v1: which events it asks for.
import { Type } from 'typebox'

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
  address: Type.Optional(Type.String({ format: 'ipv4', description: 'Events of this victim.' })),
  state: Type.Optional(
    Type.Enum(['open', 'ended'], { description: 'Events whose attack goes on, or those whose attack is over.' }),
  ),
  attackType: Type.Optional(
    Type.String({
      description: `Events of this type; \`${unknownType}\`: of those that have none.`,
      examples: ['udp@attack@amp_flood_target-NTP'],
    }),
  ),
  classification: Type.Optional(
    Type.Enum(['attack', 'flash_crowd', 'false_positive', 'test', 'none'], {
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
  qAlso: Type.Optional(
    Type.String({
      maxLength: 4_039,
      description:
        'Beside `q`, where that is no address: other texts that will do as well, with commas between, 40 at most. What a kind of attack is called on a screen is not what its type says.',
      examples: ['tcp@attack@syn_'],
    }),
  ),
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
