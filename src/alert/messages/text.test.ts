import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { messageOf } from '../../../test/helpers/labs/messages.ts'
import { reportExample } from '../../contract/events/examples.ts'
import type { Severity } from '../../events/severity.ts'
import { vectors } from '../../vectors/vectors.ts'
import { isTimeZone } from '../rules/time-window.ts'
import { attackName } from './attack.ts'
import { cleanText, cutLines, cutText } from './clean.ts'
import { en } from './en.ts'
import { escapers } from './escape.ts'
import { factLines, textOf } from './text.ts'
import { writerFor } from './words.ts'
import { zh } from './zh.ts'

const url = 'https://ddos.example.net/'
const open = { state: 'open', end: null } as const

describe('the text of a message', () => {
  it('says what began, where, how much, since when and why', () => {
    const text = textOf(messageOf('event.started', open), {}, url)
    assert.equal(
      text.title,
      '[HIGH] NTP amplification on www.example.com (192.0.2.10): 252 Mbit/s, 67.6 kpackets/s, 65 × normal',
    )
    assert.deepEqual(factLines(text), [
      'Severity: High',
      'Attack: NTP amplification',
      'Site: *.example.com',
      'Address: 192.0.2.10',
      'Rate: 252 Mbit/s, 67.6 kpackets/s, 65 × normal',
      'Since: 2017-03-08 10:09:14 UTC',
      'Why: packets 67.6 kpackets/s, above 1.77 kpackets/s (normally 590 packets/s)',
      'Vectors: NTP amplification 97 %',
      'Sources: 198.51.100.1 (NL, AS64496); 71,340 in all',
      'Names: www.example.com',
    ])
    assert.deepEqual(text.link, {
      label: 'Open the event',
      url: `https://ddos.example.net/events/${reportExample.id}`,
    })
    assert.equal(textOf(messageOf('event.started', open), {}, '').link, null)
  })

  it('says before all else that it is late, and by how much', () => {
    const text = textOf({ ...messageOf('event.ended'), lateSeconds: 260_000 }, {}, '')
    assert.match(text.title, /^\[LATE\] \[OVER\] NTP/)
    assert.ok(factLines(text).includes('Late by: 3 d'), factLines(text).join('\n'))
  })

  it('says of an end how long it was, its peak and how much came in all', () => {
    const text = textOf(messageOf('event.ended'), {}, '')
    assert.equal(
      text.title,
      '[OVER] NTP amplification on www.example.com (192.0.2.10): 1 min, peak 330 Mbit/s, 88 kpackets/s',
    )
    const lines = factLines(text)
    for (const line of [
      'Began: 2017-03-08 10:09:14 UTC',
      'Ended: 2017-03-08 10:10:14 UTC',
      'Duration: 1 min',
      'Average: 252 Mbit/s, 67.6 kpackets/s, 65 × normal',
      'Peak: 330 Mbit/s, 88 kpackets/s at 2017-03-08 10:09:40 UTC',
      'Total: 1.89 GB, 4.06 M packets',
    ])
      assert.ok(lines.includes(line), `${line} in\n${lines.join('\n')}`)
  })

  it('says what has changed, and that a test is one', () => {
    const before = { severity: 'low' as Severity, label: null }
    const worse = textOf(messageOf('event.worsened', open, { severity: 'critical', before }), {}, '')
    assert.match(worse.title, /^\[CRITICAL\] Worse: NTP amplification on /)
    assert.deepEqual(factLines(worse).slice(0, 2), [
      'Severity: Critical (was Low)',
      'Attack: NTP amplification (was Traffic spike of unknown type)',
    ])
    assert.match(textOf(messageOf('event.resumed', open), {}, '').title, /^\[HIGH\] Back: /)
    assert.match(textOf(messageOf('event.escalated', open), {}, '').title, /^\[HIGH\] Not acknowledged: NTP /)
    assert.match(textOf(messageOf('alert.test', open), {}, '').title, /^\[TEST\] \[HIGH\] NTP/)
    assert.match(textOf(messageOf('event.started', { isTest: true }), {}, '').title, /^\[TEST\] /)
    // A kind that another version knows.
    assert.match(textOf(messageOf('event.other', open), {}, '').title, /^\[HIGH\] NTP amplification on /)
  })

  it('keeps sources to itself where the owner may not know them', () => {
    const text = textOf(messageOf('event.started', { ...open, view: 'totals' }), {}, '')
    assert.equal(JSON.stringify(text).includes('198.51.100.1'), false)
  })

  it('names a network by itself, and says no ratio where normal is not known', () => {
    const network = { prefix: '198.51.100.0/24', addresses: 1_025 }
    const { title } = textOf(messageOf('event.started', { ...open, network, normalPacketsPerSecond: null }), {}, '')
    assert.equal(title, '[HIGH] NTP amplification on 1,025 addresses of 198.51.100.0/24: 252 Mbit/s, 67.6 kpackets/s')
  })

  it('is in the language and the time zone of its reader', () => {
    const text = textOf(messageOf('event.started', open), { language: 'zh', timeZone: 'Asia/Shanghai' }, url)
    assert.equal(
      text.title,
      '[高] www.example.com（192.0.2.10） 遭受NTP 放大攻击：252 Mbit/s，67.6 kpackets/s，平时的 65 倍',
    )
    assert.ok(
      factLines(text).some((line) => /^开始于: .*18:09:14 Asia\/Shanghai$/.test(line)),
      factLines(text).join('\n'),
    )
    // A zone that this version of the zone data has not.
    assert.match(factLines(textOf(messageOf('event.started', open), { timeZone: 'Mars/Base' }, '')).join(), /UTC/)
    assert.deepEqual([isTimeZone('Europe/Berlin'), isTimeZone('Mars/Base')], [true, false])
  })

  it('fills in no place of a value', () => {
    const { title } = textOf(messageOf('event.started', { ...open, domain: '{amount}{title}' }), {}, '')
    assert.match(title, /on \{amount\}\{title\} \(192/)
  })
})

describe('words', () => {
  const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()

  it('have the same places in each language', () => {
    for (const [key, text] of Object.entries(en))
      assert.deepEqual(places(zh[key as keyof typeof en]), places(text), key)
  })

  it('name every vector that there is', () => {
    for (const writer of [writerFor({}), writerFor({ language: 'zh' })])
      for (const { label } of vectors) assert.notEqual(attackName(label, writer), label)
    assert.equal(attackName('xyz@new@thing', writerFor({})), 'xyz@new@thing')
  })

  it('write amounts with three digits, times and durations', () => {
    const { bits, packets, bytes, times, duration, share, count } = writerFor({})
    assert.deepEqual(
      [bits(150e6), packets(999.7), packets(310_400), bytes(0), count(99_999), count(1_234_567)],
      ['1.2 Gbit/s', '1 kpackets/s', '310 kpackets/s', '0 B', '99,999', '1.23 M'],
    )
    assert.deepEqual([times(3.24), times(38.4), times(84_282)], ['3.2', '38', '>1,000'])
    assert.deepEqual([0, 59, 60, 3_661, 90_000, 172_800].map(duration), [
      '0 s',
      '59 s',
      '1 min',
      '1 h 1 min',
      '1 d 1 h',
      '2 d',
    ])
    assert.deepEqual([share(0.973), share(0.012)], ['97 %', '1.2 %'])
  })
})

describe('text among the markup of a template', () => {
  it('has no signs of Slack’s Markdown, which knows no escape', () => {
    assert.equal(escapers.slackText('<b> *a* _b_ ~c~ `d` & @all'), '&lt;b&gt; ∗a∗ ＿b＿ ∼c∼ ˋdˋ &amp; @\u2060all')
  })
})

describe('clean text', () => {
  it('is one line that shows what it is', () => {
    assert.equal(
      cleanText('a\r\nb\tc\u0000\u202ed\u2066\u200b\ufeff\ud800e', 99),
      'a\ufffd\ufffdb\ufffdc\ufffd\ufffdd\ufffd\ufffd\ufffd\ufffde',
    )
    // What joins people and flags is part of a character.
    assert.equal(cleanText('👨‍👩‍👧 é', 99), '👨‍👩‍👧 é')
  })

  it('is cut between characters as people see them', () => {
    const family = '👨‍👩‍👧'
    assert.equal(cutText(`ab${family}cd`, 6), 'ab…')
    assert.equal(cutText(`ab${family}cd`, family.length + 3), `ab${family}…`)
    assert.equal(cutText('e\u0301'.repeat(9), 4), 'e\u0301…')
    assert.equal(cutText('12345', 5), '12345')
    assert.equal(cleanText('x'.repeat(5_000_000), 10), `${'x'.repeat(9)}…`)
  })

  it('keeps whole lines', () => {
    assert.equal(cutLines(['abc', 'def', 'ghi'], 8), 'abc\ndef')
    assert.equal(cutLines(['abcdef'], 4), 'abc…')
  })
})
