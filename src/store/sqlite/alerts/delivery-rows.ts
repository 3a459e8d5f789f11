// How deliveries are read, with the notices that they are about.
import { type Delivery, deliveryStates } from '../../../alert/alert-store.ts'
import { threadDash } from '../../../alert/bundles/threads.ts'
import { turnKindOf } from '../../../alert/notice.ts'
import { parseHolderKey } from '../../../alert/rules/hold.ts'
import { json, jsonOrNull, number, type Row, text, textOrNull } from '../rows.ts'

export const columns = `d.id, d.channel_id, d.state, d.attempts, d.created_ms, d.due_ms, d.notice, d.rule_id, d.held_by, d.thread, n.user_id, n.event_id, n.kind, n.number, n.at_ms, n.facts,
  (SELECT json_object('eventId', c.event_id, 'number', c.number) FROM deliveries c WHERE c.id = d.carrier) AS told_with`
/** What `d`, or a message that is told with it, ends was delivered to its channel. */
export const isAwaited = `EXISTS (
  SELECT 1 FROM deliveries x JOIN notices m ON m.sequence = x.notice
  WHERE (x.id = d.id OR (x.carrier = d.id AND x.state = 'joined')) AND m.kind = 'ended' AND (
    SELECT q.kind FROM deliveries p JOIN notices q ON q.sequence = p.notice
    WHERE p.event_id = x.event_id AND p.channel_id = x.channel_id AND p.number < x.number AND p.state = 'done'
    ORDER BY p.number DESC LIMIT 1) <> 'ended')`
/** Messages about the event of `d` that its channel has, or will have. */
export const told = `deliveries p WHERE p.event_id = d.event_id AND p.channel_id = d.channel_id AND p.state NOT IN ('superseded', 'held')`
/** The kind of the latest of them, and the name under which the receiver has it. */
export const toldKind = `(SELECT t.kind FROM notices t WHERE t.sequence = (SELECT p.notice FROM ${told} ORDER BY p.number DESC LIMIT 1))`
export const toldThread = `(SELECT p.thread FROM ${told} ORDER BY p.number DESC LIMIT 1)`
/** States of messages of which something is still to come. */
export const unsettled = `('held', 'due', 'sending', 'joined')`
/** The event that a thread is named after (see threads.ts). */
export const eventOfThread = (thread: string) =>
  `substr(${thread}, 1, instr(${thread} || '${threadDash}', '${threadDash}') - 1)`
export const withNotice = 'FROM deliveries d JOIN notices n ON n.sequence = d.notice'

export function deliveryFrom(row: Row): Delivery {
  const state = text(row, 'state')
  return {
    id: number(row, 'id'),
    channelId: text(row, 'channel_id'),
    ruleId: textOrNull(row, 'rule_id'),
    state: deliveryStates.find((each) => each === state) ?? 'superseded',
    attempts: number(row, 'attempts'),
    createdMs: number(row, 'created_ms'),
    dueMs: number(row, 'due_ms'),
    heldBy: state === 'held' ? parseHolderKey(text(row, 'held_by')).by : null,
    thread: text(row, 'thread'),
    toldWith: jsonOrNull(row, 'told_with'),
    notice: {
      sequence: number(row, 'notice'),
      userId: text(row, 'user_id'),
      eventId: text(row, 'event_id'),
      kind: turnKindOf(text(row, 'kind')),
      number: number(row, 'number'),
      atMs: number(row, 'at_ms'),
      facts: json(row, 'facts'),
    },
  }
}
