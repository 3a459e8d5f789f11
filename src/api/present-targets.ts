// What is known of an address as the interface shows it. Pure.
import type { Target, TargetClass } from '../contract/target-schemas.ts'
import { formatTime } from '../contract/time.ts'
import type { SettingSource } from '../detect/target-settings.ts'
import type { ClassState, TargetState } from '../detect/target-state.ts'
import { formatIpv4 } from '../net/ipv4.ts'

/** `isAdmin`: the caller may see what belongs to others: whose site settings are for, and whose packets nobody looks at. */
export function presentTarget(address: number, state: TargetState, isAdmin: boolean): Target {
  const { settings, learning, ageSeconds, classes, incidents } = state
  return {
    address: formatIpv4(address),
    settings: presentSettings(settings, isAdmin),
    knownSince: learning === null ? null : formatTime(learning.sinceSecond * 1000),
    learnSecondsLeft: learning === null ? null : Math.ceil(learning.secondsLeft),
    seasonHours: learning === null ? null : learning.seasonHours,
    ratesAgeSeconds: ageSeconds,
    classes: classes.map(presentClass),
    // The id of an attack on a network has the address of another victim in it.
    incidents: incidents.map(({ id, label, isNetwork }) => ({
      id: isNetwork && !isAdmin ? null : id,
      attackType: label,
    })),
  }
}

function presentSettings({ values, sources, limits }: TargetState['settings'], isAdmin: boolean): Target['settings'] {
  const sourceOf = (source: SettingSource) => (isAdmin || !source.startsWith('site ') ? source : 'site')
  return {
    enabled: { value: values.enabled, source: sourceOf(sources.enabled) },
    packetsPerSecond: { value: values.packetsPerSecond, source: sourceOf(sources.packetsPerSecond) },
    bytesPerSecond: { value: values.bytesPerSecond, source: sourceOf(sources.bytesPerSecond) },
    flowsPerSecond: { value: values.flowsPerSecond, source: sourceOf(sources.flowsPerSecond) },
    sensitivity: { value: limits.sensitivity, source: sourceOf(sources.sensitivity) },
    excludePorts: { value: [...values.excludePorts], source: sourceOf(sources.excludePorts) },
    ...(isAdmin ? { excludeSources: { value: [...values.excludeSources], source: sources.excludeSources } } : {}),
  }
}

function presentClass({ label, matches, packets, bytes, flows, normal, lines }: ClassState): TargetClass {
  return {
    attackType: label,
    matches,
    packetsPerSecond: rounded(packets),
    bytesPerSecond: rounded(bytes),
    flowsPerSecond: rounded(flows),
    normal: normal === null ? null : { packetsPerSecond: rounded(normal.level), spread: rounded(normal.spread) },
    line: finite(lines?.whole),
    partialLine: finite(lines?.partial),
  }
}

/** Differences of floating point leave traces of what is over, also below zero. */
function rounded(value: number): number {
  return Math.max(0, Number(value.toFixed(2)))
}

function finite(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : rounded(value)
}
