// Words of one's own in messages, with what comes of them; notifications of the browser, by whoever wants them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { until } from '../../helpers/until.ts'
import { skip } from '../../live/requirements.ts'
import { Refusal } from '../canned.ts'
import { accessibilityOf, overflowOf, type PageOptions, phone } from '../lab.ts'
import { consoleSuite } from '../suite/console-suite.ts'

const { channel } = endpoints.addChannel.example.response

/** A browser that shows nothing, and keeps what it would have shown. `answer`: what its user says when asked. */
const fakeNotifications = (answer: string) => `
  window.shown = []
  window.Notification = class extends EventTarget {
    static permission = 'default'
    static async requestPermission() { return (Notification.permission = '${answer}') }
    constructor(title, { body, tag }) { super(); window.shown.push(title + ' | ' + body + ' | ' + tag); window.last = this }
    close() {}
  }`

describe('alerts', { skip, timeout: 480_000 }, () => {
  const { canned, open: openPath, asked } = consoleSuite({ changeChannel: () => channel })
  const open = (path: string, options: PageOptions = {}, script = '') => openPath(path, { ...options, script })
  const bodies = (name: string) => asked(name).map(({ body }) => body)

  test('a template is typed with what a message would say beside it, and refused by name', async () => {
    const { page, context, assertQuiet } = await open('/alerts', { viewport: phone })
    await page.getByRole('button', { name: 'Change Everybody' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Words of your own').click()
    const field = dialog.getByLabel('Template of the text')
    await field.fill('{{event.site}}: {{event.peak.bitsPerSecond|bits}}')
    await dialog.getByText('*.example.com: 330 Mbit/s').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    assert.equal(await overflowOf(page), 0)
    await dialog.getByText('All 2 placeholders').click()
    await dialog.getByText('{{event.peak.bitsPerSecond}}', { exact: true }).waitFor()
    const detail = 'There is no place {{event.sight}}; there are: event.site'
    const refusal = () => new Refusal(400, detail, { errors: [{ pointer: '/textTemplate', detail }] })
    canned.answer({ previewMessage: refusal, changeChannel: refusal })
    await field.fill('{{event.sight}}')
    await dialog.getByText('There is no placeholder {{event.sight}}.').waitFor()
    canned.answer({ previewMessage: () => endpoints.previewMessage.example.response, changeChannel: () => channel })
    await field.fill('at {{event.site}}')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const [sent] = bodies('changeChannel').map((body) => Object(body).settings)
    assert.deepEqual(sent, { textTemplate: 'at {{event.site}}' })
    assertQuiet(/status of 4/)
    await context.close()
  })

  test('messages that change are shown without a reload', async () => {
    const { page, context, assertQuiet } = await open('/alerts')
    await page.getByRole('row').filter({ hasText: 'Everybody' }).waitFor()
    canned.answer({ listChannels: () => ({ channels: [{ ...channel, name: 'Made elsewhere' }] }) })
    assert.equal(canned.say('alerts', {}), 1)
    await page.getByRole('row').filter({ hasText: 'Made elsewhere' }).waitFor()
    assertQuiet()
    await context.close()
  })

  test('who wants it is notified of attacks that begin, and led to them', async () => {
    const { page, context, assertQuiet } = await open('/settings', {}, fakeNotifications('granted'))
    const shown = () => page.evaluate<string[]>('window.shown')
    const id = endpoints.getEventReport.example.response.id
    canned.say('event', { id, change: 'made' })
    const box = page.getByLabel('Notify me in this browser when an attack begins')
    assert.equal(await box.isChecked(), false)
    await box.check()
    assert.deepEqual(await accessibilityOf(page), [])
    canned.answer({ getEventReport: ({ params }) => ({ ...endpoints.getEventReport.example.response, id: params.id }) })
    canned.say('event', { id, change: 'updated' })
    canned.say('event', { id, change: 'returned' })
    await until('it is shown', async () => (await shown()).length > 0)
    assert.deepEqual(await shown(), [
      `NTP amplification on www.example.com | High, *.example.com, 252\u00a0Mbps | ${id}`,
    ])
    await page.evaluate("window.last.dispatchEvent(new Event('click'))")
    await page.waitForURL(`${canned.url}/events/${id}`)
    await page.goto(`${canned.url}/settings`)
    await box.waitFor()
    // The browser that forgets is asked again.
    assert.equal(await box.isChecked(), false)
    await page.getByText('and had no answer').waitFor()
    assertQuiet()
    await context.close()
  })

  test('a browser that may not is said to be one', async () => {
    const { page, context, assertQuiet } = await open('/settings', {}, fakeNotifications('denied'))
    const box = page.getByLabel('Notify me in this browser when an attack begins')
    await box.click()
    await page.getByText('This browser does not allow the console').waitFor()
    assert.equal(await box.isChecked(), false)
    canned.say('event', { id: 'a'.repeat(24), change: 'made' })
    await page.waitForTimeout(2_500)
    assert.deepEqual(await page.evaluate('window.shown'), [])
    assert.deepEqual(await accessibilityOf(page), [])
    assertQuiet()
    await context.close()
  })
})
