// What a report says for people.
import { severities } from '../../events/severity.ts'
import { cleanText } from '../messages/clean.ts'
import { attackText } from '../messages/others.ts'
import type { NoticeText } from '../messages/text.ts'
import { type Reader, writerFor } from '../messages/words.ts'
import type { OwnNotice } from '../own/text.ts'
import type { AttackSummary } from './summary.ts'

const en = {
  title: '[REPORT] {name}: {amount}',
  none: 'no attack',
  some: '{count} attacks',
  one: '1 attack',
  open: '{amount}, {open} going on',
  attacks: 'Attacks',
  heaviest: 'Heaviest',
  goingOn: 'Going on',
  more: 'Not looked at',
  from: 'From',
  until: 'Until',
  host: 'Machine',
  link: 'Open the events',
  told: 'You are told because a rule of yours in Floodgauge reports.',
}
const zh: typeof en = {
  title: '[报告] {name}：{amount}',
  none: '没有攻击',
  some: '{count} 次攻击',
  one: '1 次攻击',
  open: '{amount}，{open} 次仍在持续',
  attacks: '攻击',
  heaviest: '最严重',
  goingOn: '仍在持续',
  more: '未统计',
  from: '开始',
  until: '结束',
  host: '主机',
  link: '打开事件列表',
  told: '您在 Floodgauge 中的规则要求发送此报告。',
}

export function reportTextOf(
  { subject, sinceMs, untilMs, host }: OwnNotice,
  attacks: AttackSummary,
  { reader, publicUrl }: { reader: Reader; publicUrl: string },
): NoticeText {
  const writer = writerFor(reader)
  const words = reader.language === 'zh' ? zh : en
  const { count, open, more, bySeverity, heaviest, goingOn } = attacks
  const fill = (text: string, values: Readonly<Record<string, string>>) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  const amount = fill(count === 0 ? words.none : count === 1 ? words.one : words.some, { count: writer.count(count) })
  const counts = severities
    .toReversed()
    .filter((each) => bySeverity[each] > 0)
    .map((each) => `${writer.count(bySeverity[each])} × ${writer.say(`severity.${each}`)}`)
  const list = (all: AttackSummary['heaviest']) => all.map((each) => attackText(each, writer)).join('; ')
  const left = open - goingOn.length
  const rows: [label: string, value: string][] = [
    [words.attacks, count === 0 ? words.none : writer.say('attacks', { count, list: counts.join(', ') })],
    [words.heaviest, list(heaviest)],
    [words.goingOn, left > 0 ? writer.say('more', { list: list(goingOn), count: left }) : list(goingOn)],
    [words.more, more > 0 ? writer.count(more) : ''],
    [words.from, writer.time(sinceMs)],
    [words.until, untilMs === null ? '' : writer.time(untilMs)],
    [words.host, host],
  ]
  const amounts = open === 0 ? amount : fill(words.open, { amount, open: writer.count(open) })
  return {
    title: cleanText(fill(words.title, { name: cleanText(subject, 100), amount: amounts }), 250),
    facts: rows.filter(([, value]) => value !== '').map(([label, value]) => ({ label, value: cleanText(value, 600) })),
    custom: null,
    link: publicUrl === '' ? null : { label: words.link, url: `${publicUrl.replace(/\/+$/, '')}/events` },
    acknowledge: null,
    told: words.told,
  }
}
