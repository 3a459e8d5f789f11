// Messages in the console: found by channel and state, with their attempts, sent again where they were given up; who was told, on an event's page.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { skip } from '../../live/requirements.ts'
import { Refusal } from '../canned.ts'
import { accessibilityOf, overflowOf, phone } from '../lab.ts'
import { events, sceneAnswers } from '../scene.ts'
import { consoleSuite } from '../suite/console-suite.ts'

describe('messages', { skip, timeout: 480_000 }, () => {
  const { canned, open, asked } = consoleSuite({
    replayDelivery: () => ({ replayed: 1, leftOut: 0 }),
    replayChannel: () => ({ replayed: 3, leftOut: 0 }),
  })

  test('are found by channel and state, and what was given up is sent again', async () => {
    const { page, context, assertQuiet } = await open('/alerts')
    await page.getByRole('link', { name: 'Ticket system' }).press('Enter')
    await page.getByRole('row').filter({ hasText: '4 attempts failed' }).getByText('Waits').waitFor()
    await page.getByRole('row', { name: 'SYN flood on api.example.net' }).waitFor()
    assert.equal(new URL(page.url()).search, '?channel=a3')
    await page.getByRole('combobox', { name: 'State' }).selectOption('Given up')
    await page.getByRole('row').filter({ hasText: 'Waits' }).waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).search, '?channel=a3&state=dead')
    assert.deepEqual(await page.locator('main [aria-current]').allTextContents(), ['Messages'])
    assert.deepEqual(await accessibilityOf(page), [])
    const sendOne = page.getByRole('button', { name: 'Send again: Attack ended, Ticket system', disabled: false })
    await sendOne.press('Enter')
    await page.getByText('1 message is sent again').waitFor()
    assert.deepEqual(
      asked('replayDelivery').map(({ params }) => params.id),
      ['d3'],
    )
    const sendAll = page.getByRole('button', {
      name: 'Send again all that Ticket system did not get',
      // Until the list is up to date it takes no key.
      disabled: false,
    })
    await sendAll.press('Enter')
    await page.getByText('3 messages are sent again').waitFor()
    assert.deepEqual(
      asked('replayChannel').map(({ params }) => params.id),
      ['a3'],
    )
    canned.answer({ replayChannel: () => ({ replayed: 1, leftOut: 2 }) })
    await sendAll.press('Enter')
    const leftOut = '1 message is sent again; 2 are left out, since their receiver has been told the opposite since'
    await page.getByText(leftOut, { exact: true }).waitFor()
    canned.answer({ replayDelivery: () => new Refusal(404, 'The caller has no such delivery') })
    await sendOne.press('Enter')
    await page.getByText('The caller has no such delivery').waitFor()
    assertQuiet(/404/)
    await context.close()
  })

  test('have their attempts in words, and go by pages', async () => {
    canned.answer({
      listDeliveries: (given) => {
        const answer = sceneAnswers.listDeliveries?.(given)
        assert.ok(answer !== undefined && !(answer instanceof Refusal))
        const [first, ...rest] = answer.deliveries
        return given.search.get('before') === null
          ? { deliveries: rest, next: 'd4' }
          : { deliveries: [first], next: null }
      },
    })
    const { page, context, assertQuiet } = await open('/alerts/deliveries', { viewport: phone, theme: 'dark' })
    await page.getByRole('button', { name: 'Attempts: Attack ended, Ticket system' }).click()
    const dialog = page.getByRole('dialog', { name: 'Attempts' })
    await dialog.getByText('No answer within 5 seconds').waitFor()
    await dialog.getByText('lets nobody in').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Older messages' }).click()
    await page.getByRole('row').getByText('Being sent').waitFor()
    assert.equal(await overflowOf(page), 0)
    assert.deepEqual(await accessibilityOf(page), [])
    assertQuiet()
    await context.close()
  })

  test('say on the page of an event who was told what and when, and lead to all of them', async () => {
    const { page, context, assertQuiet } = await open(`/events/${events[0].id}`)
    const card = page.locator('section.card', { has: page.getByRole('heading', { name: 'Who was told' }) })
    const lines = card.getByRole('listitem')
    await lines.filter({ hasText: 'Attack ended' }).getByText('Delivered').waitFor()
    assert.match((await lines.first().textContent()) ?? '', /11:09.*Attack began Night shift.*Delivered/)
    await card.getByRole('link', { name: 'All messages' }).press('Enter')
    await page.getByText('Of one event').waitFor()
    assert.equal(asked('listDeliveries').at(-1)?.search.get('event'), events[0].id)
    await page.getByRole('button', { name: /Of one event/ }).press('Enter')
    await page.getByText('Of one event').waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).search, '')
    assertQuiet()
    await context.close()
  })

  test('that do not arrive are said on the overview, with the way to them', async () => {
    const { page, context, assertQuiet } = await open('/', { viewport: phone })
    const notice = page.locator('.notice').filter({ hasText: 'do not arrive' })
    await notice.getByText('Messages to Ticket system do not arrive, since 3 hr ago.').waitFor()
    await notice.getByText('The message of 11:12').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    assert.equal(await overflowOf(page), 0)
    await notice.getByRole('link', { name: 'Messages that were given up' }).press('Enter')
    await page.getByRole('row').filter({ hasText: 'Given up' }).waitFor()
    assert.equal(new URL(page.url()).search, '?state=dead')
    canned.answer({ listChannels: () => ({ channels: [] }), listDeliveries: () => ({ deliveries: [], next: null }) })
    await page.goto(canned.url)
    await page.getByRole('heading', { name: 'Last 24 hours' }).or(page.locator('.story')).first().waitFor()
    assert.equal(await notice.count(), 0)
    assertQuiet()
    await context.close()
  })
})
