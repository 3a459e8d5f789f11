// Rules about times: the exporter's clock, its timeouts, and the times of flows.
import { clockToleranceMs } from '../../decode/times/times.ts'
import { type Rule, recordsMin, type Subject } from './rule.ts'
import { share, span } from './words.ts'

/** Odd records needed before a rule fits. */
const oddMin = 3
const quarterHourMs = 900_000
/** Longest active timeout without a finding, seconds: with a longer one an attack is visible too late, and most exporters can do a minute. */
const timeoutMaxSeconds = 90

/** Error of a clock that is off by whole quarters of an hour, as time zones are. */
const zoneSeconds = ({ clockAheadMs }: Subject) => {
  if (clockAheadMs === null || Math.abs(clockAheadMs) < quarterHourMs - 60_000) return null
  const quarters = Math.round(clockAheadMs / quarterHourMs)
  const isZone = Math.abs(clockAheadMs - quarters * quarterHourMs) < 60_000 && Math.abs(quarters) <= 14 * 4
  return isZone ? quarters * 900 : null
}
const ahead = (ms: number) => (ms < 0 ? 'behind' : 'ahead')

export const timeRules: readonly Rule[] = [
  {
    rule: 'clock-zone',
    severity: 'warning',
    about: 'The clock is off by a multiple of 15 minutes, as a wrong time zone makes it',
    says: (stream) => {
      const seconds = zoneSeconds(stream)
      return seconds === null ? null : `the clock is ${Math.abs(seconds)} s ${ahead(seconds)}: time zone?`
    },
    advice:
      "Export times are in UTC: set the exporter's time zone and its clock (NTP). Until then its times are corrected by the difference.",
  },
  {
    rule: 'clock-off',
    severity: 'warning',
    about: 'The clock is off by more than five seconds',
    says: (stream) =>
      stream.clockAheadMs !== null && Math.abs(stream.clockAheadMs) > clockToleranceMs && zoneSeconds(stream) === null
        ? `the clock is ${span(Math.abs(stream.clockAheadMs))} ${ahead(stream.clockAheadMs)}`
        : null,
    advice: 'Let the exporter take its time from NTP. Until then its times are corrected by the difference.',
  },
  {
    rule: 'active-timeout',
    severity: 'warning',
    about: 'Records cover more than 90 seconds',
    says: ({ records: { activeTimeoutSeconds, longestSeconds } }) => {
      const seconds = activeTimeoutSeconds ?? longestSeconds
      return seconds !== null && seconds > timeoutMaxSeconds ? `records last up to ${Math.round(seconds)} s` : null
    },
    advice:
      'Set the active timeout to 60 s or less (10 s is best), because an attack is not seen before its flows are reported.',
  },
  {
    rule: 'inactive-timeout',
    severity: 'warning',
    about: 'Flows are reported more than 90 seconds after their last packet',
    says: ({ records: { inactiveTimeoutSeconds } }) =>
      inactiveTimeoutSeconds !== null && inactiveTimeoutSeconds > timeoutMaxSeconds
        ? `flows of a single packet are reported ${Math.round(inactiveTimeoutSeconds)} s after it`
        : null,
    advice: 'Set the inactive timeout to 15 s or less: floods of single packets are seen so much later.',
  },
  {
    rule: 'times-odd',
    severity: 'warning',
    about: 'Some records begin or end at times that can not be',
    says: ({ recent: { timesReplaced, records, recordsPassed }, records: { sampled, withOddTimes } }) => {
      // Where times are left as they were exported, none is replaced.
      const odd = Math.max(
        timesReplaced >= recordsMin ? timesReplaced / (records - recordsPassed) : 0,
        withOddTimes >= oddMin ? withOddTimes / sampled : 0,
      )
      return odd > 0.01
        ? `${share(Math.min(odd, 1))} of the records have times that can not be: hours before their export, or after it`
        : null
    },
    advice: "They count at their time of receipt. Is the exporter's software current, and its clock stable?",
  },
  {
    rule: 'no-times',
    severity: 'note',
    about: 'Records do not say when they began and ended',
    says: ({ protocol, records: { sampled, withoutTimes } }) =>
      protocol !== 'sflow5' && sampled >= recordsMin && withoutTimes > sampled / 100
        ? `${share(withoutTimes / sampled)} of the records do not say when they began and ended`
        : null,
    advice: 'They count at their time of receipt: let the record collect the times of the first and the last packet.',
  },
]
