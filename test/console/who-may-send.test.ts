// Who may send flows, set in the console: the nudge and the way back, a list that is refused, one that the configuration decides.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { endpoints } from '../../src/contract/endpoints.ts'
import type { AllowedExporters } from '../../src/contract/exporters/admission.ts'
import { skip } from '../live/requirements.ts'
import { type Asked, Refusal } from './canned.ts'
import { accessibilityOf, overflowOf, type PageOptions, phone } from './lab.ts'
import { consoleSuite } from './suite/console-suite.ts'

const example = endpoints.listExporters.example.response
const senders = ['192.0.2.1', '2001:db8::7']
const changedAt = '2017-03-08T10:29:00+00:00'
const refused = { address: '203.0.113.9', datagrams: 900, lastSeen: changedAt, workedBefore: false }
const reception = {
  ...example.reception,
  refusedSenders: [refused, { ...refused, address: '192.0.2.3', datagrams: 2, workedBefore: true }],
}
const anybody: AllowedExporters = {
  ...{ source: 'anybody', entries: [], previous: null, changedAt: null, changedBy: null },
  senders,
}

describe('who may send', { skip, timeout: 480_000 }, () => {
  let allowed: AllowedExporters
  const { canned, open: openPath, asked } = consoleSuite()

  beforeEach(() => {
    allowed = anybody
    canned.answer({
      listExporters: () => ({ ...example, allowed, reception }),
      setAllowedExporters: set,
    })
  })

  const set = ({ body }: Asked) => {
    assert.ok(typeof body === 'object' && body !== null && 'entries' in body && Array.isArray(body.entries))
    const entries = body.entries.map(String)
    const source = entries.length === 0 ? 'anybody' : 'here'
    allowed = { ...allowed, source, entries, previous: allowed.entries, changedAt, changedBy: 'you@example.net' }
    return allowed
  }

  const open = async (options: PageOptions = {}) => {
    const opened = await openPath('/sources', options)
    const card = opened.page.locator('section.card', {
      has: opened.page.getByRole('heading', { name: 'Who may send' }),
    })
    await card.waitFor()
    return { ...opened, card }
  }

  const puts = () => asked('setAllowedExporters').map(({ body }) => body)

  test('is limited to those that send now by one button, and opened again by another', async () => {
    const { page, context, card, assertQuiet } = await open()
    await card.getByRole('button', { name: 'Limit to these 2 exporters' }).press('Enter')
    await card.getByText('Only these may send flows').waitFor()
    assert.deepEqual(await card.locator('.allowed-entries li').allTextContents(), senders)
    assert.deepEqual(await accessibilityOf(page), [])
    await card.getByRole('button', { name: 'Undo the last change' }).press('Enter')
    await card.getByText('Anybody who reaches the port').waitFor()
    assert.deepEqual(puts(), [{ entries: senders }, { entries: [] }])
    assertQuiet()
    await context.close()
  })

  test('a refused sender is allowed beside the others, those that worked before first; anybody only when sure', async () => {
    allowed = { ...anybody, source: 'here', entries: senders }
    const { page, context, card, assertQuiet } = await open({ viewport: phone })
    assert.deepEqual(await card.locator('.refused-senders .mono').allTextContents(), ['192.0.2.3', '203.0.113.9'])
    assert.equal(await overflowOf(page), 0)
    await card.getByRole('button', { name: 'Allow 192.0.2.3' }).click()
    await card.locator('.allowed-entries').getByText('192.0.2.3').waitFor()
    await card.getByRole('button', { name: 'Allow anybody again' }).click()
    assert.equal(puts().length, 1)
    await page.getByRole('dialog').getByRole('button', { name: 'Allow anybody again' }).click()
    await card.getByText('Anybody who reaches the port').waitFor()
    assert.deepEqual(puts(), [{ entries: [...senders, '192.0.2.3'] }, { entries: [] }])
    assertQuiet()
    await context.close()
  })

  test('lets in who has not sent yet, beside those that send, and says which entry is wrong', async () => {
    const { page, context, card, assertQuiet } = await open({ viewport: phone })
    const field = card.getByLabel('Allow addresses or networks')
    await field.fill('198.51.100.0/28, router.example 192.0.2.0/33')
    const errors = [3, 4].map((at) => ({ pointer: `/entries/${at}`, detail: 'It is neither' }))
    canned.answer({ setAllowedExporters: () => new Refusal(400, 'The list has something else', { errors }) })
    await field.press('Enter')
    const alert = card.getByRole('alert')
    await alert.waitFor()
    assert.equal(await alert.textContent(), 'Neither an address nor a network: router.example, 192.0.2.0/33')
    assert.equal(await field.getAttribute('aria-describedby'), await alert.getAttribute('id'))
    assert.deepEqual(await accessibilityOf(page), [])
    assert.equal(await overflowOf(page), 0)
    canned.answer({ setAllowedExporters: set })
    await field.fill('198.51.100.0/28, 2001:db8::7')
    assert.equal(await card.getByRole('alert').count(), 0)
    await field.press('Enter')
    await card.getByText('Only these may send flows').waitFor()
    assert.equal(await field.inputValue(), '')
    await card.getByRole('button', { name: 'Undo the last change' }).press('Enter')
    await card.getByText('Anybody who reaches the port').waitFor()
    assert.deepEqual(puts().slice(1), [{ entries: [...senders, '198.51.100.0/28'] }, { entries: [] }])
    assertQuiet(/400/)
    await context.close()
  })

  test('says whom a list would leave out', async () => {
    allowed = { ...anybody, source: 'here', entries: senders, previous: ['192.0.2.1'] }
    const detail = 'Exporters that send now would be left out: 2001:db8::7'
    canned.answer({ setAllowedExporters: () => new Refusal(409, detail, { reason: 'exporters-left-out' }) })
    const { context, card, assertQuiet } = await open()
    await card.getByRole('button', { name: 'Undo the last change' }).click()
    const alert = card.getByRole('alert')
    await alert.waitFor()
    assert.equal(await alert.textContent(), `The list would leave out exporters that send now:${detail}`)
    assert.deepEqual(await card.locator('.allowed-entries li').allTextContents(), senders)
    assertQuiet(/409/)
    await context.close()
  })

  test('has no button where the configuration decides, and tells what happened', async () => {
    allowed = { ...anybody, source: 'configuration', entries: ['192.0.2.0/24'], previous: ['192.0.2.1'] }
    const { page, context, card, assertQuiet } = await open()
    await card.getByText('ingest.exporters').waitFor()
    assert.equal(await card.getByRole('button').count(), 0)
    await page.getByRole('row').filter({ hasText: 'Restarted' }).filter({ hasText: '192.0.2.1' }).waitFor()
    assertQuiet()
    await context.close()
  })
})
