// Channels in the console: the first is made in a form of its kind, tested, changed and deleted; refusals are told beside what they are about.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { endpoints } from '../../../src/contract/endpoints.ts'
import { until } from '../../helpers/until.ts'
import { skip } from '../../live/requirements.ts'
import { Refusal } from '../canned.ts'
import { accessibilityOf, overflowOf, type PageOptions, phone } from '../lab.ts'
import { consoleSuite } from '../suite/console-suite.ts'

const { channel, secret } = endpoints.addChannel.example.response
const webhookSecret = `whsec_${'a'.repeat(32)}`

describe('alerts', { skip, timeout: 480_000 }, () => {
  const {
    canned,
    open: openPath,
    asked,
  } = consoleSuite({
    addChannel: () => ({ channel, secret }),
    changeChannel: () => channel,
    testChannel: () => endpoints.testChannel.example.response,
  })
  const open = (options: PageOptions = {}, path = '/alerts') => openPath(path, options)
  const bodies = (name: string) => asked(name).map(({ body }) => body)

  test('say what they are where there is none, and the first channel is made and tested by keyboard', async () => {
    canned.answer({ listChannels: () => ({ channels: [] }) })
    const { page, context, assertQuiet } = await open()
    await page.getByText('An alert is a message about an attack').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    await page.getByRole('button', { name: 'Add a channel' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Kind').waitFor()
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'SELECT')
    await dialog.getByLabel('Kind').selectOption('E-mail')
    assert.equal(await dialog.getByLabel('Recipients').inputValue(), 'ann@example.com')
    assert.equal(await dialog.getByLabel('Time zone of messages').inputValue(), 'Europe/Berlin')
    await dialog.getByLabel('Kind').selectOption('Webhook')
    await dialog.getByLabel('Name', { exact: true }).fill('Night shift')
    await page.keyboard.press('Enter')
    const address = dialog.getByLabel('Address')
    await dialog.getByText('This is needed.').waitFor()
    assert.equal(await page.evaluate('document.activeElement.id'), await address.getAttribute('id'))
    assert.deepEqual(await accessibilityOf(page), [])
    assert.deepEqual(bodies('addChannel'), [])
    await address.fill('https://hooks.example.com/a')
    await page.keyboard.press('Enter')
    await dialog.getByText(secret ?? '').waitFor()
    assert.deepEqual(bodies('addChannel'), [
      { name: 'Night shift', kind: 'webhook', settings: { url: 'https://hooks.example.com/a' } },
    ])
    await dialog.getByRole('button', { name: 'Send a test message' }).press('Enter')
    await dialog.getByText('The receiver has it (HTTP 204)').waitFor()
    await dialog.getByText('41 ms').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    await dialog.getByRole('button', { name: 'Done' }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
    assertQuiet()
    await context.close()
  })

  test('are listed with how they do, and a test tells what came of it', async () => {
    const failed = {
      at: '2017-03-08T10:30:00+00:00',
      milliseconds: 12,
      isDone: false,
      text: 'the connection was refused',
    }
    canned.answer({ testChannel: () => failed })
    const { page, context, assertQuiet } = await open({ viewport: phone })
    const row = page.getByRole('row').filter({ hasText: 'Ticket system' })
    await row.getByText('Fails').waitFor()
    await row.getByText('The receiver has a fault (HTTP 503)').waitFor()
    await page.getByRole('row').filter({ hasText: 'Everybody' }).getByText('Nothing was sent yet').waitFor()
    await page.getByRole('row').filter({ hasText: 'Old phone' }).getByText('wants no more messages').waitFor()
    await page.getByRole('button', { name: 'Send a test message to Ticket system' }).click()
    await row.getByText('The connection was refused: nothing listens there').waitFor()
    assert.equal(await overflowOf(page), 0)
    assert.deepEqual(await accessibilityOf(page), [])
    assertQuiet()
    await context.close()
  })

  test('say which addresses wait to be confirmed, and have them asked again, or who confirms them', async () => {
    const waiting = { address: 'noc@example.org', askedAt: '2017-03-08T10:00:00+00:00', problem: '' }
    const failed = { ...waiting, address: 'soc@example.org', problem: 'the name has no address' }
    const asks = {
      ...channel,
      state: 'unconfirmed' as const,
      unconfirmed: [waiting, failed],
      confirmedBy: 'link' as const,
    }
    canned.answer({
      listChannels: () => ({ channels: [asks] }),
      addChannel: () => ({ channel: { ...asks, confirmedBy: 'admin' as const }, secret: null }),
      askConfirmation: () => new Refusal(429, 'too often', { reason: 'asked-too-often' }),
    })
    const { page, context, assertQuiet } = await open({ viewport: phone })
    const row = page.getByRole('row').filter({ hasText: 'Night shift' })
    await row.getByText('To be confirmed').waitFor()
    await row.getByText('noc@example.org asked').waitFor()
    await row.getByText('soc@example.org The name has no address').waitFor()
    assert.equal(await overflowOf(page), 0)
    assert.deepEqual(await accessibilityOf(page), [])
    const again = row.getByRole('button', { name: 'Send again: the confirming mail for Night shift' })
    await again.press('Enter')
    await row.getByText('An address was asked too often').waitFor()
    canned.answer({ askConfirmation: () => asks })
    await again.press('Enter')
    await row.getByText('A mail is on its way').waitFor()
    assert.deepEqual(
      asked('askConfirmation').map(({ params }) => params.id),
      [channel.id, channel.id],
    )
    await page.getByRole('button', { name: 'Add a channel' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Kind').selectOption('Webhook')
    await dialog.getByLabel('Name', { exact: true }).fill('Duty')
    await dialog.getByLabel('Address').fill('https://hooks.example.com/a')
    await page.keyboard.press('Enter')
    await dialog.getByText('until an administrator confirms them').waitFor()
    assert.equal(await dialog.getByRole('button', { name: /again/ }).count(), 0)
    assert.deepEqual(await accessibilityOf(page), [])
    assertQuiet(/status of 4/)
    await context.close()
  })

  test('what is wrong stands at its field, in the language of the reader; a name that is taken above', async () => {
    const { page, context, assertQuiet } = await open({ locale: 'zh-CN' }, '/alerts?add=channel')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('类型').selectOption('Webhook')
    await dialog.getByLabel('名称').fill('夜班')
    const address = dialog.getByLabel('地址')
    await address.fill('http://intranet.example/')
    const detail = 'intranet.example leads to an address that is not public'
    canned.answer({
      addChannel: () => new Refusal(400, detail, { errors: [{ pointer: '/settings/url', detail }] }),
    })
    await page.keyboard.press('Enter')
    const alert = dialog.getByRole('alert')
    await alert.waitFor()
    assert.equal(await alert.textContent(), 'intranet.example 指向非公网地址：请管理员放行')
    assert.equal(await address.getAttribute('aria-describedby'), await alert.getAttribute('id'))
    canned.answer({ addChannel: () => new Refusal(409, 'there is one', { reason: 'channel-exists' }) })
    await address.press('Enter')
    await dialog.getByText('已有同名通知渠道。').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    assertQuiet(/status of 4/)
    await context.close()
  })

  test('a change keeps the secrets unless others are typed, and a field that is not known here has the name of the service', async () => {
    const { page, context, assertQuiet } = await open()
    await page.getByRole('button', { name: 'Change Night shift' }).click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByLabel('Secret (optional)', { exact: true })
    assert.deepEqual([await field.inputValue(), await field.getAttribute('type')], ['', 'password'])
    await dialog.getByLabel('Send messages').uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Change Night shift' }).click()
    await field.fill(webhookSecret)
    await dialog.getByLabel('Send messages').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { name, settings } = channel
    assert.deepEqual(bodies('changeChannel'), [
      { name, settings, isDisabled: true },
      { name, settings, secrets: { secret: webhookSecret }, isDisabled: false },
    ])
    await page.getByRole('button', { name: 'Add a channel' }).click()
    await dialog.getByLabel('Kind').selectOption('syslog')
    await dialog.getByLabel('sparkle').waitFor()
    await dialog.getByText('What only a newer service has.').waitFor()
    assertQuiet()
    await context.close()
  })

  test('get another secret, shown once, and lose one that they may do without', async () => {
    const rotated = endpoints.rotateSecret.example.response
    canned.answer({ rotateSecret: () => rotated })
    const { page, context, assertQuiet } = await open()
    await page.getByRole('button', { name: 'Change Night shift' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Make another secret' }).press('Enter')
    await dialog.getByText(rotated.secret).waitFor()
    await dialog.getByText('The previous secret counts until').waitFor()
    assert.deepEqual(await accessibilityOf(page), [])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Change Old phone' }).click()
    assert.equal(await dialog.getByRole('button', { name: 'Make another secret' }).count(), 0)
    await dialog.getByLabel('Token (optional)').fill('tk_1')
    await dialog.getByLabel('Topic').fill('ddos')
    await dialog.getByLabel('Take Token away').check()
    assert.equal(await dialog.getByLabel('Token (optional)').count(), 0)
    assert.deepEqual(await accessibilityOf(page), [])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const [{ secrets }] = bodies('changeChannel') as { secrets: unknown }[]
    assert.deepEqual(secrets, { token: null })
    assertQuiet()
    await context.close()
  })

  test('are deleted only when sure; who may only look has no buttons', async () => {
    const { page, context, assertQuiet } = await open()
    await page.getByRole('row').filter({ hasText: 'Old phone' }).getByRole('button', { name: 'Delete' }).click()
    assert.deepEqual(bodies('deleteChannel'), [])
    await page.getByRole('dialog', { name: 'Delete Old phone?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // The dialog does not wait for the service.
    const deleted = await until('the deletion', async () => asked('deleteChannel').length > 0 && asked('deleteChannel'))
    assert.deepEqual(
      deleted.map(({ params }) => params.id),
      ['a4'],
    )
    const identity = endpoints.getSession.example.response
    canned.answer({ getSession: () => ({ ...identity, user: { ...identity.user, role: 'viewer' }, scopes: ['read'] }) })
    await page.goto(`${canned.url}/alerts?add=channel`)
    await page.getByRole('row').filter({ hasText: 'Old phone' }).waitFor()
    assert.equal(await page.locator('main').getByRole('button').count(), 0)
    assert.equal(await page.getByRole('dialog').count(), 0)
    assertQuiet()
    await context.close()
  })
})
