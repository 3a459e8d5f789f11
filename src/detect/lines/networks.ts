// The thresholds of attacks on networks: on many addresses of one /24 or of a longer network that is watched, and on several /24s of a /16.
import { type Lines, valuesOf } from './line.ts'

export const networkRows = {
  hostsMin: {
    value: 8,
    unit: 'addresses',
    decides: 'as many of a network must be hit',
    reason: 'the size of a /29, the longest network that is judged; fewer are attacks on addresses',
  },
  floorFactor: {
    value: 4,
    unit: 'times the floor',
    decides: 'the floor of the sums of a network',
    reason: 'a network adds up what comes to all its addresses',
  },
  wideHostsMin: {
    value: 32,
    unit: 'addresses',
    decides: 'ordinary packets to as many addresses alike need one floor only',
    reason: 'visitors go to few addresses of a network',
  },
  shareMax: {
    value: 0.5,
    unit: 'part of the network',
    decides: 'an address that gets more is attacked for itself',
    reason: 'the attack is on it, and the others get the rest',
  },
  alikePart: {
    value: 0.25,
    unit: 'part of the hardest hit',
    decides: 'addresses, and /24s, that get as much are hit alike',
    reason: 'attacks spread unevenly; four times as much as another is another attack',
  },
  nearlyAll: {
    value: 0.9,
    unit: 'part of the attack',
    decides: 'the longest network that has as much of it is what is attacked',
    reason: 'the rest is what the other addresses get by chance',
  },
  shorterRatio: {
    value: 3,
    unit: 'times normal',
    decides: 'what is on more than the longest network is reported for the shorter one',
    reason: 'the longer network has shown already that it is an attack',
  },
  gapMax: {
    value: 4,
    unit: 'places',
    decides: '/24s further apart in the order of those with traffic are not hit together',
    reason: 'an attack on neighbours may miss up to three between two of them',
  },
  areaHostsMin: {
    value: 16,
    unit: 'addresses',
    decides: 'as many of several /24s must be hit',
    reason: 'twice `hostsMin`: at least two networks',
  },
  tieRatio: {
    value: 0.99,
    unit: 'part of the excess',
    decides: 'of networks that stand out alike the longest is attacked',
    reason: 'sums of the same seconds differ by rounding',
  },
  lateSeconds: {
    value: 10,
    unit: 'seconds',
    decides: 'how far back made-up sources are looked for before the sums are judged',
    reason: 'they show within a few seconds, or are none',
  },
  unaskedPart: {
    value: 0.25,
    unit: 'part of the floor, per /24',
    decides: 'while normal is not known, the floor for packets that hosts never have rises by it with each /24',
    reason: 'an ordinary /24 has less of such packets than of others',
  },
  recentSeconds: {
    value: 120,
    unit: 'seconds',
    decides: 'how far back the rate of a /24 is compared with the others',
    reason: 'as long as news of exporters is waited for: see `waitSecondsMax`',
  },
  stepSeconds: {
    value: 10,
    unit: 'seconds',
    decides: 'the steps in which it is compared',
    reason: 'shorter ones are uneven behind sampling',
  },
  victimPart: {
    value: 0.05,
    unit: 'part of the eighth hardest hit',
    decides: 'an address that gets as much is a victim',
    reason: 'less is a stray packet of the attack',
  },
  victimsListedMax: {
    value: 1_024,
    unit: 'addresses',
    decides: 'of more victims the hardest hit of each /24 are listed',
    reason: 'a /16 has 65,536: rates of all would be megabytes for each update of an event',
  },
  victimsListedMin: {
    value: 4,
    unit: 'addresses of each /24',
    decides: 'as many are listed in any case',
    reason: 'every /24 shows who is hit there',
  },
} as const satisfies Lines

export const networks = valuesOf(networkRows)
