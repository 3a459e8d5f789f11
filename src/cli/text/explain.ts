// What holds for an address, as text for people: its settings with their sources, the floors of the vectors, and what a running service knows of it.
import type { Target } from '../../../client/index.ts'
import { floorsOf } from '../../detect/judge/judge.ts'
import { type Vector, vectors } from '../../vectors/vectors.ts'
import { type Column, formatCount, formatTime, tableOf } from './output.ts'
import { printable } from './terminal.ts'

type Setting = [name: string, given: { value: unknown; source: string }]

const settingColumns: Column<Setting>[] = [
  { title: 'SETTING', width: 16, text: ([name]) => name },
  {
    title: 'VALUE',
    width: 24,
    text: ([, { value }]) => (Array.isArray(value) ? value.join(' ') || 'none' : String(value)),
  },
  { title: 'FROM', width: 0, text: ([, { source }]) => source },
]

/** Vectors of one family that have the same floors. */
interface Floors {
  labels: string[]
  vector: Vector
}

const labelsMax = 6

const floorColumns = (sensitivity: number): Column<Floors>[] => {
  const floor = (learnt: boolean, kind: 'whole' | 'partial') => {
    return ({ vector }: Floors) => formatCount(floorsOf(vector, learnt, sensitivity)[kind])
  }
  return [
    { title: 'FLOOR', width: 7, right: true, text: floor(true, 'whole') },
    { title: 'OTHERWISE', width: 9, right: true, text: floor(true, 'partial') },
    { title: 'UNLEARNT', width: 8, right: true, text: floor(false, 'whole') },
    { title: 'OTHERWISE', width: 9, right: true, text: floor(false, 'partial') },
    { title: 'NORMAL x', width: 8, right: true, text: ({ vector }) => formatCount(vector.raise.ratio) },
    { title: 'VECTOR', width: 0, text: ({ labels }) => labelsText(labels) },
  ]
}

const rateText = (value: number | null) => (value === null ? '-' : formatCount(value))

const classColumns: Column<Target['classes'][number]>[] = [
  { title: 'PPS', width: 9, right: true, text: (each) => formatCount(each.packetsPerSecond) },
  { title: 'TRAFFIC', width: 12, right: true, text: (each) => formatCount(each.bytesPerSecond * 8, 'bps') },
  { title: 'FLOWS/S', width: 7, right: true, text: (each) => formatCount(each.flowsPerSecond) },
  { title: 'NORMAL', width: 7, right: true, text: ({ normal }) => rateText(normal?.packetsPerSecond ?? null) },
  { title: 'SPREAD', width: 7, right: true, text: ({ normal }) => rateText(normal?.spread ?? null) },
  { title: 'LINE', width: 7, right: true, text: ({ line }) => rateText(line) },
  { title: 'OTHERWISE', width: 9, right: true, text: ({ partialLine }) => rateText(partialLine) },
  {
    title: 'CLASS',
    width: 0,
    text: ({ attackType, matches }) => `${attackType ?? 'all traffic'}${matches === null ? '' : ` (${matches})`}`,
  },
]

export function renderSettings(settings: Target['settings']): string {
  return tableOf(settingColumns, Object.entries(settings))
}

/** What a vector's packets must pass, whatever is normal: with the whole signature and otherwise. */
export function renderFloors(sensitivity: number): string {
  const head = 'floors, pps: with the whole signature and otherwise; both while normal is not learnt'
  return `${head}\n${tableOf(floorColumns(sensitivity), floorsByFamily())}`
}

export function renderState(target: Target): string {
  const { knownSince, learnSecondsLeft, seasonHours, ratesAgeSeconds, classes, incidents } = target
  if (knownSince === null) return 'no traffic yet'
  const learning = learnSecondsLeft === 0 ? 'learnt' : `${learnSecondsLeft} s until it is learnt`
  const attacks = incidents.map(
    ({ id, attackType }) => `attacked now: ${printable(`${attackType ?? 'unknown'} ${id ?? 'on its network'}`)}`,
  )
  return [
    `known since ${formatTime(knownSince)} UTC, ${learning}, ${seasonHours} of 168 hours of the week are known`,
    ...attacks,
    '',
    ...(ratesAgeSeconds === 0
      ? []
      : [`rates of the 10 s until ${ratesAgeSeconds} s ago: what came later, exporters hold back`]),
    tableOf(classColumns, classes),
  ].join('\n')
}

function floorsByFamily(): Floors[] {
  const families = new Map<string, Floors>()
  for (const vector of vectors) {
    const key = JSON.stringify([vector.label.split('-')[0], vector.raise])
    const family = families.get(key)
    if (family === undefined) families.set(key, { labels: [vector.label], vector })
    else if (!family.labels.includes(vector.label)) family.labels.push(vector.label)
  }
  return [...families.values()]
}

/** `a-X, Y, Z`, or `a-X and 40 others`. */
function labelsText([first, ...others]: string[]): string {
  if (others.length > labelsMax) return `${first} and ${others.length} others`
  return [first, ...others.map((label) => label.slice(label.indexOf('-') + 1))].join(', ')
}
