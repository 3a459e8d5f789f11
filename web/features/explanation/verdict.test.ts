import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { blindKinds, verdicts } from '../../../src/contract/explanations.ts'
import { createTranslator, type Messages } from '../../shared/i18n/messages.ts'
import type { ExplainedClass, Explanation } from './queries.ts'
import { blindTexts, closestOf, partText, rateText, verdictText } from './verdict.ts'

const read = (language: string): Messages =>
  JSON.parse(readFileSync(new URL(`../../messages/${language}.json`, import.meta.url), 'utf8'))
const english = read('en')
const translator = createTranslator('en-GB', english, english)
const chinese = createTranslator('zh-CN', read('zh'), english)

const example = endpoints.getExplanation.example.response
const [event] = endpoints.getWhatIf.example.response.events
const classOf = (part: number | null, change: Partial<ExplainedClass> = {}): ExplainedClass => {
  const given = example.classes[1]
  assert.ok(given.nearest !== null)
  return { ...given, nearest: part === null ? null : { ...given.nearest, part }, ...change }
}
const said = (change: Partial<Explanation>, language = translator) =>
  verdictText({ ...example, ...change }, language, 'utc').replaceAll('\u00a0', ' ')

describe('why there was an event, or none', () => {
  test('is said with what came closest to its threshold', () => {
    assert.equal(
      said({}),
      'No event: traffic stayed below its thresholds. SYN flood came closest: 132 pps over 30 s, 88% of its threshold of 150 pps.',
    )
    assert.match(
      said({ verdict: 'crossed', classes: [classOf(1.2)] }),
      /^No event, although .* SYN flood exceeded its threshold most: .* 120% of its threshold/,
    )
  })

  test('names the event and its site, and the attack that is not the reader’s', () => {
    assert.equal(said({ verdict: 'event', events: [event] }), `There was an event: SYN flood on ${event.site}.`)
    const { attackType, start, end } = { ...event, end: event.start }
    assert.match(said({ verdict: 'attack', attacks: [{ attackType, start, end }] }), /going on \(SYN flood\), but none/)
  })

  test('says from when on traffic is kept, by the reader’s clock', () => {
    assert.match(
      said({ verdict: 'not-kept', at: '2017-02-01T00:00:00+00:00', keptFrom: '2017-03-01T00:00:00+00:00' }),
      /kept for this time\. Traffic is kept from 1 Mar 2017, 00:00:00\.$/,
    )
  })

  test('does not say that nothing is kept of a time of which traffic is', () => {
    const [at, keptFrom] = ['2017-03-08T10:09:30+00:00', '2017-03-01T00:00:00+00:00']
    assert.match(said({ verdict: 'not-kept', at, keptFrom }), /^How well this time was seen is not recorded/)
  })

  test('is a sentence of its own for every verdict, in each language, with every place filled', () => {
    for (const language of [translator, chinese]) {
      const sentences = verdicts.map((verdict) => said({ verdict, events: [event] }, language))
      assert.equal(new Set(sentences).size, verdicts.length)
      assert.doesNotMatch(sentences.join('\n'), /[{}]|explain\./)
    }
  })
})

describe('the class that came closest', () => {
  test('is the one with the largest part of its line', () => {
    const classes = [classOf(null), classOf(0.4), classOf(0.9), classOf(0.2)]
    assert.equal(closestOf(classes)?.explained, classes[2])
  })

  test('does not exist where no amount of the traffic is an attack', () => {
    assert.equal(closestOf([classOf(null)]), null)
    assert.equal(said({ classes: [classOf(null)] }), 'No event: traffic stayed below its thresholds.')
  })
})

describe('a part of a line', () => {
  test('is never all of it when it was not reached', () => {
    const parts = [0.0004, 0.5, 0.9999, 1, 1.004].map((part) => partText(part, 'en-GB'))
    assert.deepEqual(parts, ['0.1%', '50%', '99%', '100%', '100.4%'])
  })
})

describe('an amount against a line', () => {
  test('has the unit of what is compared', () => {
    const texts = (['packets', 'bytes', 'flows'] as const).map((metric) => rateText({ metric }, 1_500, translator))
    assert.deepEqual(
      texts.map((text) => text.replaceAll('\u00a0', ' ')),
      ['1.5 kpps', '12 kbps', '1.5 k flows/s'],
    )
  })
})

describe('what was not seen whole', () => {
  const spotOf = (kind: (typeof blindKinds)[number], exporter: string | null) => ({
    ...{ kind, exporter, amount: 4_000, text: '' },
  })

  test('is said for every kind, with whose it was and how much', () => {
    for (const language of [translator, chinese]) {
      const texts = blindKinds.flatMap((kind) => blindTexts([spotOf(kind, '192.0.2.1')], language))
      assert.equal(new Set(texts).size, blindKinds.length)
      assert.doesNotMatch(texts.join('\n'), /[{}]|explain\./)
    }
    assert.deepEqual(blindTexts([spotOf('lost', '192.0.2.1'), spotOf('silent', null)], translator), [
      'Lost: 4,000 datagrams or records from 192.0.2.1.',
      'No datagram for 1 h 6 min from an exporter.',
    ])
    assert.deepEqual(blindTexts([spotOf('behind', null)], translator), ['Detection was 4 s behind.'])
  })

  test('is one of two minutes: amounts together, and the longer of two silences', () => {
    const [lost, silent] = [spotOf('lost', null), spotOf('silent', null)]
    assert.deepEqual(blindTexts([lost, silent, lost, { ...silent, amount: 60 }], translator), [
      'Lost: 8,000 datagrams or records from an exporter.',
      'No datagram for 1 h 6 min from an exporter.',
    ])
  })

  test('is listed as far as anybody reads', () => {
    const many = Array.from({ length: 9 }, (_, n) => spotOf('lost', `192.0.2.${n}`))
    const texts = blindTexts(many, translator)
    assert.deepEqual([texts.length, texts[5]], [6, 'And 4 more.'])
  })
})
