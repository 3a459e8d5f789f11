// The table of when a message is tried again, for docs/alerts.md.
import { type Audience, endUntilMs, persistence } from '../src/alert/attempts.ts'
import { channelKinds } from '../src/alert/channels/kinds.ts'

export function renderAttempts(): string {
  const rows = (['people', 'programs'] as const).map((audience) => {
    const { pausesMs, untilMs } = persistence[audience]
    const last = durationWords(pausesMs.at(-1) ?? 0)
    const pauses = pausesMs.slice(0, -1).map(durationWords).join(', ')
    return `| ${kindsOf(audience)} | ${pauses}, then every ${last} | ${durationWords(untilMs)} | ${durationWords(endUntilMs)} |`
  })
  return [
    '| kinds of channels | tried again after | given up after | an end of what was told |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function kindsOf(audience: Audience): string {
  const kinds = [...channelKinds.values()].filter((each) => each.audience === audience)
  return kinds.map(({ kind }) => `\`${kind}\``).join(', ')
}

const units = [
  ['day', 24 * 3_600_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** In the largest unit that it is a multiple of. */
function durationWords(ms: number): string {
  const [unit, length] = units.find(([, each]) => ms % each === 0) ?? ['millisecond', 1]
  const count = ms / length
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`
}
