// What alerts count.
import type { HistogramRow, Metric } from '../metrics.ts'
import type { Alerts } from './alerts.ts'

/** The first attempt is made at once; the last ones after hours. */
export const deliveryDuration: HistogramRow = {
  name: 'floodgauge_alert_duration_seconds',
  help: 'From when a message was first due until its receiver had it, by kind of channel.',
  labels: ['kind'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800, 7_200, 36_000],
}

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
    help: 'Attempts to send mail that were put off, since a user who is no admin had sent 100 within 24 hours.',
    read: ({ mailPutOff }) => mailPutOff,
  },
  {
    name: 'floodgauge_alert_dead_total',
    help: 'Messages that were given up by kind of channel: refused three times, or tried for as long as they are worth something.',
    labels: ['kind'],
    read: ({ sender }) => sender.counts.dead(),
  },
  {
    name: 'floodgauge_alert_refused_total',
    help: 'Attempts that sent nothing, by reason: target (messages may not go there), settings (not complete, or of another version), rights (for admins alone), secrets (they cannot be opened).',
    labels: ['reason'],
    read: ({ sender }) => sender.counts.refused(),
  },
  {
    name: 'floodgauge_alert_lookups_total',
    help: 'Look-ups of hosts that messages go to, by result: found, missing (the name has no address), failed (no name server could tell in time); refused: too many of one user waited.',
    labels: ['result'],
    read: ({ lookUps }) => Object.entries(lookUps).map(([result, value]) => ({ labels: { result }, value })),
  },
  {
    name: 'floodgauge_alert_confirming_mails_total',
    help: 'Mails that ask to confirm an address, by result: `put_off`: others had had it asked too often; `refused`: its user had.',
    labels: ['result'],
    read: ({ confirmations: { counts } }) =>
      [
        ['sent', counts.sent] as const,
        ['failed', counts.failed] as const,
        ['put_off', counts.putOff] as const,
        ['refused', counts.refused] as const,
      ].map(([result, value]) => ({ labels: { result }, value })),
  },
  {
    name: 'floodgauge_alert_waiting',
    help: 'Messages that wait for their next attempt, by kind of channel, as of the last look.',
    labels: ['kind'],
    read: ({ sender }) => sender.counts.waiting(sender.waiting.byKind),
  },
  {
    name: 'floodgauge_alert_oldest_waiting_seconds',
    help: 'How long the oldest message has waited that waits, as of the last look; 0: nothing waits.',
    read: ({ sender }) => sender.waiting.oldestSeconds,
  },
  {
    name: 'floodgauge_alert_hastened_total',
    help: 'What lay further ahead than anything of its kind, as when the clock was set back while the service was stopped, and became due, by what it waited for.',
    labels: ['delay'],
    read: ({ delays }) => Object.entries(delays.hastened).map(([delay, value]) => ({ labels: { delay }, value })),
  },
  {
    name: 'floodgauge_alert_clock_steps_total',
    help: 'How often the clock was set by two seconds or more, and what waits was moved with it.',
    read: ({ delays }) => delays.steps,
  },
  {
    name: 'floodgauge_alert_closings_total',
    help: 'Incidents at pagers that were closed since their channel was deleted, or its user is no admin any more, by result: closed, failed (tried again), given_up (after a day).',
    labels: ['result'],
    read: ({ closer }) => Object.entries(closer.counts).map(([result, value]) => ({ labels: { result }, value })),
  },
  {
    name: 'floodgauge_alert_repeats_total',
    help: 'Requests that said again what goes on, to channels that forget it else, by result.',
    labels: ['result'],
    read: ({ repeater }) => Object.entries(repeater.counts).map(([result, value]) => ({ labels: { result }, value })),
  },
]
