import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Response } from '../../../src/contract/endpoints.ts'
import { overviewExample } from '../../../src/contract/events/examples.ts'
import { createTranslator, type Messages } from '../../shared/i18n/messages.ts'
import {
  attacksOf,
  attacksText,
  calmSentence,
  documentTitle,
  openTitle,
  standingOf,
  unwatchedText,
} from './sentences.ts'

type Overview = Response<'getOverview'>
type Posture = Overview['posture']

const english: Messages = JSON.parse(readFileSync(new URL('../../messages/en.json', import.meta.url), 'utf8'))
const translator = createTranslator('en-GB', english, english)
const { t } = translator

const none: Overview['events'] = {
  open: 0,
  openAcknowledged: 0,
  openDismissed: 0,
  unacknowledged: 0,
  lastDay: 0,
  dayBefore: 0,
  lastWeek: 0,
}
const sites = { count: 3, enabled: 3 }

/** As the service recorded it: a reflection of CLDAP that was over after a minute. */
const cldap: NonNullable<Overview['lastEvent']> = {
  ...overviewExample,
  id: '58bfd7ae1f0a4b3c9d2e6f70',
  createdAt: '2017-03-08T10:09:18+00:00',
  state: 'ended',
  start: '2017-03-08T10:09:14+00:00',
  end: '2017-03-08T10:10:26+00:00',
  address: '203.0.113.10',
  site: 'www.example.net',
  domain: 'www.example.net',
  view: 'all',
  attackType: 'udp@attack@amp_flood_target-CLDAP',
  average: { bytesPerSecond: 7_500_000, packetsPerSecond: 5_200, flowsPerSecond: 40 },
  acknowledged: null,
  classification: null,
  severity: 'medium',
  deviation: 22,
  normalPacketsPerSecond: 900,
  network: null,
  isTest: false,
}
/** The same, of unknown kind, on an address that no name leads to, still going on. */
const spike = { ...cldap, state: 'open' as const, end: null, attackType: null, domain: '' }

const shown = { rate: () => '60 Mbit/s', ago: (at: string) => `since ${at.slice(11, 19)}` }
const said = (posture: Posture, events: Partial<Overview['events']>, lastEvent: Overview['lastEvent']) => {
  const sentence = calmSentence({ posture, events: { ...none, ...events }, lastEvent }, translator, shown)
  return sentence === null ? null : t(sentence.key, sentence.values)
}

describe('the posture in words', () => {
  const cases: [name: string, posture: Posture, events: Partial<Overview['events']>, tone: string, text: string][] = [
    ['calm', 'calm', {}, 'good', 'No attacks'],
    ['without a site', 'no-sites', {}, 'plain', 'Nothing watched'],
    ['when the service is not ready', 'not-ready', {}, 'warn', 'Not ready'],
    ['without flows', 'no-flows', {}, 'warn', 'No flows'],
    ['under attack', 'attack', { open: 1 }, 'bad', '1 attack'],
    ['of several', 'attack', { open: 8 }, 'bad', '8 attacks'],
    ['acknowledged in part', 'attack', { open: 2, openAcknowledged: 1 }, 'bad', '2 attacks, 1 acknowledged'],
    ['acknowledged', 'attack', { open: 2, openAcknowledged: 2 }, 'held', '2 attacks, all acknowledged'],
    ['one, acknowledged', 'attack', { open: 1, openAcknowledged: 1 }, 'held', '1 attack, acknowledged'],
    ['a false alarm besides', 'attack', { open: 3, openDismissed: 1 }, 'bad', '2 attacks'],
    [
      'a false alarm besides what is acknowledged',
      'attack',
      { open: 2, openDismissed: 1, openAcknowledged: 1 },
      'held',
      '1 attack, acknowledged',
    ],
    ['a false alarm alone', 'calm', { open: 1, openDismissed: 1 }, 'good', 'No attacks'],
  ]
  for (const [name, posture, events, tone, text] of cases) {
    test(name, () => {
      const standing = standingOf({ posture, events: { ...none, ...events }, sites }, t)
      assert.deepEqual([standing.tone, standing.text], [tone, text])
    })
  }
})

describe('the line when no attack goes on', () => {
  test('speaks of the last attack, with when it was over', () => {
    assert.equal(
      said('calm', {}, cldap),
      'No attacks now. The last was CLDAP amplification on www.example.net, since 10:10:26: 60 Mbit/s on average, for 1 min 12 s.',
    )
    assert.equal(said('calm', {}, null), 'No attacks now, and none so far.')
  })

  test('is not there while one goes on: nothing is said of one that is over', () => {
    for (const last of [cldap, spike, null]) assert.equal(said('attack', { open: 8 }, last), null)
  })

  test('does not call over what goes on and was said to be no attack', () => {
    assert.equal(said('calm', { open: 1, openDismissed: 1 }, spike), 'No attacks now.')
  })

  test('says that none would be seen: without flows, and without a site not even that much', () => {
    assert.match(said('no-flows', {}, cldap) ?? '', /^No flows for two minutes: an attack would not be seen/)
    assert.equal(said('no-sites', {}, cldap), null)
    assert.equal(said('not-ready', {}, cldap), null)
  })
})

describe('the title of the open attacks', () => {
  const cases: [events: Partial<Overview['events']>, title: string | null][] = [
    [{}, null],
    [{ open: 2, openAcknowledged: 1 }, '2 attacks, 1 acknowledged'],
    [{ open: 3, openDismissed: 1 }, '2 attacks; 1 marked as not an attack'],
    [{ open: 1, openDismissed: 1 }, 'No attack now; 1 ongoing event is marked as not an attack'],
    [{ open: 2, openDismissed: 2 }, 'No attack now; 2 ongoing events are marked as not an attack'],
  ]
  for (const [events, title] of cases) {
    test(String(title), () => assert.equal(openTitle({ ...none, ...events }, t), title))
  }
})

test('what was dismissed is no attack, however the counts came together', () => {
  assert.equal(attacksOf({ ...none, open: 3, openDismissed: 1 }), 2)
  assert.equal(attacksOf({ ...none, open: 1, openDismissed: 2 }), 0)
  assert.equal(attacksText({ ...none, open: 1_200, openAcknowledged: 3 }, t), '1,200 attacks, 3 acknowledged')
})

test('without a monitored site: there is none, or all are paused', () => {
  assert.equal(t(unwatchedText({ count: 0, enabled: 0 }).title), 'No sites yet')
  assert.equal(t(unwatchedText({ count: 2, enabled: 0 }).title), 'All sites are paused')
})

test('the title of the tab has the number of attacks, the page and the product', () => {
  assert.equal(documentTitle('Overview', 0, 'Floodgauge'), 'Overview - Floodgauge')
  assert.equal(documentTitle('Overview', 2, 'Floodgauge'), '(2) Overview - Floodgauge')
  assert.equal(documentTitle(null, 0, 'Floodgauge'), 'Floodgauge')
  assert.equal(documentTitle(null, 1, 'Floodgauge'), '(1) Floodgauge')
})
