// The thresholds of what is normal: how fast it is learnt, what it is made of, and how long it is kept.
import { type Lines, valuesOf } from './line.ts'

export const normalRows = {
  learnEverySeconds: {
    value: 30,
    unit: 'seconds',
    decides: 'how often a value is learnt',
    reason: 'long enough for an average, and two values a minute cost little',
  },
  slowest: {
    value: 1 / 240,
    unit: 'weight of a value',
    decides: 'how slowly the average and its spread follow',
    reason: '240 values are two hours: an attack of minutes moves them little, a new level is learnt in an evening',
  },
  usualSlowest: {
    value: 1 / 2_880,
    unit: 'weight of a value',
    decides: 'how slowly the share of a class follows',
    reason: '2,880 values are a day: what a class has of all traffic is a matter of days',
  },
  lengthWeight: {
    value: 1 / 60,
    unit: 'weight of a value',
    decides: 'how slowly the mean packet length follows',
    reason: '60 values are half an hour, longer than most attacks',
  },
  unclipped: {
    value: 10,
    unit: 'values',
    decides: 'the first ones are learnt as they are',
    reason: 'before them there is no spread to clip by',
  },
  clipSpreads: {
    value: 3,
    unit: 'standard deviations',
    decides: 'a value teaches no more than the average and as many',
    reason: 'so that a short attack teaches little',
  },
  peakHalfLifeSeconds: {
    value: 604_800,
    unit: 'seconds',
    decides: 'the remembered peak halves in this time',
    reason: 'a week: jobs of the week are still known when they come again',
  },
  peakPart: {
    value: 0.5,
    unit: 'part of the peak',
    decides: 'normal is never below it',
    reason: 'only a peak copes with jobs that come now and then; the whole of it would hide attacks for weeks',
  },
  freeSeconds: {
    value: 604_800,
    unit: 'seconds',
    decides: 'an address or network that is known for less learns without a bound',
    reason: 'what it has in a week is not known before the week is over',
  },
  ordinaryGrowth: {
    value: 10,
    unit: 'times the anchor',
    decides:
      'ordinary traffic, all traffic and what hosts ask for teach no more, unless there is an event without a label',
    reason:
      'the line is then 40 times what was usual; who grows further within days passes it, and normal follows that event',
  },
  rareGrowth: {
    value: 3,
    unit: 'times the anchor',
    decides: 'other traffic teaches no more',
    reason: 'hosts hardly have it, and what they have changes little; three is the ratio of its lines',
  },
  totalLeast: {
    value: 10_000,
    unit: 'packets/s',
    decides: 'all traffic, and tunnels, may teach as much in any case',
    reason: 'half of the default limit: as much moves no limit',
  },
  anchorDaily: {
    value: 1.05,
    unit: 'times a day',
    decides: 'how fast the anchor of a class rises to what is normal; it falls as the peak does',
    reason: 'it doubles in two weeks, where more than the ratio comes without an event; a month gains fourfold',
  },
  bandSpreads: {
    value: 3,
    unit: 'standard deviations',
    decides: 'how far the band of normal reaches to either side',
    reason: 'as far as values are learnt in full',
  },
  deviationMax: {
    value: 100_000,
    unit: 'times normal',
    decides: '`deviate` is never more',
    reason: 'a victim without traffic has a normal near zero: larger numbers say nothing',
  },
  zerosMax: {
    value: 120,
    unit: 'values',
    decides: 'how long a history of zeros a class has that is first seen late',
    reason:
      'without zeros an attack that rises slowly passes for normal (recall .95 to .53 on the reference scenario); an hour of them is enough',
  },
  valuesMin: {
    value: 4,
    unit: 'values',
    decides: 'fewer are not learnt, however long the address is known',
    reason: 'two minutes: a service that was suspended has time, and no values',
  },
  classesMax: {
    value: 64,
    unit: 'classes',
    decides: 'the classes of one target at a time; the heaviest stay',
    reason: 'hosts have some ten; a sender of everything must not fill the memory',
  },
  weighedSeconds: {
    value: 60,
    unit: 'seconds',
    decides: 'a class is as heavy as its heaviest second of these',
    reason: 'the longest window that is judged',
  },
  levelMin: {
    value: 1,
    unit: 'packets/s',
    decides: 'a class with less is not one that the target has',
    reason: 'scanners leave a packet now and then at every address',
  },
  gapSecondsMax: {
    value: 3_600,
    unit: 'seconds',
    decides: 'after a longer stop of the service the average is learnt again',
    reason: 'what was normal before is of another time of day',
  },
  priorQuantile: {
    value: 0.9,
    unit: 'part of the addresses',
    decides: 'a new address is taken to have the normal that this part of the others does not exceed',
    reason: 'a high one raises no alarm on ordinary traffic; the highest would hide attacks behind one busy server',
  },
  priorOthersMin: {
    value: 3,
    unit: 'addresses',
    decides: 'fewer with the class say nothing about others',
    reason: 'of two, one may be an exception',
  },
  priorLevelMin: {
    value: 1,
    unit: 'packets/s',
    decides: 'an address with less does not have the class',
    reason: 'see `levelMin`',
  },
  hourValuesMin: {
    value: 60,
    unit: 'values',
    decides: 'an hour with fewer does not count in the season',
    reason: 'half of its 120 values',
  },
  exactSeconds: {
    value: 90,
    unit: 'seconds',
    decides: 'how long the traffic of an address is kept second by second; older seconds in steps of ten',
    reason: 'the longest window that is judged, and half as long again for records that come late',
  },
  saveEverySeconds: {
    value: 600,
    unit: 'seconds',
    decides: 'how often what is normal is saved; a multiple of `learnEverySeconds`',
    reason: 'a crash costs 20 values of 240 at most',
  },
  changingSeconds: {
    value: 7_200,
    unit: 'seconds',
    decides: 'a network without traffic for longer is not saved any more',
    reason: 'its averages have followed by then: see `slowest`',
  },
  keepSeconds: {
    value: 8 * 86_400,
    unit: 'seconds',
    decides: 'an address without traffic for longer is forgotten',
    reason: 'a week and a day: what comes once a week is known when it comes again',
  },
  crowdedPart: {
    value: 0.75,
    unit: 'part of `targetsMax`',
    decides: 'with more addresses than this those without traffic are forgotten after `keepCrowdedSeconds`',
    reason: 'that costs less than to have no place for a new one',
  },
  keepCrowdedSeconds: {
    value: 86_400,
    unit: 'seconds',
    decides: 'see `crowdedPart`',
    reason: 'a day: what comes every night stays known',
  },
  replaceRate: {
    value: 20,
    unit: 'packets/s',
    decides: 'when `targetsMax` addresses are followed, a new one with as much takes the place of a quiet one',
    reason: 'a fifth of the lowest floor: an attack has more, background noise less',
  },
  replaceRatio: {
    value: 4,
    unit: 'times',
    decides: 'a new address needs this multiple of the traffic of the one whose place it takes, usual traffic included',
    reason: 'addresses with about the same traffic do not take turns, which would teach nothing',
  },
  searchedTargets: {
    value: 64,
    unit: 'addresses',
    decides: 'how many are looked at to find a quiet one',
    reason: 'where a tenth is quiet, one is found in 999 searches of 1,000',
  },
  searchesPerSlot: {
    value: 256,
    unit: 'searches',
    decides: 'how many new addresses of a slot look for a place',
    reason: 'a millisecond or two: a flood of new addresses must not hold up the pass',
  },
  delayMemorySeconds: {
    value: 30,
    unit: 'seconds',
    decides: 'how fast the delay of exporters is learnt: after this time a report counts a third',
    reason: 'two reports at the usual inactive timeout of 15 s; another timeout shows within two minutes',
  },
} as const satisfies Lines

export const normal = valuesOf(normalRows)
