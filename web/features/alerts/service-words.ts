// What the service says came of an attempt, or is wrong with a channel, in the reader's language. It says so in English; what is not known here stays as it is.
import type { MessageKey, Translator } from '../../shared/i18n/messages.ts'

export interface Said {
  text: string
  /** Whether it is in the language of the service. */
  isForeign: boolean
}

/** The text as an expression, whose named groups are the places of the message. */
const words: readonly [pattern: RegExp, key: MessageKey][] = [
  [/^HTTP (?<status>2\d\d)$/, 'attempt.taken'],
  [/^HTTP (?<status>3\d\d)(: redirects are not followed)?$/, 'attempt.redirect'],
  [/^HTTP (?<status>40[13])$/, 'attempt.denied'],
  [/^HTTP (?<status>404)$/, 'attempt.nowhere'],
  [/^HTTP (?<status>410)(: nothing more is wanted there)?$/, 'attempt.unwanted'],
  [/^HTTP (?<status>413)$/, 'attempt.large'],
  [/^HTTP (?<status>429)$/, 'attempt.busy'],
  [/^HTTP (?<status>4\d\d)$/, 'attempt.refused'],
  [/^HTTP (?<status>5\d\d)$/, 'attempt.broken'],
  [/^the name has no address$/, 'attempt.noAddress'],
  [/^(?<host>\S+) has no address$/, 'attempt.noAddressOf'],
  [/^the name cannot be resolved now$/, 'attempt.noName'],
  [/^the connection was refused$/, 'attempt.notOpen'],
  [/^the connection was broken off$/, 'attempt.cut'],
  [/^the connection took too long$/, 'attempt.slow'],
  [/^no (?:answer|connection) within (?<seconds>\d+) seconds$/, 'attempt.silent'],
  [/^the (?:host|network) cannot be reached$/, 'attempt.unreachable'],
  [/^the certificate has expired$/, 'attempt.expired'],
  [/^the certificate is self-signed$/, 'attempt.selfSigned'],
  [/^the certificate cannot be verified$/, 'attempt.unverified'],
  [/^the certificate is for another name$/, 'attempt.otherName'],
  [/^only http and https are supported$/, 'attempt.scheme'],
  [/^the address must not hold a user or a password$/, 'attempt.credentials'],
  [/^port (?<port>\d+) may not be used$/, 'attempt.port'],
  [/^(?<host>\S+) leads to an address of this link only$/, 'attempt.ofLink'],
  [/^(?<host>\S+) leads to an address of this machine$/, 'attempt.ofMachine'],
  [/^(?<host>\S+) leads to an address that is not public$/, 'attempt.notPublic'],
  [/^of (?<email>\S+): there is no valid TXT record (?<record>\S+)$/, 'attempt.noRecord'],
  [/^given up: it waited for more than (?<count>\d+) hours$/, 'attempt.old'],
  [/^given up: more than (?<count>\d+) messages wait for the channel$/, 'attempt.surplus'],
  [/^its secrets cannot be opened$/, 'attempt.noSecrets'],
  [/^this version has no channels of/, 'attempt.noKind'],
  [/^There is no such time zone$/, 'attempt.noZone'],
  [/^It is no host$/, 'attempt.noHost'],
  [/^The caller has no such channel$/, 'attempt.goneChannel'],
  [/^It must be later than now, and than the beginning$/, 'attempt.fromLater'],
  [/^It must be at most 30 days after the beginning$/, 'attempt.tooLong'],
  [/^There is no place (?<place>.+); there are: /, 'attempt.noPlace'],
  [/^There is no (?<place>\{\{.+\}\}); (?<name>\S+) can be written as: (?<forms>.+)$/, 'attempt.noForm'],
  [/^(?<place>\{\{.+\}\}): \S+ is written in one way only$/, 'attempt.oneForm'],
  [/^A place begins with \{\{ and has no \}\}$/, 'attempt.openPlace'],
  [/^The installation has no mail server/, 'attempt.noMailServer'],
  [/^no address of it is confirmed$/, 'attempt.unconfirmed'],
  [/^the server has it$/, 'attempt.mailTaken'],
  [/^the server has it; addresses to be confirmed: (?<count>\d+)$/, 'attempt.mailTakenBySome'],
]

export function saidBy(text: string, { t }: Pick<Translator, 't'>): Said {
  for (const [pattern, key] of words) {
    const found = pattern.exec(text)
    if (found !== null) return { text: t(key, found.groups ?? {}), isForeign: false }
  }
  return { text, isForeign: true }
}
