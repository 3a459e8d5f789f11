// What alerts count.
import type { Metric } from '../metrics.ts'
import type { Alerts } from './alerts.ts'

export const alertMetrics: readonly Metric<Alerts>[] = [
  {
    name: 'floodgauge_alert_notices_total',
    help: 'What was found to be told about events, by kind.',
    labels: ['kind'],
    read: ({ router }) => Object.entries(router.counts).map(([kind, value]) => ({ labels: { kind }, value })),
  },
  {
    name: 'floodgauge_alert_deliveries_total',
    help: 'Messages that were settled, and attempts that failed, by kind of channel and result.',
    labels: ['kind', 'result'],
    read: ({ sender }) => sender.counts.rows(),
  },
  {
    name: 'floodgauge_alert_given_up_total',
    help: 'Messages that were given up since more than 10000 waited for their channel.',
    read: ({ router }) => router.givenUp,
  },
  {
    name: 'floodgauge_alert_gathered_total',
    help: 'Messages that were told with another one: `digest`: over the messages of an hour, after a silence or quiet hours; `joined`: with others of their rule.',
    labels: ['how'],
    read: ({ router }) => Object.entries(router.gathered).map(([how, value]) => ({ labels: { how }, value })),
  },
  {
    name: 'floodgauge_alert_escalations_saved_total',
    help: 'Steps of escalations that were not taken, since somebody had acknowledged the attack.',
    read: ({ router }) => router.acknowledged,
  },
  {
    name: 'floodgauge_alert_reports_total',
    help: 'Reports of rules that were sent to a channel, by result: told, failed (tried again).',
    labels: ['result'],
    read: ({ reporter }) => Object.entries(reporter.counts).map(([result, value]) => ({ labels: { result }, value })),
  },
  {
    name: 'floodgauge_alert_mail_put_off_total',
    help: 'Attempts to send mail that were put off, since a user who is no admin had sent 100 that day.',
    read: ({ mailPutOff }) => mailPutOff,
  },
  {
    name: 'floodgauge_alert_waiting',
    help: 'Messages that wait for their next attempt, as of the last look.',
    read: ({ sender }) => sender.waiting.count,
  },
  {
    name: 'floodgauge_alert_oldest_waiting_seconds',
    help: 'How long the oldest message has waited that waits, as of the last look; 0: nothing waits.',
    read: ({ sender }) => sender.waiting.oldestSeconds,
  },
  {
    name: 'floodgauge_alert_repeats_total',
    help: 'Requests that said again what goes on, to channels that forget it else, by result.',
    labels: ['result'],
    read: ({ repeater }) => Object.entries(repeater.counts).map(([result, value]) => ({ labels: { result }, value })),
  },
]
