// Why there was an event at some time or none, and what other settings would have found, as text for people.
import type { Explanation, WhatIf } from '../../../client/index.ts'
import { type Column, formatCount, formatTime, tableOf } from './output.ts'

type ExplainedClass = Explanation['classes'][number]
type JudgedAttack = WhatIf['after'][number]

const classColumns: Column<ExplainedClass>[] = [
  { title: 'PPS', width: 9, right: true, text: (each) => formatCount(each.packetsPerSecond) },
  { title: 'TRAFFIC', width: 12, right: true, text: (each) => formatCount(each.bytesPerSecond * 8, 'bps') },
  { title: 'FLOWS/S', width: 7, right: true, text: (each) => formatCount(each.flowsPerSecond) },
  { title: 'SOURCES', width: 7, right: true, text: ({ sources }) => (sources === null ? '-' : formatCount(sources)) },
  {
    title: 'NORMAL',
    width: 7,
    right: true,
    text: ({ normal }) => (normal === null ? '-' : formatCount(normal.packetsPerSecond)),
  },
  { title: 'RATE', width: 7, right: true, text: ({ nearest }) => (nearest === null ? '-' : formatCount(nearest.rate)) },
  { title: 'LINE', width: 7, right: true, text: ({ nearest }) => (nearest === null ? '-' : formatCount(nearest.line)) },
  { title: 'PART', width: 6, right: true, text: ({ nearest }) => (nearest === null ? '-' : percent(nearest.part)) },
  {
    title: 'OF',
    width: 22,
    text: ({ nearest }) => (nearest === null ? '-' : `${nearest.metric}, ${nearest.seconds} s, ${nearest.from}`),
  },
  {
    title: 'CLASS',
    width: 0,
    text: ({ attackType, matches }) => `${attackType ?? 'all traffic'}${matches === null ? '' : ` (${matches})`}`,
  },
]

const attackColumns = (sign: string): Column<JudgedAttack>[] => [
  { title: '', width: 1, text: () => sign },
  { title: 'START', width: 19, text: ({ start }) => formatTime(start) },
  { title: 'END', width: 19, text: ({ end }) => formatTime(end) },
  { title: 'PEAK PPS', width: 9, right: true, text: (each) => formatCount(each.packetsPerSecond) },
  { title: 'RATE', width: 7, right: true, text: ({ rate }) => formatCount(rate) },
  { title: 'LINE', width: 7, right: true, text: ({ line }) => formatCount(line) },
  { title: 'OF', width: 7, text: ({ metric }) => metric },
  { title: 'TYPE', width: 0, text: ({ attackType }) => attackType ?? 'unknown' },
]

export function renderExplanation(explanation: Explanation): string {
  const { answer, from, to, stepSeconds, isLearnt, classes, networks, blind, events, attacks } = explanation
  const exactness = stepSeconds === null ? 'nothing is known' : `known in steps of ${stepSeconds} s`
  const learnt = isLearnt === null ? '' : isLearnt ? ', compared with normal' : ', normal was not learnt'
  return [
    answer,
    '',
    `${formatTime(from)} to ${formatTime(to)} UTC, ${exactness}${learnt}`,
    ...(classes.length === 0 ? [] : [tableOf(classColumns, classes)]),
    ...(networks ?? []).flatMap(({ network, packetsPerSecond, bytesPerSecond, classes: near }) => [
      '',
      `${network}: ${formatCount(packetsPerSecond)} packets/s, ${formatCount(bytesPerSecond * 8, 'bps')}`,
      ...(near.length === 0 ? [] : [tableOf(classColumns, near)]),
    ]),
    ...listed(
      'not seen whole',
      blind.map(({ text }) => text),
    ),
    ...listed(
      'attacks',
      attacks.map((each) => `${each.attackType ?? 'unknown'} ${span(each)}`),
    ),
    ...listed(
      'events',
      events.map(
        ({ id, site, attackType, start }) => `${id} ${site} ${attackType ?? 'unknown'} from ${formatTime(start)}`,
      ),
    ),
  ].join('\n')
}

export function renderWhatIf({ answer, from, to, isCut, won, lost, judged }: WhatIf): string {
  const { tracedSeconds, minuteSeconds, untraced } = judged
  const cut = isCut ? ' (cut: ask for the rest by itself)' : ''
  return [
    answer,
    '',
    `${formatTime(from)} to ${formatTime(to)} UTC${cut}`,
    `judged: ${tracedSeconds} s in steps of 10 s, ${minuteSeconds} s by the minute${untraced === 0 ? '' : `; ${untraced} half minutes near a line were not kept`}`,
    ...(won.length === 0 ? [] : ['', tableOf(attackColumns('+'), won)]),
    ...(lost.length === 0 ? [] : ['', tableOf(attackColumns('-'), lost)]),
  ].join('\n')
}

function listed(title: string, texts: readonly string[]): string[] {
  return texts.length === 0 ? [] : ['', `${title}:`, ...texts.map((text) => `  ${text}`)]
}

function span({ start, end }: { start: string; end: string }): string {
  return `${formatTime(start)} to ${formatTime(end)}`
}

/** Never 100 % below the line. */
function percent(part: number): string {
  const value = part * 100
  return `${part < 1 ? Math.min(99, Math.floor(value)) : Math.floor(value)} %`
}
