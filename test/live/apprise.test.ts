// Debian's Apprise, run by a hook as docs/alerts.md has it, hands a message on to its services: one request a message, with the title and the text as they were, whatever
// is in the names.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { exec } from '../../src/alert/channels/exec.ts'
import { HookRunner } from '../../src/alert/hooks/runner.ts'
import { factLines, textOf } from '../../src/alert/messages/text.ts'
import { listOf } from '../../src/alert/outgoing/reach.ts'
import { createLogger } from '../../src/log.ts'
import { installationOf, ofSystem } from '../helpers/labs/alerts.ts'
import { messageOf } from '../helpers/labs/messages.ts'
import { nastyValues } from '../helpers/labs/nasty.ts'
import { WebhookReceiver } from '../helpers/servers/webhook-receiver.ts'
import { patienceMs } from '../helpers/until.ts'
import { findProgram, skip } from './requirements.ts'

test('Apprise hands on what a hook tells it', { skip, timeout: 480_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-apprise-'))
  const receiver = await new WebhookReceiver(() => ({ status: 200 })).start()
  t.after(() => {
    receiver.stop()
    rmSync(folder, { recursive: true })
  })
  const urls = join(folder, 'apprise.conf')
  writeFileSync(urls, `${receiver.url.replace('http:', 'json:')}\n`)
  const command = [findProgram('apprise'), '--config', urls, '--title', '{title}', '--body', '{text}']
  const hooks = new HookRunner([{ name: 'apprise', command, format: 'text' }], {
    directory: join(folder, 'hooks'),
    log: createLogger('silent'),
  })
  const send = (value: string) => {
    const message = messageOf('event.started', { site: value, domain: value, attackType: value })
    const sent = exec.send(message, {
      ...{
        settings: { hook: 'apprise' },
        secrets: {},
        channelId: 'c1',
        userId: 'u1',
        email: '',
        installation: installationOf({ hooks }),
      },
      ...{ nowMs: 0, reach: 'any', allowed: listOf([]), resolve: ofSystem, signal: AbortSignal.timeout(patienceMs) },
    })
    return { message, sent }
  }
  for (const [place, value] of ['shop.example.net', ...nastyValues].entries()) {
    const { message, sent } = send(value)
    const { outcome, text } = await sent
    assert.equal(outcome, 'done', `${value.slice(0, 50)}: ${text}`)
    assert.equal(receiver.received.length, place + 1)
    const said = JSON.parse(receiver.received[place].body)
    const meant = textOf(message, {}, '')
    assert.equal(said.title, meant.title.trim())
    assert.equal(said.message, factLines(meant).join('\n').trim())
  }
})
