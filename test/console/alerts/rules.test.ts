// Rules in the console: as sentences, put into another order by keyboard and by dragging, made in a form, and asked which of them would fire.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { patienceMs } from '../../helpers/until.ts'
import { skip } from '../../live/requirements.ts'
import { Refusal } from '../canned.ts'
import { accessibilityOf, overflowOf, type PageOptions, phone } from '../lab.ts'
import { events } from '../scene.ts'
import { consoleSuite } from '../suite/console-suite.ts'
import { rulesOf } from './data.ts'

const [rule] = endpoints.listRules.example.response.rules
const report = endpoints.getEventReport.example.response

describe('rules', { skip, timeout: 480_000 }, () => {
  const { canned, open: openPath, asked } = consoleSuite()
  const open = async (path: string, options: PageOptions = {}) => {
    const opened = await openPath(path, options)
    await opened.page.getByText('High and critical attacks on Shops').waitFor()
    return opened
  }
  const askedBy = async (name: string, count: number) => {
    for (const endMs = Date.now() + patienceMs; asked(name).length < count && Date.now() < endMs; ) await delay(20)
    return asked(name)
  }

  test('are put into another order by keyboard and by dragging, those of the installation apart', async () => {
    let rules = rulesOf(endpoints.listGroups.example.response.groups[0].id)
    canned.answer({
      listRules: () => ({ rules }),
      orderRules: ({ body }) => {
        const ids: unknown[] = Object(body).ids
        rules = rules.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
        return { rules }
      },
    })
    const { page, context, assertQuiet } = await open('/alerts/rules')
    const own = page.locator('section.card', { has: page.getByRole('heading', { name: 'Attacks on your sites' }) })
    const names = () => own.getByRole('heading', { level: 3 }).allTextContents()
    assert.deepEqual(await names(), ['Pager at night', 'Amplification', 'Everything'])
    assert.deepEqual(await accessibilityOf(page), [])
    await page.getByRole('button', { name: 'Move down: Pager at night' }).press('Enter')
    await page.getByText('Pager at night is now 2 of 3').waitFor()
    assert.deepEqual((await askedBy('orderRules', 1))[0].body, { ids: ['r2', 'r1', 'r3', 'r4'] })
    await page.getByRole('button', { name: 'Move up: Pager at night' }).press('Enter')
    await askedBy('orderRules', 2)
    await own.getByRole('listitem').first().getByText('Ticket system').waitFor()
    const grip = (n: number) => own.getByRole('listitem').nth(n).getByTitle('Drag to change the order')
    const target = await own.getByRole('listitem').nth(0).boundingBox()
    assert.ok(target !== null)
    await grip(2).hover()
    await page.mouse.down()
    await page.mouse.move(target.x + 200, target.y + target.height / 2, { steps: 6 })
    await page.mouse.move(target.x + 200, target.y + 6, { steps: 6 })
    await page.mouse.up()
    assert.deepEqual((await askedBy('orderRules', 3))[2].body, { ids: ['r3', 'r1', 'r2', 'r4'] })
    await own.getByRole('listitem').first().getByText('Everything').first().waitFor()
    assert.deepEqual(await names(), ['Everything', 'Pager at night', 'Amplification'])
    assertQuiet()
    await context.close()
  })

  test('are made in a form that says what they say, and why one is refused', async () => {
    canned.answer({
      addRule: () => new Refusal(400, 'No', { errors: [{ pointer: '/when/sites/0', detail: 'It is no host' }] }),
    })
    const { page, context, assertQuiet } = await open('/alerts/rules', { viewport: phone, theme: 'dark' })
    await page.getByRole('button', { name: 'Add a rule', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Night')
    await dialog.getByLabel('Critical').check()
    await dialog.getByLabel('Sites', { exact: true }).fill('a..b')
    await dialog.getByLabel('Sites', { exact: true }).press('Enter')
    await dialog.getByLabel('Kinds of attacks').fill('NTP amplification')
    await dialog.getByRole('radio', { name: 'In some hours' }).click()
    await dialog.getByRole('radio', { name: 'Some channels' }).click()
    await dialog.getByLabel('Ticket system').check()
    await dialog.getByLabel('While it lasts, repeat').selectOption('Every 30 min')
    await dialog.getByText('Fewer messages').click()
    await dialog.getByLabel('Group of the site').uncheck()
    await dialog.getByLabel('An end waits').selectOption('5 min')
    await dialog.getByText('Critical attacks of the kind NTP amplification on a..b, at night (22:00–07:00)').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    assert.equal(await overflowOf(page), 0)
    await dialog.getByRole('button', { name: 'Add a rule' }).click()
    await dialog.getByText('a..b: It is no host, network or wildcard').waitFor()
    canned.answer({ addRule: () => ({ ...rule, id: 'r9' }) })
    await dialog.getByRole('button', { name: 'Without: a..b' }).click()
    await dialog.getByRole('button', { name: 'Add a rule' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(asked('addRule').at(-1)?.body, {
      ...{ name: 'Night', reach: 'own', send: ['a3'], continuesMinutes: 30, stop: false },
      ...{ escalate: [], report: null, tests: false },
      when: {
        ...{ severities: ['critical'], sites: [], groups: [], notices: ['started', 'worsened'] },
        vectors: ['udp@attack@amp_flood_target-NTP'],
      },
      at: { timeZone: 'Europe/Berlin', days: [], hours: '22:00-07:00' },
      ...{ group: { by: ['vector'], waitSeconds: 10, everyMinutes: 5 }, endDelaySeconds: 300 },
    })
    assertQuiet(/400/)
    await context.close()
  })

  test('say which of them would fire, for an attack that is made up and for an event', async () => {
    const { page, context, assertQuiet } = await open('/alerts/rules')
    await page.getByText('Night shift and Everybody would be told.').waitFor()
    await page.getByText('At 9 Mar, 08:05, after quiet hours').waitFor()
    await page.getByRole('listitem').filter({ hasText: 'does not hold at this time' }).waitFor()
    await page.getByLabel('Severity').selectOption('Low')
    await page.getByLabel('Kind of attack').selectOption('NTP amplification')
    const { body } = (await askedBy('previewAlert', 3))[2]
    assert.deepEqual(body, { notice: 'started', severity: 'low', vector: 'udp@attack@amp_flood_target-NTP' })
    canned.answer({ previewAlert: () => ({ told: [], escalated: [], rules: [] }) })
    canned.answer({ getEventReport: () => ({ ...report, ...events[2], alerts: [] }) })
    await page.goto(`${canned.url}/events/${events[2].id}`)
    await page.getByRole('link', { name: 'Which rule would fire?' }).press('Enter')
    await page.getByText('Nobody would be told.').waitFor()
    assert.deepEqual(asked('previewAlert').at(-1)?.body, { eventId: events[2].id, notice: 'started' })
    assertQuiet()
    await context.close()
  })
})
