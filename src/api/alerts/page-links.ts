// Links of mails and messages: what leads nowhere is told to a browser by a page, and to programs as everywhere.
import type { Language } from '../../alert/messages/words.ts'
import type { Answer, Input } from '../http/endpoints.ts'
import { ProblemError } from '../http/problem.ts'
import type { Page } from '../pages/html.ts'

/** Endpoints that links lead to. */
type Linked = 'getAcknowledgement' | 'acknowledgeByLink' | 'getConfirmation' | 'confirmByLink'

export interface Refused<Why extends string> {
  refusal: Why
  retryAfterSeconds?: number
}

export type Problems<Why extends string> = Readonly<Record<Why, ConstructorParameters<typeof ProblemError>>>

interface RefusingOptions<Why extends string> {
  problems: Problems<Why>
  pageOf: (why: Why, language: Language) => Page
}

export function refusedAnswer<Why extends string>(
  { refusal, retryAfterSeconds }: Refused<Why>,
  { deed, peer }: Pick<Input<Linked>, 'deed' | 'peer'>,
  { problems, pageOf }: RefusingOptions<Why>,
): Page & Pick<Answer<Linked>, 'status'> {
  const [code, detail, errors = []] = problems[refusal]
  const problem = new ProblemError(code, detail, errors, retryAfterSeconds)
  if (!peer.readsPages) throw problem
  deed.withdraw()
  const { headers, ...page } = pageOf(refusal, languageOf(peer.languages))
  const later = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return { ...page, status: problem.status, headers: { ...headers, ...later } }
}

/** The first of RFC 9110 section 12.5.4 that there are words in. */
export function languageOf(languages: string): Language {
  return /\b(en|zh)\b/i.exec(languages)?.[1].toLowerCase() === 'zh' ? 'zh' : 'en'
}
