// The screen of an address: why there was an event or none, and what other settings would have detected.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { skip } from '../../live/requirements.ts'
import { Refusal } from '../canned.ts'
import { accessibilityOf, desktop, overflowOf, phone } from '../lab.ts'
import { nowMs } from '../scene.ts'
import { consoleSuite } from '../suite/console-suite.ts'

const explanation = endpoints.getExplanation.example.response
const whatIf = endpoints.getWhatIf.example.response
const path = '/addresses?address=203.0.113.21'

describe('an address in the past', { skip, timeout: 480_000 }, () => {
  const { canned, open, asked } = consoleSuite()

  test('why there was no event is asked for a moment by the reader’s clock, and the answer has an address', async () => {
    const { page, context, assertQuiet } = await open(path)
    await page.getByLabel('At', { exact: true }).fill('2017-03-08T11:09:30')
    await page.getByRole('button', { name: 'Explain' }).press('Enter')
    await page.getByText('SYN flood came closest').waitFor()
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Explain')
    // Berlin is an hour ahead in winter.
    assert.equal(new URL(page.url()).searchParams.get('at'), '2017-03-08T10:09:30.000Z')
    assert.equal(asked('getExplanation')[0].search.get('at'), '2017-03-08T10:09:30.000Z')
    assert.equal(await page.getByRole('row', { name: /SYN flood.*88%/ }).count(), 1)
    await page.reload()
    await page.getByText('SYN flood came closest').waitFor()
    assertQuiet()
    await context.close()
  })

  test('what was not seen is said, and the event has a link', async () => {
    const [event] = whatIf.events
    const blind = [
      { kind: 'lost', exporter: null, amount: 52, text: '' },
      { kind: 'lost', exporter: null, amount: 8, text: '' },
      { kind: 'silent', exporter: null, amount: 61, text: '' },
    ] as const
    canned.answer({ getExplanation: () => ({ ...explanation, verdict: 'event', events: [event], blind: [...blind] }) })
    for (const viewport of [desktop, phone]) {
      const { page, context, assertQuiet } = await open(path, { viewport })
      await page.getByRole('button', { name: 'Latest' }).click()
      await page.getByText('There was an event: SYN flood').waitFor()
      await page.getByText('Lost: 60 datagrams or records from an exporter.').waitFor()
      await page.getByText('No datagram for 1 min 1 s from an exporter.').waitFor()
      const link = page.getByRole('link', { name: `Open the event on ${event.site} of 8 Mar 2017, 11:08:12` })
      assert.equal(await link.getAttribute('href'), `/events/${event.id}`)
      assert.deepEqual(await accessibilityOf(page), [])
      assert.equal(await overflowOf(page), 0)
      assertQuiet()
      await context.close()
    }
  })

  test('other settings are tried, and what they change is listed', async () => {
    const lost = { ...whatIf.won[0], attackType: null, metric: 'bytes' as const, rate: 25e6, line: 12.5e6 }
    canned.answer({
      getWhatIf: () => ({ ...whatIf, lost: [lost], isCut: true, judged: { ...whatIf.judged, untraced: 1 } }),
    })
    for (const viewport of [desktop, phone]) {
      canned.asked.length = 0
      const { page, context, assertQuiet } = await open(path, { viewport })
      const judge = page.getByRole('button', { name: 'Judge again' })
      assert.equal(await judge.isDisabled(), true)
      await page.getByLabel('Bit rate limit').fill('100')
      await page.getByLabel('Sensitivity').selectOption('high')
      await page.getByRole('radio', { name: '7 days' }).click()
      await judge.press('Enter')
      assert.equal(await page.evaluate('document.activeElement.textContent'), 'Judge again')
      await page.getByText('1 more attack would have been detected.').waitFor()
      await page.getByText('1 attack would not have been detected.').waitFor()
      await page.getByRole('row', { name: /unknown type.*200\W?Mbps.*100\W?Mbps/ }).waitFor()
      await page.getByText('too much traffic to judge').waitFor()
      await page.getByText('kept in detail: some attacks may be missing').waitFor()
      const [{ search }] = asked('getWhatIf')
      assert.deepEqual([search.get('bytesPerSecond'), search.get('sensitivity')], ['12500000', 'high'])
      const [start, end] = ['start', 'end'].map((name) => Date.parse(search.get(name) ?? ''))
      assert.deepEqual([end, end - start], [nowMs, 7 * 86_400_000])
      const address = new URL(page.url()).searchParams
      assert.deepEqual([address.get('bytesPerSecond'), address.get('last')], ['12500000', '7d'])
      assert.deepEqual(await accessibilityOf(page), [])
      assert.equal(await overflowOf(page), 0)
      assertQuiet()
      await context.close()
    }
  })

  test('no difference, nonsense and a refusal are said', async () => {
    canned.answer({ getWhatIf: () => ({ ...whatIf, before: whatIf.after, won: [], lost: [] }) })
    const { page, context, assertQuiet } = await open(`${path}&packetsPerSecond=5`)
    await page.getByText('No difference: an attack is detected at the same time.').waitFor()
    canned.answer({ getWhatIf: () => ({ ...whatIf, before: [], after: [], won: [], lost: [] }) })
    await page.getByLabel('Packet rate limit').fill('7')
    await page.getByRole('button', { name: 'Judge again' }).click()
    await page.getByText('No difference: no attack is detected with either set of settings.').waitFor()
    for (const text of ['many', '2,5', '1e999', '-1']) {
      await page.getByLabel('Packet rate limit').fill(text)
      await page.getByText('Enter a number such as 2500 or 0.5.').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Judge again' }).isDisabled(), true, text)
    }
    canned.answer({ getWhatIf: () => new Refusal(400, 'Not from before the address was yours') })
    await page.getByLabel('Packet rate limit').fill('6')
    await page.getByRole('button', { name: 'Judge again' }).click()
    await page.getByText('Not from before the address was yours').waitFor()
    // Each question was asked once: what was judged before is left alone.
    assert.deepEqual(
      asked('getWhatIf').map(({ search }) => search.get('packetsPerSecond')),
      ['5', '7', '6'],
    )
    assertQuiet(/status of 400/)
    await context.close()
  })
})
