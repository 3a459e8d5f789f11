// The story of every recorded event, and of some that are made from them: each sentence is true of the numbers beside it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readRecordedEvents } from '../../../../test/helpers/recorded-events/recorded.ts'
import { formatAmount, formatBits } from '../../../shared/format/rates.ts'
import { createTranslator, type Messages } from '../../../shared/i18n/messages.ts'
import { vectorShares } from '../parts-of-attack.ts'
import type { EventReport } from '../queries.ts'
import { eventKind, eventTitle, eventVictim } from '../titles.ts'
import { plainStory, storyOf } from './story-text.ts'

const web = fileURLToPath(new URL('../../..', import.meta.url))
const messages = (language: string): Messages => JSON.parse(readFileSync(`${web}messages/${language}.json`, 'utf8'))
const english = createTranslator('en', messages('en'), messages('en'))
const chinese = createTranslator('zh', messages('zh'), messages('en'))
const recorded = readRecordedEvents()

function eventOf(name: string): EventReport {
  const found = recorded.find((each) => each.name === name)
  assert.ok(found, name)
  return found.event
}

function storyIn(event: EventReport, translator = english, backSinceMs: number | null = null): string {
  const rates = {
    main: ({ bytesPerSecond }: { bytesPerSecond: number }) => formatBits(bytesPerSecond, translator.language),
    other: ({ packetsPerSecond }: { packetsPerSecond: number }) =>
      formatAmount(packetsPerSecond, translator.language, 'pps'),
  }
  const nowMs = Date.parse(event.lastSeen) + 1_000
  const sentences = storyOf(event, { translator, zone: 'utc', nowMs, rates, backSinceMs })
  return plainStory(sentences, translator).replaceAll(/[\u00a0\u202f]/g, ' ')
}

