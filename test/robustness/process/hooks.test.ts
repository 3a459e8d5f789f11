// Whoever has scripts that were written for FastNetMon names each in one row of the file. They are called by a real attack as FastNetMon calls them. Three of our own
// take their arguments and input in the ways of its three examples: a shell that hands its input on, one that reads it into a variable, and Python that sends mail.
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFirstUser } from '../../helpers/first-user.ts'
import { attackUntil, flowSender } from '../../helpers/flows.ts'
import { MailReceiver } from '../../helpers/servers/mail-receiver.ts'
import { startService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

const victim = '198.51.100.10'
const python = '/usr/bin/python3'

/** Hands its input on where there is some, and says what it was called with. */
const piping = (out: string) => `#!/bin/sh
if [ "$4" = "ban" ]; then
    cat | (echo "blocked $1: $2 attack of $3 pps"; cat; echo end) >>${out}
    exit 0
fi
if [ "$4" = "unban" ]; then
    echo "free $1" >>${out}
    exit 0
fi
`

const reading = (out: string) => `#!/usr/bin/env bash
if [ "$4" = "ban" ]; then
    details=$(</dev/stdin)
fi
printf 'IP: %s\\nAttack: %s\\nPPS: %s\\nAction: %s\\n%s\\nend\\n' "\${1}" "\${2}" "\${3}" "\${4}" "\${details}" >>${out}
`

const mailing = (port: number) => `#!${python}
import smtplib
import sys
address, direction, power, action = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
body = ''.join(sys.stdin.readlines()) if action == 'ban' else action
if action in ('ban', 'unban'):
    server = smtplib.SMTP('127.0.0.1', ${port})
    subject = '%s %s %s attack of %d pps' % (action, address, direction, power)
    server.sendmail('a@example.net', ['b@example.net'], 'Subject: ' + subject + '\\r\\n\\r\\n' + body)
    server.quit()
`

test('scripts that were written for FastNetMon are switched over by a row each', { timeout: 480_000 }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'floodgauge-hooks-'))
  const mail = await new MailReceiver().start()
  const file = (name: string) => join(folder, name)
  const script = (name: string, text: string) => {
    writeFileSync(file(name), text)
    chmodSync(file(name), 0o700)
    return name
  }
  const names = [script('piping', piping(file('piping.out'))), script('reading', reading(file('reading.out')))]
  const hasPython = existsSync(python)
  if (hasPython) names.push(script('mailing', mailing(mail.settings().port)))
  const rows = names.map((name) => `    - { name: ${name}, command: [${file(name)}], format: fastnetmon }`)
  writeFileSync(file('config.yaml'), `alerts:\n  hooks:\n${rows.join('\n')}\n`)
  const service = await startService(undefined, {
    args: ['--config', file('config.yaml')],
    env: { FLOODGAUGE_DETECT_QUIET_SECONDS: '5', FLOODGAUGE_DETECT_REOPEN_SECONDS: '0' },
  })
  const sender = await flowSender(service.flowAddresses[0])
  t.after(async () => {
    await sender.close()
    await service.stop()
    await mail.stop()
    rmSync(folder, { recursive: true })
  })
  const { client, email, token } = await makeFirstUser(service)
  await client.addSites([victim])
  const headers = { 'x-svc-authemail': email, 'x-svc-authtoken': token, 'content-type': 'application/json' }
  for (const name of names) {
    const body = JSON.stringify({ name, kind: 'exec', settings: { hook: name } })
    const answer = await fetch(`${service.url}/api/v1/alerts/channels`, { method: 'POST', headers, body })
    assert.equal(answer.status, 200, await answer.text())
  }
  const said = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : '')
  const subjects = () => mail.received.map((each) => each.headers.get('subject')?.[0] ?? '')
  const mails = hasPython ? 1 : 0
  const isBlocked = async () => /^end$/m.test(said('piping.out')) && /^end$/m.test(said('reading.out'))
  await attackUntil(sender, victim, async () => (await isBlocked()) && subjects().length >= mails)
  await until('all are released', async () => {
    const isFree = said('piping.out').includes('free ') && said('reading.out').includes('Action: unban')
    return isFree && subjects().length >= 2 * mails
  })
  const description = [`IP: ${victim}`, 'Attack type: syn_flood', 'Attack direction: incoming', 'Attack protocol: tcp']
  const power = /attack of (\d+) pps/.exec(said('piping.out'))?.[1]
  assert.ok(Number(power) > 0)
  assert.match(said('piping.out'), new RegExp(`^blocked ${victim}: incoming attack of ${power} pps\nIP: `))
  assert.match(said('piping.out'), new RegExp(`\nend\nfree ${victim}\n$`))
  assert.match(
    said('reading.out'),
    new RegExp(`^IP: ${victim}\nAttack: incoming\nPPS: \\d+\nAction: ban\nIP: ${victim}\n`),
  )
  assert.match(
    said('reading.out'),
    new RegExp(`\nend\nIP: ${victim}\nAttack: incoming\nPPS: \\d+\nAction: unban\n\nend\n$`),
  )
  for (const line of description) for (const name of ['piping.out', 'reading.out']) assert.ok(said(name).includes(line))
  assert.match(said('piping.out'), /^\d{4}-\d\d-\d\d .*> 198\.51\.100\.10:443 protocol: tcp packets: /m)
  if (!hasPython) return
  assert.match(subjects()[0], new RegExp(`^ban ${victim} incoming attack of \\d+ pps$`))
  assert.match(subjects()[1], new RegExp(`^unban ${victim} incoming attack of \\d+ pps$`))
  for (const line of description) assert.ok(mail.received[0].raw.includes(line))
})
