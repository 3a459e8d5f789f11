// The thresholds of floods of connections, which are judged by their number: new ones, and those that clients hold open.
import { type Lines, valuesOf } from './line.ts'

export const connectionRows = {
  shortSeconds: {
    value: 10,
    unit: 'seconds',
    decides: 'the window in which new connections are counted first',
    reason: 'page loads open dozens at once, and end sooner',
  },
  longSeconds: {
    value: 60,
    unit: 'seconds',
    decides: 'the window of slow floods',
    reason: 'a minute of few connections proves what ten seconds of them do not',
  },
  newPerSecond: {
    value: 150,
    unit: 'connections/s',
    decides: 'tiny connections over the short window are a flood from here on',
    reason: 'the floor of SYN floods, which these begin like',
  },
  unusedPerSecond: {
    value: 50,
    unit: 'connections/s',
    decides: 'the same over the long window, when they are left open or carry nothing',
    reason: 'visitors close their connections and send requests in them',
  },
  slowPerSecond: {
    value: 4,
    unit: 'connections/s',
    decides: 'the same when they come from few sources',
    reason: '240 connections in a minute; a browser opens six to a host at most',
  },
  hardlyUsedPerSecond: {
    value: 20,
    unit: 'connections/s',
    decides: 'the same when they carry hardly more than headers, once normal is learnt',
    reason: 'slow clients give up and come again; servers of small answers may have as many always',
  },
  normalRatio: {
    value: 4,
    unit: 'times normal',
    decides: 'connections must pass it once normal is learnt',
    reason: 'the ratio of other ordinary traffic',
  },
  portsMax: {
    value: 4,
    unit: 'destination ports',
    decides: 'connections to more ports are a scan',
    reason: 'clients of a service use few ports',
  },
  tinyPacketsMin: {
    value: 1.5,
    unit: 'packets per connection',
    decides: 'fewer are a SYN flood, not connections',
    reason: 'a complete handshake brings two packets of the client',
  },
  tinyPacketsMax: {
    value: 10,
    unit: 'packets per connection',
    decides: 'more are visits',
    reason: 'a request with its acknowledgements and its end takes six to ten packets',
  },
  tinyBytesMax: {
    value: 150,
    unit: 'octets per packet',
    decides: 'longer ones carry something',
    reason: 'headers of 40 to 60 octets, and one request of some 500 among ten packets',
  },
  hardlyUsedBytesMax: {
    value: 80,
    unit: 'octets per packet',
    decides: 'up to it a connection carries parts of a request only',
    reason: 'a request of a browser has some 500 octets alone',
  },
  leftOpenPart: {
    value: 0.3,
    unit: 'closed / opened',
    decides: 'below it connections are left open',
    reason: 'visitors close all but those of the last seconds',
  },
  emptyPart: {
    value: 0.2,
    unit: 'carrying something / opened',
    decides: 'below it nothing is sent in them: the label is that of a SYN flood',
    reason: 'sampling and late records hide the data of some connections, not of four in five',
  },
  fewSources: {
    value: 24,
    unit: 'sources',
    decides: 'fewer are few',
    reason: 'the number from which most vectors count their sources as many',
  },
  carriedRatio: {
    value: 1.5,
    unit: 'packets per opening packet',
    decides: 'opening packets that come with as much are no SYN flood',
    reason: 'a connection has at least three packets beside its first, whoever opens it; some are lost to sampling',
  },
  besidePart: {
    value: 0.1,
    unit: 'part of the expected packets',
    decides: 'acknowledgements that come with less of what usually comes beside them are an ACK flood',
    reason: 'more visitors bring more of everything',
  },
  conversationPart: {
    value: 0.1,
    unit: 'part of the acknowledgements',
    decides: 'they are of conversations when as many packets open, carry and close connections beside them',
    reason: 'a page load has a dozen acknowledgements, and three other packets',
  },
  openedPart: {
    value: 0.2,
    unit: 'part of these packets',
    decides: 'as many of them must open connections',
    reason: 'a page load opens one, carries one and closes one: a third; a flood of two kinds of packets opens none',
  },
  openingPart: {
    value: 1 / 12,
    unit: 'part of the packets',
    decides: 'as many packets that open connections are expected beside others, where nothing is usual',
    reason: 'a page load has a dozen packets; `unopenedPart` leaves room for long connections',
  },
  openingsMin: {
    value: 20,
    unit: 'packets as exported',
    decides: 'where fewer that open connections are expected, nothing is said about them',
    reason: 'of 20 that are expected fewer than four come once in 100,000 looks',
  },
  unopenedPart: {
    value: 0.2,
    unit: 'part of the expected packets',
    decides: 'with fewer that open connections the others belong to none: a flood',
    reason: 'some are those of visitors beside the flood; the fewest of a crowd are far more',
  },
  unopenedRecords: {
    value: 0.1,
    unit: 'part of the records of a second',
    decides: 'likewise fewer connections that were opened in the last minutes, where records have several packets',
    reason: 'each connection was opened once, before or while its packets came',
  },
  openedSeconds: {
    value: 120,
    unit: 'seconds',
    decides: 'how long before a window its connections may have been opened',
    reason: 'twice the usual active timeout',
  },
  heldSeconds: {
    value: 60,
    unit: 'seconds',
    decides: 'the window in which records of held connections are counted',
    reason: 'the usual active timeout: each connection is reported once in this time',
  },
  heldRecordsPerSecond: {
    value: 4,
    unit: 'records/s',
    decides: 'records of held connections are an attack from here on',
    reason: '240 connections at the usual active timeout',
  },
  heldNormalRatio: {
    value: 4,
    unit: 'times normal',
    decides: 'they must pass it as well',
    reason: 'the ratio of other ordinary traffic',
  },
  heldSourcesMax: {
    value: 24,
    unit: 'sources',
    decides: 'more clients must have `heldRecordsPerSource` each',
    reason: 'a busy server holds connections of many visitors',
  },
  heldRecordsPerSource: {
    value: 20,
    unit: 'records per source',
    decides: 'held connections of each client that are an attack, however many clients there are',
    reason: 'a browser has six connections to a host at most',
  },
  heldPortsMax: {
    value: 4,
    unit: 'destination ports',
    decides: 'connections to more ports are no attack on a service',
    reason: 'clients of a service use few ports',
  },
  heldSpreadMin: {
    value: 4 / 16,
    unit: 'part of all source ports',
    decides: 'many connections of one client have ports from as much',
    reason:
      'of sixteen parts Linux uses seven (32768 to 60999), four when a program binds first; Windows and macOS four (RFC 6335 section 6)',
  },
  heldPacketsMin: {
    value: 1.5,
    unit: 'packets per record',
    decides: 'fewer are from an exporter without a flow cache',
    reason: 'where each packet is a record, one lively connection looks like many idle ones',
  },
  heldPacketsMax: {
    value: 12,
    unit: 'packets per record',
    decides: 'more are used',
    reason: 'a line of a header, or a keep-alive, every few seconds',
  },
  heldBytesMax: {
    value: 110,
    unit: 'octets per packet',
    decides: 'longer packets carry something',
    reason: 'a packet of 52 octets is headers only',
  },
  unsampledPart: {
    value: 0.99,
    unit: 'packets as exported / packets',
    decides: 'below it the exporter samples, and held connections are not looked for',
    reason: 'sampled, hardly any connection is seen twice',
  },
} as const satisfies Lines

export const connections = valuesOf(connectionRows)
