// Silences and quiet hours in the console: a line of time, made there, on the page of a site and of an event, taken back and ended.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { skip } from '../../live/requirements.ts'
import { Refusal } from '../canned.ts'
import { accessibilityOf, overflowOf, phone } from '../lab.ts'
import { events, sceneAnswers } from '../scene.ts'
import { consoleSuite } from '../suite/console-suite.ts'

const [silence] = endpoints.listSilences.example.response.silences

describe('silences', { skip, timeout: 480_000 }, () => {
  const { canned, open, asked } = consoleSuite({
    addSilence: () => ({ ...silence, id: 's9', until: '2017-03-08T12:30:00+00:00' }),
  })

  test('are on a line of time with what they held back, and are ended there', async () => {
    let ended = 0
    canned.answer({
      listSilences: (given) =>
        ended < 2 ? (sceneAnswers.listSilences?.(given) ?? { silences: [] }) : { silences: [] },
      endSilence: () => {
        ended++
        return { deleted: true }
      },
    })
    const { page, context, assertQuiet } = await open('/alerts/silences', { viewport: phone })
    const rows = page.getByRole('list', { name: 'Silences' }).getByRole('listitem')
    await rows.filter({ hasText: 'The shop moves' }).getByText('2 attacks held back. 1 goes on.').waitFor()
    await rows.filter({ hasText: 'New routers' }).getByText('Planned').waitFor()
    await rows.filter({ hasText: 'SYN flood and Traffic spike of unknown type' }).getByText('Over').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    assert.equal(await overflowOf(page), 0)
    await page.getByRole('button', { name: 'End now: shop.example.net' }).press('Enter')
    await page.getByRole('button', { name: 'Delete: Shops' }).press('Enter')
    await page.getByText('Nothing is silenced').waitFor()
    assert.deepEqual(
      asked('endSilence').map(({ params }) => params.id),
      ['s1', 's2'],
    )
    assertQuiet()
    await context.close()
  })

  test('are made on the page of a site or an event for two hours, and taken back', async () => {
    const { page, context, assertQuiet } = await open('/sites/shop.example.net', { theme: 'dark' })
    await page.getByRole('link', { name: 'Silenced until 11:55:00' }).waitFor()
    await page.getByRole('button', { name: 'Silence …' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Silence alerts' })
    await dialog.getByText('shop.example.net').waitFor()
    await dialog.getByText('This silences only these attacks.').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    await dialog.getByLabel('Reason').fill('The shop moves')
    await dialog.getByLabel('Reason').press('Enter')
    await page.getByText('Silenced until 13:30').waitFor()
    const [{ body }] = asked('addSilence')
    assert.deepEqual(body, {
      ...{ reason: 'The shop moves', sites: ['shop.example.net'], groups: [], vectors: [] },
      until: '2017-03-08T12:30:00Z',
    })
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await page.goto(`${canned.url}/events/${events[0].id}`)
    await page.getByRole('button', { name: 'Silence …' }).click()
    await dialog.getByText(events[0].site).waitFor()
    assert.deepEqual(
      asked('endSilence').map(({ params }) => params.id),
      ['s9'],
    )
    assertQuiet()
    await context.close()
  })

  test('are planned for maintenance, in the reader’s zone, and refused in words', async () => {
    canned.answer({
      addSilence: () =>
        new Refusal(400, 'No', {
          errors: [{ pointer: '/until', detail: 'It must be at most 30 days after the beginning' }],
        }),
    })
    const { page, context, assertQuiet } = await open('/alerts/silences', { locale: 'zh-CN' })
    await page.getByRole('button', { name: '静默通知' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('原因').fill('计划维护')
    await dialog.getByRole('radio', { name: '直到…' }).click()
    await dialog.getByLabel('结束时间').fill('2017-05-01T08:00')
    await dialog.getByLabel('开始').fill('2017-03-09T06:00')
    await dialog.getByLabel('Shops').check()
    await dialog.getByRole('button', { name: '静默', exact: true }).click()
    await dialog.getByText('最多为开始后 30 天').waitFor()
    const [{ body }] = asked('addSilence')
    assert.deepEqual(body, {
      ...{ reason: '计划维护', sites: [], groups: [endpoints.listGroups.example.response.groups[0].id], vectors: [] },
      ...{ from: '2017-03-09T05:00:00Z', until: '2017-05-01T06:00:00Z' },
    })
    assertQuiet(/400/)
    await context.close()
  })

  test('of every night are the quiet hours of a channel', async () => {
    const { page, context, assertQuiet } = await open('/alerts')
    const row = page.getByRole('row').filter({ hasText: 'Everybody' })
    await row.getByText('Quiet at night (22:00–07:00)').waitFor()
    await page.getByRole('button', { name: 'Change Night shift' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/Quiet hours/).check()
    await dialog.getByLabel('From').fill('23:00')
    await dialog.getByLabel('Sat').uncheck()
    assert.deepEqual(await accessibilityOf(page), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const [{ body }] = asked('changeChannel')
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sun']
    assert.deepEqual(Object(body).quiet, { timeZone: 'Europe/Berlin', days, hours: '23:00-07:00' })
    assertQuiet()
    await context.close()
  })
})