/** By scenario. The day is left out. */
const cases: Readonly<Record<string, string>> = {
  'NTP amplification':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: NTP amplification. It peaked at 18.9 Mbps (5.04 kpps), 140 times normal (all traffic). 99% of the packets matched NTP amplification. Source port: 123 (NTP, 99%). It came from 285 different sources, to port 33000 (99%). It ended at 08:11:30 after 1 min 30 s.',
  'DNS amplification with fragments':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: DNS amplification. It peaked at 54.5 Mbps (5.24 kpps), 145 times normal (all traffic). 95% of the packets matched DNS amplification. Source port: 53 (DNS, 95%). It came from 18.3 k different sources, to port 33000 (95%). It ended at 08:11:30 after 1 min 30 s.',
  'SSDP amplification':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: SSDP amplification. It peaked at 14.2 Mbps (5.04 kpps), 140 times normal (all traffic). 99% of the packets matched SSDP amplification. Source port: 1900 (SSDP, 99%). It came from 285 different sources, to port 33000 (99%). It ended at 08:11:30 after 1 min 30 s.',
  'CLDAP amplification':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: CLDAP amplification. It peaked at 56.2 Mbps (5.04 kpps), 140 times normal (all traffic). 99% of the packets matched CLDAP amplification. Source port: 389 (LDAP, 99%). It came from 282 different sources, to port 33000 (99%). It is ongoing, for 1 min 27 s so far.',
  'memcached amplification':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: Memcached amplification. It peaked at 56.2 Mbps (5.04 kpps), 140 times normal (all traffic). 99% of the packets matched Memcached amplification. Source port: 11211 (Memcached, 99%). It came from 285 different sources, to port 33000 (99%). It ended at 08:11:30 after 1 min 30 s.',
  'chargen amplification, nothing learnt':
    'www.example.com (192.0.2.10) came under attack at 08:00:20 UTC: chargen amplification. It peaked at 20.2 Mbps (5.04 kpps); normal (all traffic) was not known yet. 99% of the packets matched chargen amplification. Source port: 19 (chargen, 99%). It came from 282 different sources, to port 33000 (99%). It ended at 08:01:50 after 1 min 30 s.',
  'SNMP amplification to one port':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: SNMP amplification. It peaked at 14.6 Mbps (2.04 kpps), 57 times normal (all traffic). 98% of the packets matched SNMP amplification. Source port: 161 (SNMP, 98%). It came from 18.2 k different sources, to port 80 (HTTP, 98%). It ended at 08:11:30 after 1 min 30 s.',
  'SYN flood':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: SYN flood. It peaked at 648 kbps (936 pps), 26 times normal (all traffic). 96% of the packets matched SYN flood. Source port: 40000 (100%). It came from about 80 k different sources, to port 443 (HTTPS, 100%). It ended at 08:11:30 after 1 min 30 s.',
  'SYN flood, nothing learnt':
    'www.example.com (192.0.2.10) came under attack at 08:00:00 UTC: SYN flood. It peaked at 432 kbps (900 pps); normal (all traffic) was not known yet. 100% of the packets matched SYN flood. Source port: 40000 (100%). It came from about 76 k different sources, to port 443 (HTTPS, 100%). It is ongoing, for 1 min 27 s so far.',
  'SYN flood, small beside what is usual':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: SYN flood. It peaked at 5.04 Mbps (2.22 kpps), 3.1 times normal (all traffic). 68% of the packets matched SYN flood and 32% Connection flood. Source port: 40000 (100%). It came from about 139 k different sources, to port 443 (HTTPS, 100%). It ended at 08:11:30 after 1 min 30 s.',
  'SYN flood from one source port':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: SYN flood. It peaked at 648 kbps (936 pps), 26 times normal (all traffic). 96% of the packets matched SYN flood. Source port: 6000 (96%). It came from about 80 k different sources, to port 443 (HTTPS, 100%). It ended at 08:11:30 after 1 min 30 s.',
  'SYN-ACK flood':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: SYN-ACK flood. It peaked at 504 kbps (636 pps), 18 times normal (all traffic). 94% of the packets matched SYN-ACK flood. Source port: 443 (HTTPS, 94%). It came from 54.3 k different sources, to port 443 (HTTPS, 100%). It ended at 08:11:30 after 1 min 30 s.',
  'RST flood':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: RST flood. It peaked at 456 kbps (536 pps), 15 times normal (all traffic). 93% of the packets matched RST flood. Source port: 40000 (100%). It came from 45.2 k different sources, to port 443 (HTTPS, 100%). It ended at 08:11:30 after 1 min 30 s.',
  'ACK flood':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: ACK flood. It peaked at 4.06 Mbps (8.04 kpps), 223 times normal (all traffic). 99.6% of the packets matched ACK flood. Source ports are random: none above 0.5%. It came from 36.2 k different sources, to port 443 (HTTPS, 100%). It ended at 08:11:30 after 1 min 30 s.',
  'FIN flood':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: FIN flood. It peaked at 360 kbps (336 pps), 9.3 times normal (all traffic). 89% of the packets matched FIN flood and 11% Connection flood. Source port: 40000 (100%). It came from 27.3 k different sources, to port 443 (HTTPS, 100%). It ended at 08:11:30 after 1 min 30 s.',
  'Christmas tree flood':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: Christmas tree flood. It peaked at 360 kbps (336 pps), 9.3 times normal (all traffic). 89% of the packets matched Christmas tree flood and 11% Connection flood. Source port: 40000 (100%). It came from 27.3 k different sources, to port 443 (HTTPS, 100%). It ended at 08:11:30 after 1 min 30 s.',
  'TCP packets without flags':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: TCP NULL flood. It peaked at 360 kbps (336 pps), 9.3 times normal (all traffic). 89% of the packets matched TCP NULL flood and 11% Connection flood. Source port: 40000 (100%). It came from 27.3 k different sources, to port 443 (HTTPS, 100%). It ended at 08:11:30 after 1 min 30 s.',
  'SYN-FIN flood':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: SYN-FIN flood. It peaked at 360 kbps (336 pps), 9.3 times normal (all traffic). 89% of the packets matched SYN-FIN flood and 11% Connection flood. Source port: 40000 (100%). It came from 27.3 k different sources, to port 443 (HTTPS, 100%). It ended at 08:11:30 after 1 min 30 s.',
  connections:
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: Connection flood. It peaked at 1.94 Mbps (2.44 kpps), 68 times normal (all traffic). 100% of the packets matched Connection flood. Source port: 40000 (100%). It came from 36.2 k different sources, to port 443 (HTTPS, 100%). It ended at 08:11:30 after 1 min 30 s.',
  'slow connections':
    'www.example.com (192.0.2.10) came under attack at 08:00:00 UTC: Slow connections. It peaked at 25.9 kbps (36 pps); normal (all traffic) was not known yet. Source port: 40000 (88%). It came from 1 source, to port 443 (HTTPS, 88%). It is ongoing, for 1 min 27 s so far.',
  'UDP flood from random ports':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: UDP flood. It peaked at 19.4 Mbps (6.04 kpps), 168 times normal (all traffic). 99% of the packets matched UDP flood. Source ports are random: none above 0.6%. It came from about 107 k different sources, to port 1024 (99%). It ended at 08:11:30 after 1 min 30 s.',
  'UDP flood from random ports to random ports':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: UDP flood. It peaked at 19.4 Mbps (6.04 kpps), 168 times normal (all traffic). 99% of the packets matched UDP flood. Source ports are random: none above 0.6%. It came from about 107 k different sources, to many ports. It ended at 08:11:30 after 1 min 30 s.',
  'UDP flood from one port':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: UDP flood. It peaked at 24.2 Mbps (3.04 kpps), 84 times normal (all traffic). 99% of the packets matched UDP flood. Source port: 40000 (100%). It came from 54.3 k different sources, to many ports. It ended at 08:11:30 after 1 min 30 s.',
  'UDP flood to a game':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: UDP flood. It peaked at 3.1 Mbps (3.04 kpps), 84 times normal (all traffic). 99% of the packets matched UDP flood. Source ports are random: none above 1.2%. It came from 51.9 k different sources, to port 27015 (Source engine, 99%). It is ongoing, for 1 min 27 s so far.',
  QUIC: 'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: QUIC amplification. It peaked at 19.4 Mbps (8.04 kpps), 223 times normal (all traffic). 99.6% of the packets matched QUIC amplification. Source port: 443 (HTTPS, 99.6%). It came from 36.2 k different sources, to port 33000 (99.6%). It ended at 08:11:30 after 1 min 30 s.',
  'ICMP flood':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: ICMP flood. It peaked at 552 kbps (536 pps), 15 times normal (all traffic). 93% of the packets matched ICMP flood. It came from 45.2 k different sources. It ended at 08:11:30 after 1 min 30 s.',
  'GRE flood':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: GRE flood. It peaked at 22.6 Mbps (4.04 kpps), 112 times normal (all traffic). 99% of the packets matched GRE flood. It came from 36.2 k different sources. It ended at 08:11:30 after 1 min 30 s.',
  'ESP flood':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: ESP flood. It peaked at 22.6 Mbps (4.04 kpps), 112 times normal (all traffic). 99% of the packets matched ESP flood. It came from 36.2 k different sources. It ended at 08:11:30 after 1 min 30 s.',
  'UDP fragments':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: UDP fragment flood. It peaked at 8.06 Mbps (736 pps), 20 times normal (all traffic). 95% of the packets matched UDP fragment flood. It came from 63.2 k different sources. It ended at 08:11:30 after 1 min 30 s.',
  'multi-vector: NTP, SYN, ICMP':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: NTP amplification. It peaked at 19.5 Mbps (6.04 kpps), 168 times normal (all traffic). 83% of the packets matched NTP amplification and 12% SYN flood. Source port: 123 (NTP, 83%). It came from about 89.7 k different sources, to port 33000 (83%). It ended at 08:11:30 after 1 min 30 s.',
  'multi-vector: two amplifiers':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: CLDAP amplification. It peaked at 70.2 Mbps (10 kpps), 279 times normal (all traffic). 50% of the packets matched CLDAP amplification and 50% SSDP amplification. Source ports: 389 (LDAP, 50%) and 1900 (SSDP, 50%). It came from 270 different sources, to port 33000 (99.6%). It ended at 08:11:30 after 1 min 30 s.',
  'unknown kind: more of what is usual':
    'www.example.com (192.0.2.10) came under attack at 08:09:34 UTC: Traffic spike of unknown type. It peaked at 8 Mbps (2 kpps), 10 times normal (all traffic). 100% of the packets look like DNS amplification, but that alone does not identify the attack. Source port: 53 (DNS, 97%). It came from 500 different sources, to port 33000 (97%). It ended at 08:11:32 after 1 min 58 s.',
  'unknown kind: one transfer':
    'www.example.com (192.0.2.10) came under attack at 08:00:00 UTC: Traffic spike of unknown type. It peaked at 448 Mbps (40 kpps); normal (all traffic) was not known yet. 100% of the packets look like Connection flood, but that alone does not identify the attack. Source port: 40000 (100%). It came from 1 source, to port 443 (HTTPS, 100%). It is ongoing, for 1 min 27 s so far.',
  'carpet: UDP to 25 addresses, one of them hit less':
    '25 addresses of 192.0.2.0/24 came under attack at 08:10:00 UTC: carpet bombing by UDP flood. Each received up to 2.88 Mbps. It peaked at 70.3 Mbps (29.2 kpps), 812 times normal (all traffic). 99.8% of the packets matched UDP flood. Source ports are random: none above 0.1%. It came from about 131 k different sources, to many ports. It ended at 08:11:30 after 1 min 30 s.',
  'carpet: NTP to 60 addresses':
    '60 addresses of 192.0.2.0/24 came under attack at 08:10:00 UTC: carpet bombing by NTP amplification. Each received up to 562 kbps. It peaked at 33.9 Mbps (9.04 kpps), 251 times normal (all traffic). 99.6% of the packets matched NTP amplification. Source port: 123 (NTP, 99.6%). It came from about 76.3 k different sources, to port 33000 (99.6%). It is ongoing, for 1 min 27 s so far.',
  'carpet: SYN to a /24, thinly':
    '120 addresses of 192.0.2.0/24 came under attack at 08:10:00 UTC: carpet bombing by SYN flood. Each received up to 3.84 kbps. It peaked at 677 kbps (996 pps), 28 times normal (all traffic). 96% of the packets matched SYN flood. Source port: 40000 (100%). It came from about 85.7 k different sources, to port 443 (HTTPS, 100%). It ended at 08:11:30 after 1 min 30 s.',
  'carpet, seen by the owner of one address':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: UDP flood. It peaked at 60.2 Mbps (25 kpps), 695 times normal (all traffic). 99.8% of the packets matched UDP flood. Source ports are random: none above 0.2%. It came from about 112 k different sources, to many ports. It ended at 08:11:30 after 1 min 30 s.',
  'who may not know the sources':
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: NTP amplification. It peaked at 18.9 Mbps (5.04 kpps), 140 times normal (all traffic). 99% of the packets matched NTP amplification. It ended at 08:11:30 after 1 min 30 s.',
  'a name of a wildcard':
    'shop.example.com (192.0.2.10) came under attack at 08:10:00 UTC: CLDAP amplification. It peaked at 56.2 Mbps (5.04 kpps), 140 times normal (all traffic). 99% of the packets matched CLDAP amplification. Source port: 389 (LDAP, 99%). It came from 285 different sources, to port 33000 (99%). It ended at 08:11:30 after 1 min 30 s.',
  simulated:
    'www.example.com (192.0.2.10) came under attack at 08:10:00 UTC: NTP amplification. It peaked at 18.9 Mbps (5.04 kpps), 140 times normal (all traffic). 99% of the packets matched NTP amplification. Source port: 123 (NTP, 99%). It came from 282 different sources, to port 33000 (99%). It is ongoing, for 1 min 27 s so far.',
}

