// The places of templates of messages as a table of the documentation, from the places themselves.
import { formsOf, places } from '../src/alert/messages/template/places.ts'

export function renderPlaces(): string {
  const rows = places.map(({ name, description, kind }) => {
    const forms = formsOf(kind).map((form) => `\`${form}\``)
    return `| \`${name}\` | ${description} | ${forms.join(', ')} |`
  })
  return ['| place | what fills it | ways to write it |', '|---|---|---|', ...rows].join('\n')
}
