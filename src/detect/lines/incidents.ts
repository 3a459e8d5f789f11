// The thresholds of an attack that goes on: where it begins, when it is quiet, what names it, and how often it is reported in full.
import { type Lines, valuesOf } from './line.ts'

export const incidentRows = {
  spanSeconds: {
    value: 3,
    unit: 'seconds',
    decides: 'an attack is active where the average over them is not quiet; its peak is the most of them',
    reason: 'the shortest window by which most vectors are judged',
  },
  spanSecondsMax: {
    value: 30,
    unit: 'seconds',
    decides: 'behind coarse sampling the average is over as many as show `observedMin` packets, and no more than these',
    reason: 'over a longer average the end of an attack would be found late',
  },
  waitSecondsMax: {
    value: 120,
    unit: 'seconds',
    decides: 'no more is waited for news of an exporter that holds records back',
    reason: 'longer than any exporter does by default, but for active timeouts of minutes',
  },
  provisionalSeconds: {
    value: 7_200,
    unit: 'seconds',
    decides: 'traffic that was there before normal was known, and may be ordinary, is normal after it',
    reason: 'a site may be added because it is under attack; two hours are what a new level takes to be learnt',
  },
  togetherSeconds: {
    value: 15,
    unit: 'seconds',
    decides: 'vectors that begin within it are one attack',
    reason: 'the usual inactive timeout: records of one attack come that far apart',
  },
  youngSeconds: {
    value: 60,
    unit: 'seconds',
    decides: 'until then the heaviest vector gives the attack its label',
    reason: 'records of all vectors have come by then; a label that changes later confuses whoever acts on it',
  },
  namingShare: {
    value: 0.1,
    unit: 'part of the unknown packets',
    decides: 'a vector with less does not name traffic of unknown kind beside it',
    reason: 'a label says what the attack is, not what comes with it',
  },
  quietAfterSeconds: {
    value: 5,
    unit: 'seconds',
    decides: 'an attack of which nothing is seen for longer is quiet',
    reason: 'shorter gaps are the unevenness of any traffic',
  },
  leadSeconds: {
    value: 2,
    unit: 'seconds',
    decides: 'a record that began before the attack counts in its lists with this much of the time before it',
    reason: 'an attack rises for a second or two in which it is still quiet',
  },
  pauseSecondsMin: {
    value: 10,
    unit: 'seconds',
    decides: 'a shorter gap is no pause: it counts as active time',
    reason: 'twice `quietAfterSeconds`; pulses of attacks are further apart',
  },
  vectorShareMin: {
    value: 0.01,
    unit: 'part of all packets',
    decides: 'vectors with less are not listed',
    reason: 'one in a hundred is noise in a bar of shares',
  },
  settledMarginSeconds: {
    value: 40,
    unit: 'seconds',
    decides: 'seconds are final when they are so near to the end of what the rings hold',
    reason: 'more than is taken at a time, and than a pass may be late',
  },
  settleEverySeconds: {
    value: 16,
    unit: 'seconds',
    decides: 'how many final seconds are added up at a time',
    reason: 'often enough for the margin above, seldom enough to cost nothing',
  },
  courseLeadSeconds: {
    value: 60,
    unit: 'seconds',
    decides: 'how long before the attack its course begins',
    reason: 'a minute shows what was there before',
  },
  courseStepsMax: {
    value: 512,
    unit: 'steps',
    decides: 'a course with more has steps twice as long',
    reason: 'more than a chart has pixels for; 8 minutes at a second each',
  },
  updatesMax: {
    value: 100,
    unit: 'reports/s',
    decides: 'how many attacks that go on are reported in full in a second',
    reason: 'lists and course are some 100 KB: the store takes 10 MB a second',
  },
  changesMax: {
    value: 200,
    unit: 'reports/s',
    decides: 'how many attacks that begin or end are reported in full in a second',
    reason: 'these are news: twice as many as updates',
  },
} as const satisfies Lines

export const incidents = valuesOf(incidentRows)