describe('the story of an event', () => {
  test('is checked for every recorded one', () => {
    assert.ok(recorded.length >= 30)
    assert.deepEqual(Object.keys(cases).sort(), recorded.map(({ name }) => name).sort())
  })

  for (const [name, story] of Object.entries(cases))
    test(name, () => assert.equal(storyIn(eventOf(name)).replaceAll('Jan 15, 2027, ', ''), story))

  test('names no port that has little of the whole, whatever its part of the list', () => {
    for (const { name, event } of recorded) {
      const { sourcePorts } = event.statistics
      const named = /Source ports?: (\d+)/.exec(storyIn(event))?.[1]
      if (named === undefined) continue
      const entry = sourcePorts.entries.find(({ item }) => item === Number(named))
      assert.ok((entry?.packets ?? 0) >= 0.1 * event.total.packets, name)
    }
  })

  test('has every place filled, in every language', () => {
    for (const { event } of recorded)
      for (const translator of [english, chinese])
        assert.doesNotMatch(storyIn(event, translator), /\{|\}|undefined|NaN|null/)
  })

  test('names the hardest hit of a network only where it stands out, by what it got', () => {
    const carpet = eventOf('carpet: UDP to 25 addresses, one of them hit less')
    const victims = carpet.victims.map((victim, i) =>
      i === 3 ? { ...victim, packetsPerSecond: 9_000, bytesPerSecond: 2_700_000 } : victim,
    )
    assert.match(storyIn({ ...carpet, victims }), /The hardest hit, 192\.0\.2\.20, received 21\.6 Mbps\./)
    assert.doesNotMatch(storyIn(carpet), /hardest hit/)
  })

  test('says that it is quiet, or came back, as its phase does', () => {
    const ended = eventOf('SYN flood')
    const [episode] = ended.episodes
    const after = (seconds: number) => new Date(Date.parse(ended.start) + seconds * 1_000).toISOString()
    const again = { ...episode, start: after(300), end: null }
    const open: EventReport = { ...ended, end: null, state: 'open', phase: 'active' }
    const episodes = [episode, again]
    const back: EventReport = { ...open, phase: 'returned', returns: 1, episodes, lastSeen: after(359) }
    const twice = { returns: 2, episodes: [episode, { ...again, start: after(200) }, again] }
    const rows: [EventReport, string, string][] = [
      [
        { ...open, phase: 'quiet' },
        'No attack traffic since 08:11:30: a pause, or the end.',
        '自 08:11:30 起未再看到攻击流量：可能是暂停，也可能已结束。',
      ],
      [
        back,
        'It had ended, and resumed at 08:15:00. It is ongoing again, for 1 min so far.',
        '攻击曾经结束，于 08:15:00 再次出现。攻击再次进行中，已持续 1 分。',
      ],
      [
        { ...back, ...twice },
        'It resumed 2 times, last at 08:15:00. It is ongoing again, for 1 min so far.',
        '攻击曾 2 次再次出现，最近一次在 08:15:00。攻击再次进行中，已持续 1 分。',
      ],
      [
        { ...back, phase: 'quiet' },
        'resumed at 08:15:00. No attack traffic since 08:15:59: a pause, or the end.',
        '于 08:15:00 再次出现。自 08:15:59 起未再看到攻击流量：可能是暂停，也可能已结束。',
      ],
      [
        { ...back, phase: 'closed', state: 'ended', end: after(360) },
        'It had ended, and resumed at 08:15:00. It ended at 08:16:00 after 6 min.',
        '攻击曾经结束，于 08:15:00 再次出现。攻击于 08:16:00 结束，持续 6 分。',
      ],
    ]
    for (const [event, en, zh] of rows) {
      const [inEnglish, inChinese] = [english, chinese].map((translator) =>
        storyIn(event, translator).replaceAll(/Jan 15, 2027, |2027年1月15日 /g, ''),
      )
      assert.ok(inEnglish.endsWith(en), inEnglish)
      assert.ok(inChinese.replaceAll(' ', '').endsWith(zh.replaceAll(' ', '')), inChinese)
    }
    assert.doesNotMatch(storyIn({ ...open, phase: 'quiet' }), /ongoing/)
  })

  test('says since when traffic is back while the attack is not said to be over', () => {
    const event = { ...eventOf('RST flood'), end: null, state: 'open' } as const
    assert.match(
      storyIn(event, english, Date.parse(event.start) + 40_000),
      /It is ongoing.* back to its level before the attack since/,
    )
    assert.doesNotMatch(storyIn(event), /back to its level/)
  })
})

