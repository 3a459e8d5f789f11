// The words about the installation's own conditions. `{name}` is a place.
import type { Language } from '../messages/words.ts'

const en = {
  'exporter.silent': '[{severity}] Exporter {subject} is silent: attacks that it would show are not seen',
  'exporter.problem': '[{severity}] Exporter {subject} has a problem',
  'exporter.recovered': '[OVER] Exporter {subject} is well again',
  'flows.none': '[{severity}] No flows come in: no attack would be seen',
  'flows.back': '[OVER] Flows come in again',
  'service.blind': '[{severity}] Floodgauge was away: attacks were not seen',
  'channel.failing': '[{severity}] The channel {subject} fails',
  'channel.recovered': '[OVER] The channel {subject} fails no more',
  'site.proof_missing': '[{severity}] The proof of {subject} is missing: without it the site is soon not watched',
  'site.proof_found': '[OVER] The proof of {subject} is missing no more',
  'report.digest': '[REPORT] {subject}',
  severity: 'Severity',
  since: 'Since',
  until: 'Until',
  detail: 'What is known',
  host: 'Machine',
  open: 'Open Floodgauge',
  told: 'You are told because of your channels and rules in Floodgauge.',
}

export type OwnWord = keyof typeof en

const zh: Readonly<Record<OwnWord, string>> = {
  'exporter.silent': '[{severity}] 导出设备 {subject} 无数据：其所见的攻击将无法发现',
  'exporter.problem': '[{severity}] 导出设备 {subject} 异常',
  'exporter.recovered': '[已结束] 导出设备 {subject} 已恢复正常',
  'flows.none': '[{severity}] 没有流数据：攻击将无法发现',
  'flows.back': '[已结束] 流数据已恢复',
  'service.blind': '[{severity}] Floodgauge 曾中断运行：期间的攻击未被发现',
  'channel.failing': '[{severity}] 通知渠道 {subject} 发送失败',
  'channel.recovered': '[已结束] 通知渠道 {subject} 不再失败',
  'site.proof_missing': '[{severity}] {subject} 的所有权证明缺失：不恢复则很快不再监控该站点',
  'site.proof_found': '[已结束] {subject} 的所有权证明不再缺失',
  'report.digest': '[报告] {subject}',
  severity: '严重程度',
  since: '开始时间',
  until: '结束时间',
  detail: '详情',
  host: '主机',
  open: '打开 Floodgauge',
  told: '您在 Floodgauge 中的渠道和规则要求发送此消息。',
}

export const ownWords: Readonly<Record<Language, Readonly<Record<OwnWord, string>>>> = { en, zh }

export function isOwnWord(word: string): word is OwnWord {
  return Object.hasOwn(en, word)
}
