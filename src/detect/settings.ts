// What an operator can set about detection. Every rate is per second, after scaling by the sampling rate.
import { type Static, Type } from 'typebox'
import { seconds } from '../settings.ts'
import { excludePorts, excludeSources, prefixRows, sensitivity, siteRows } from './targets/setting-overrides.ts'

const rate = (text: string, value: number) =>
  Type.Number({ description: `${text} 0: no such limit.`, default: value, minimum: 0, maximum: 1e15 })

const count = (text: string, value: number, maximum: number) =>
  Type.Integer({ description: text, default: value, minimum: 1, maximum })

export const detectSettings = Type.Object(
  {
    packetsPerSecond: rate('Traffic to one address that is an attack whatever is normal. Packets per second.', 20_000),
    bytesPerSecond: rate('Likewise. Bytes per second; the default is 1 Gbps.', 125_000_000),
    flowsPerSecond: rate('Likewise. Flow records per second, as received.', 10_000),
    sensitivity: sensitivity({
      description:
        'Divides the floors, the rates from which the vectors of an attack are recognised: 2 sees smaller attacks, with more false alarms. A factor from 0.1 to 10, or low (0.5), normal (1), high (2).',
      default: 1,
    }),
    excludePorts: excludePorts({
      description:
        'Traffic that is left out as if it had not come, by port: tcp/443 and udp/53 are destination ports, udp/src/53 is a source port.',
      default: [],
    }),
    excludeSources: excludeSources({
      description:
        'Senders whose traffic is left out as if it had not come: IPv4 addresses and networks of backup servers, monitoring, an own CDN.',
      default: [],
    }),
    prefixes: prefixRows(
      'Other settings for some networks, as rows of `prefix` and of what differs there: the three limits, `sensitivity`, `excludePorts`, `excludeSources`, and `enabled` (false: not judged). What the longest that holds an address does not say, the next shorter does.',
    ),
    sites: siteRows(
      'Other settings for some sites, as rows of `site` (an address, a network, a name, `*.` and a domain) and the same keys. They hold for the addresses that the site stands for at the time, and go before those of networks.',
    ),
    learnSeconds: seconds(
      'How long the traffic of an address is learnt before it is compared with what is normal for it.',
      900,
      60,
      604_800,
    ),
    quietSeconds: seconds(
      'An attack is over when its traffic has been low for so long, and for as long as its exporters are known to hold records back.',
      25,
      5,
      3_600,
    ),
    reopenSeconds: seconds(
      'An attack that comes back within so long of its end is the same one, and its event goes on.',
      600,
      0,
      86_400,
    ),
    updateSeconds: seconds('How often an event is brought up to date while its attack goes on.', 5, 1, 300),
    targetsMax: count(
      'Addresses whose traffic is followed at a time. When more are watched, only the busiest are followed, and a quiet one takes a place when it has traffic; the check `places` says so.',
      20_000,
      1_000_000,
    ),
    incidentsMax: count('Attacks that are followed at a time.', 1_000, 100_000),
  },
  { additionalProperties: false },
)

export type DetectSettings = Static<typeof detectSettings>