describe('shares of vectors', () => {
  test('sum to one at most, in every recorded event and where labels overlap', () => {
    const overlapping = {
      ...eventOf('RST flood'),
      attackType: 'tcp@attack@conn_flood_target',
      vectors: [
        { attackType: 'tcp@attack@conn_flood_target', share: 0.45, packetsPerSecond: 450 },
        { attackType: 'tcp@attack@rst_flood_target', share: 1, packetsPerSecond: 1_000 },
      ],
    }
    for (const event of [...recorded.map((each) => each.event), overlapping]) {
      const shares = vectorShares(event).map(({ share }) => share)
      assert.ok(shares.reduce((sum, share) => sum + share, 0) <= 1 + 1e-9)
    }
    assert.match(storyIn(overlapping), /69% of the packets matched RST flood and 31% Connection flood/)
  })
})

describe('the title of an event', () => {
  const titles: Readonly<Record<string, string>> = {
    'NTP amplification': 'NTP amplification on www.example.com',
    'unknown kind: one transfer': 'Traffic spike of unknown type on www.example.com',
    'carpet: UDP to 25 addresses, one of them hit less': 'Carpet bombing: UDP flood on 25 addresses of 192.0.2.0/24',
    'carpet: SYN to a /24, thinly': 'Carpet bombing: SYN flood on 120 addresses of 192.0.2.0/24',
    'carpet, seen by the owner of one address': 'UDP flood on www.example.com',
  }
  for (const [name, title] of Object.entries(titles))
    test(title, () => assert.equal(eventTitle(eventOf(name), english), title))

  test('of a carpet names no single address or name, in parts as well', () => {
    const event = { ...eventOf('carpet: NTP to 60 addresses'), domain: 'play.example.org' }
    assert.equal(eventKind(event, english), 'Carpet bombing: NTP amplification')
    assert.equal(eventVictim(event, english), '60 addresses of 192.0.2.0/24')
    assert.equal(eventVictim(event, chinese), '192.0.2.0/24 的 60 个地址')
  })
})
