// A mailer of tests that takes every mail at once, without a server.
import type { SendResult } from '../../../src/alert/channels/kind.ts'
import { type Mail, Mailer } from '../../../src/alert/mail/mailer.ts'
import { mailerParts, plainSettings } from './alerts.ts'

export class QuickMailer extends Mailer {
  readonly received: Mail[] = []
  refusesAll = false

  constructor() {
    super(plainSettings.smtp, mailerParts())
  }

  override async send(mail: Mail): Promise<SendResult> {
    if (this.refusesAll) return { outcome: 'refused', pauseMs: null, text: 'the mail server did not take it (550)' }
    this.received.push(mail)
    return { outcome: 'done', pauseMs: null, text: 'the server has it' }
  }
}
