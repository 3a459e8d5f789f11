// What is known of an address as the interface shows it. Pure.
import type { Target, TargetClass } from '../../contract/targets.ts'
import { formatTime } from '../../contract/time.ts'
import type { SettingSource } from '../../detect/targets/target-settings.ts'
import type { ClassState, TargetState } from '../../detect/targets/target-state.ts'
import { formatKey } from '../../net/address.ts'
import { roundedRate } from '../rounding.ts'

/** `isAdmin`: the caller may see what belongs to others: whose site settings are for, and whose packets nobody looks at. */
export function presentTarget(address: number, state: TargetState, isAdmin: boolean): Target {
  const { settings, learning, ageSeconds, classes, incidents } = state
  return {
    address: formatKey(address),
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
    packetsPerSecond: roundedRate(packets),
    bytesPerSecond: roundedRate(bytes),
    flowsPerSecond: roundedRate(flows),
    normal:
      normal === null ? null : { packetsPerSecond: roundedRate(normal.level), spread: roundedRate(normal.spread) },
    line: finite(lines?.whole),
    partialLine: finite(lines?.partial),
  }
}

function finite(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : roundedRate(value)
}
