// The thresholds of the judgement of one target: which windows of its traffic are looked at, and when one of them is an attack. The floors of each
// vector are in its row of vectors/vectors.ts.
import { type Lines, valuesOf } from './line.ts'

export const judgementRows = {
  windowSeconds: {
    value: [1, 3, 10, 30, 60],
    unit: 'seconds',
    decides: 'the lengths of the windows that are judged',
    reason: 'a flood shows in the shortest; an attack little above normal, or behind coarse sampling, in the longest',
  },
  observedMin: {
    value: 12,
    unit: 'packets as exported',
    decides: 'fewer packets in a window are no evidence',
    reason: 'a count of 12 sampled packets has a standard error of 29 % (one over its root)',
  },
  sigmas: {
    value: 6,
    unit: 'standard deviations',
    decides: 'how far above normal a rate must be, the noise of sampling included',
    reason: 'on the reference scenario 3 alone had a precision of .22; 6, with a ratio and a floor beside it, 1.00',
  },
  sampledRatio: {
    value: 1.01,
    unit: 'packets / packets as exported',
    decides: 'above it the exporter samples, and rates have a standard error',
    reason: 'an exporter that does not sample has exactly 1; the rest is rounding of sums',
  },
  suddenRatio: {
    value: 2,
    unit: 'times the line',
    decides: 'a whole signature so far above its line is judged by a single second',
    reason: 'one second at twice the line is as much traffic as two at the line',
  },
  suddenSeconds: {
    value: 3,
    unit: 'seconds',
    decides: 'only what is judged within as many may be judged by a single second',
    reason: 'ordinary traffic comes in bursts: it is judged by longer windows in any case',
  },
  plainRatio: {
    value: 20,
    unit: 'times normal',
    decides: 'ordinary traffic above it, and above `plainFloors`, needs `plainSeconds` only',
    reason: 'visitors rarely multiply so far within seconds; the reference detector waived its persistence here',
  },
  plainFloors: {
    value: 4,
    unit: 'times the floor',
    decides: 'see `plainRatio`',
    reason: 'an address with next to no traffic passes 20 times normal with a few packets',
  },
  plainSeconds: {
    value: 10,
    unit: 'seconds',
    decides: 'how long ordinary traffic must keep up what is plainly not ordinary',
    reason: 'shorter bursts of downloads and page loads end by themselves',
  },
  usualPart: {
    value: 0.25,
    unit: 'part of the floor',
    decides: 'a class whose normal is above it is usual for the address, and judged as ordinary traffic',
    reason: 'a resolver receives DNS answers all day; its neighbours receive none',
  },
  sameRatio: {
    value: 6,
    unit: 'times normal',
    decides: 'traffic that grows without changing its kind must pass it',
    reason: 'busy hours and bursts of visitors make nearly as much of normal',
  },
  sameLengthMin: {
    value: 0.75,
    unit: 'times the usual mean packet length',
    decides: 'shorter packets are another kind of traffic',
    reason: 'packets of one kind have one mean length; a quarter is left for the mix of the hour',
  },
  sameLengthMax: {
    value: 1.33,
    unit: 'times the usual mean packet length',
    decides: 'longer packets are another kind of traffic',
    reason: 'the reciprocal of `sameLengthMin`',
  },
  sameSigmas: {
    value: 3,
    unit: 'standard errors',
    decides: 'how far a mean length or a number of few packets may be off and still count as the same kind',
    reason: 'packet lengths deviate about as much as their mean, so the mean of n packets by one over the root of n',
  },
  crowdConnections: {
    value: 100,
    unit: 'times normal',
    decides: 'connections of the usual kind up to it are visitors: the event has no label',
    reason: 'a site had 50 times its usual visitors within a minute (World Cup 1998, 12 May)',
  },
  crowdAnswers: {
    value: 15,
    unit: 'times normal',
    decides: 'answers that the address asks for anyway, likewise',
    reason: 'a resolver multiplies with its clients, not with the public',
  },
  crowdOthers: {
    value: 30,
    unit: 'times normal',
    decides: 'other ordinary traffic, likewise',
    reason: 'between the two: streams and calls come with their users',
  },
  unlearntObserved: {
    value: 5,
    unit: 'packets/s as exported',
    decides: 'while normal is not known, ordinary classes must have as many',
    reason: 'who samples 1:1000 stands before a large network, where 1,000 packets/s are little',
  },
  manyPorts: {
    value: 24,
    unit: 'destination ports',
    decides: 'with as many, traffic goes to ports all over',
    reason: 'a host has fewer services and conversations with one peer at a time',
  },
  scanSources: {
    value: 6,
    unit: 'sources',
    decides: 'fewer sources with many ports are a scan',
    reason: 'a scanner is one host, or a handful',
  },
  scanPacketsPerSecond: {
    value: 5_000,
    unit: 'packets/s',
    decides: 'a scan from here on is an attack as well',
    reason: 'as much hurts, whatever it is meant for',
  },
  sprayedSpread: {
    value: 0.75,
    unit: 'part of all source ports',
    decides: 'few sources whose ports come from as much are made up by a program: a flood, not a scan',
    reason: 'scanners have one source port; systems take theirs from 7/16 of the range at most (Linux)',
  },
  unconnectedRatio: {
    value: 1.1,
    unit: 'packets per record',
    decides: 'up to it each packet is a flow of its own',
    reason: 'some packets of such a flood are sent twice',
  },
  unconnectedPacketsPerSecond: {
    value: 200,
    unit: 'packets/s',
    decides: 'the floor of unsampled packets that each come from another source',
    reason:
      'conversations do not look like this, but where they are exported packet by packet, and then have other parts beside',
  },
  forgedPacketsPerSecond: {
    value: 100,
    unit: 'packets/s',
    decides: 'the floor of traffic from made-up sources, whatever the packets',
    reason: 'no host sends from 0/8, 127/8 or 224/3; below it an attack does no harm',
  },
  forgedSeconds: {
    value: 3,
    unit: 'seconds',
    decides: 'how long made-up sources must last',
    reason: 'as for the other traffic that hosts do not have',
  },
  forgedSecondsMin: {
    value: 4,
    unit: 'seconds',
    decides: 'how many seconds of a longer window must have an impossible source',
    reason: 'a misconfigured host sends one now and then',
  },
  forgedPart: {
    value: 0.7,
    unit: 'part of the expected seconds',
    decides: 'how many of the seconds in which random addresses would show an impossible source must show one',
    reason: 'the expectation is a mean: some seconds fall short of it by chance',
  },
  limitSeconds: {
    value: 3,
    unit: 'seconds',
    decides: 'how long all traffic must pass an absolute limit',
    reason: 'the shortest window by which most traffic is judged',
  },
  unexplainedSeconds: {
    value: 10,
    unit: 'seconds',
    decides: 'the same when no vector explains the traffic',
    reason: 'traffic of no vector may be a download: it has to last',
  },
  limitRatio: {
    value: 2,
    unit: 'times normal',
    decides: 'an absolute limit rises to it at busy addresses',
    reason: 'an address that always has more than the limit would be attacked all day',
  },
  explainingShare: {
    value: 0.5,
    unit: 'part of all packets',
    decides: 'a class with as much explains what passed an absolute limit, and names it',
    reason: 'more than half is most',
  },
  newVectorShare: {
    value: 0.2,
    unit: 'part of all packets',
    decides: 'a vector that begins beside an attack is an event of its own from here on',
    reason: 'less is a side effect of the attack that goes on, such as answers to it',
  },
  newVectorSeconds: {
    value: 10,
    unit: 'seconds',
    decides: 'how long it must have this share',
    reason: 'side effects come in bursts',
  },
  companionPart: {
    value: 0.2,
    unit: 'part of the packets',
    decides: 'fragments, or RST, are named by a vector that has as much beside them',
    reason: 'an answer of a reflector in five fragments has one packet with ports',
  },
  companionSigmas: {
    value: 3,
    unit: 'standard deviations',
    decides: 'how far above normal that vector must be',
    reason: 'one look for each attack, not thousands: 3 leave a chance of one in 700',
  },
  quietPart: {
    value: 0.5,
    unit: 'part of the line',
    decides: 'an attack is active while it is above it',
    reason: 'an attack that swings around its line would begin and end all the time',
  },
  quietRatio: {
    value: 2,
    unit: 'times normal',
    decides: 'what is below it is no attack any more, whatever the line was',
    reason: 'traffic of visitors who stay becomes normal, and ends their event',
  },
} as const satisfies Lines

export const judgement = valuesOf(judgementRows)
