// What messages would say, before there is one to be sent.
import type { Clock } from '../clock.ts'
import type { EventReport } from '../contract/events/event.ts'
import type { EventDetail } from '../events/records.ts'
import { readerFaults } from './channels/http.ts'
import type { ChannelFault, Message } from './channels/kind.ts'
import { escapers } from './messages/escape.ts'
import { formsOf, places } from './messages/template/places.ts'
import { customText, factLines, textOf } from './messages/text.ts'
import type { Reader } from './messages/words.ts'
import type { TurnKind } from './notice.ts'

interface PreviewsOptions {
  /** The event as its owner reads it. */
  present: (event: EventDetail) => unknown
  /** The same with what it consists of. */
  report: (event: EventDetail) => EventReport
  /** What stands for an attack that is made up. */
  example: Pick<Message, 'event' | 'report'>
  publicUrl: string
  clock: Clock
}

export class Previews {
  readonly #options: PreviewsOptions

  constructor(options: PreviewsOptions) {
    this.#options = options
  }

  /** What a message would say of the event now, in one line. */
  titleOf(event: EventDetail, reader: Reader): string {
    return textOf(this.#messageAbout(event, event.endMs === null ? 'started' : 'ended'), reader, '').title
  }

  /** What a message would say, or what is wrong with its templates. `event`: null: a made-up attack. */
  preview(
    reader: Reader,
    { event, notice }: { event: EventDetail | null; notice: TurnKind },
  ): { title: string; text: string } | ChannelFault[] {
    const faults = readerFaults(reader, '')
    if (faults.length > 0) return faults
    const message = this.#messageAbout(event, notice)
    const text = textOf(message, reader, this.#options.publicUrl)
    return { title: text.title, text: customText(text, escapers.none, Infinity) ?? factLines(text).join('\n') }
  }

  places(): { name: string; description: string; forms: string[] }[] {
    return places.map(({ name, description, kind }) => ({ name, description, forms: formsOf(kind) }))
  }

  #messageAbout(event: EventDetail | null, notice: TurnKind): Message {
    const { present, report, clock, example } = this.#options
    const about = event === null ? example : { event: present(event), report: report(event) }
    const { severity, attackType: label } = about.report
    return {
      type: `event.${notice}`,
      id: '',
      number: 1,
      atMs: clock.now(),
      facts: { severity, label, before: null },
      ...about,
    }
  }
}
