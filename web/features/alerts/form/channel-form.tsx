// The form for a channel, new or changed: what it asks for is what the schema of its kind has.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Response } from '../../../../src/contract/endpoints.ts'
import { isStatus, useApi } from '../../../shared/api/api.ts'
import { useTranslator } from '../../../shared/i18n/i18n.tsx'
import type { Translator } from '../../../shared/i18n/messages.ts'
import { Button, Field, Notice } from '../../../shared/ui/basics.tsx'
import { Code, Dialog } from '../../../shared/ui/overlays.tsx'
import { Failure, Refused, SkeletonLines } from '../../../shared/ui/states.tsx'
import { isAdmin, useIdentity } from '../../session/session.ts'
import { SaidText } from '../attempt.tsx'
import { NameField } from '../name-field.tsx'
import { type Channel, channelsKey, type Kind, type Kinds, kindsQuery } from '../queries.ts'
import { type Said, saidBy } from '../service-words.ts'
import { TestChannel } from '../test-channel.tsx'
import { Unconfirmed } from '../unconfirmed.tsx'
import { FieldInput, type Removal } from './field-input.tsx'
import { type Fault, type FormField, faultsOf, fieldAt, fieldsOf, type Typed, typedOf, valuesOf } from './fields.ts'
import { canRotate, firstTyped, groupedKinds, isMade, isWording } from './kinds.ts'
import { QuietField } from './quiet-field.tsx'
import { RotateSecret } from './rotate-secret.tsx'
import { Wording } from './wording.tsx'

interface ChannelFormProps {
  /** Null: a new one. */
  channel: Channel | null
  onClose: () => void
}

export function ChannelForm({ channel, onClose }: ChannelFormProps) {
  const { t } = useTranslator()
  const [made, setMade] = useState<Response<'addChannel'> | null>(null)
  const { data: kinds, error, refetch } = useQuery(kindsQuery(useApi()))
  const title = made !== null ? t('channels.made') : channel === null ? t('channels.add') : channel.name
  // A dialog chooses what has the focus when it opens: another one does for what comes next.
  return (
    <Dialog key={`${made === null} ${kinds === undefined}`} title={title} onClose={onClose}>
      {made !== null ? (
        <Made made={made} onClose={onClose} />
      ) : kinds !== undefined ? (
        <Form channel={channel} kinds={kinds.kinds} places={kinds.places} onMade={setMade} onClose={onClose} />
      ) : error === null ? (
        <SkeletonLines lines={4} />
      ) : (
        <Failure error={error} retry={refetch} />
      )}
    </Dialog>
  )
}

/** What is shown this once, and whether the channel works. */
function Made({ made: { channel, secret }, onClose }: { made: Response<'addChannel'>; onClose: () => void }) {
  const { t } = useTranslator()
  return (
    <>
      {channel.state === 'unconfirmed' ? (
        <Notice tone="warn">
          <Unconfirmed channel={channel} />
        </Notice>
      ) : (
        <Notice tone="good">{t('channels.madeText', { name: channel.name })}</Notice>
      )}
      {secret !== null && (
        <>
          <p>{t('channels.secretOnce')}</p>
          <Code text={secret} />
        </>
      )}
      <TestChannel id={channel.id} />
      <div className="row end">
        <Button look="primary" onClick={onClose}>
          {t('sites.done')}
        </Button>
      </div>
    </>
  )
}

interface FormProps extends ChannelFormProps {
  kinds: readonly Kind[]
  places: Kinds['places']
  onMade: (made: Response<'addChannel'>) => void
}

function Form({ channel, kinds, places, onMade, onClose }: FormProps) {
  const translator = useTranslator()
  const { t } = translator
  const identity = useIdentity()
  const groups = groupedKinds(kinds, isAdmin(identity))
  const form = useRef<HTMLFormElement>(null)
  const reader = {
    email: identity.user.email,
    language: translator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
  const [name, setName] = useState(channel?.name ?? '')
  const [isOn, setOn] = useState(channel?.state !== 'disabled')
  const [kind, setKind] = useState(channel?.kind ?? groups[0]?.kinds[0]?.kind ?? '')
  const [quiet, setQuiet] = useState(channel?.quiet ?? null)
  const fields = shownFields(kinds, kind)
  const [typed, setTyped] = useState<Typed>(() =>
    channel === null ? firstTyped(kind, fields, reader) : typedOf(fields, channel.settings),
  )
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  const [faults, setFaults] = useState<ReadonlyMap<string, Fault>>(new Map())
  useEffect(() => {
    if (faults.size > 0) focusFirstFault(form.current)
  }, [faults])
  const save = useSave({ channel, fields, onMade, onClose })
  const refused = refusalsOf(save.error, fields, translator)
  const emptyOf = (field: FormField) => mayBeEmpty(field, { kind, channel })
  const submit = () => {
    const kept = new Set(fields.filter((field) => emptyOf(field) !== null).map(({ key }) => key))
    const found = faultsOf(fields, typed, kept)
    setFaults(found)
    if (found.size === 0) save.mutate({ name: name.trim(), kind, isDisabled: !isOn, quiet, typed, removed })
  }
  const faultIn = ({ key }: FormField) => faults.get(key) ?? refused?.fields.get(key) ?? null
  const wording = fields.filter(isWording)
  const inputOf = (field: FormField) => (
    <FieldInput
      key={`${kind} ${field.key}`}
      kind={kind}
      field={field}
      value={typed[field.key] ?? ''}
      empty={emptyOf(field)}
      fault={faultIn(field)}
      onChange={(value) => setTyped({ ...typed, [field.key]: value })}
      removal={channel === null ? null : removalOf(field, { removed, setRemoved })}
    />
  )
  return (
    <form
      ref={form}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {refused === null ? <Refused error={save.error} /> : <Others said={refused.others} />}
      {channel === null && (
        <KindField
          groups={groups}
          kind={kind}
          onChange={(chosen) => {
            setKind(chosen)
            setTyped(firstTyped(chosen, shownFields(kinds, chosen), reader))
            setFaults(new Map())
            save.reset()
          }}
        />
      )}
      <NameField name={name} hint={t('channels.nameHint')} onChange={setName} />
      {fields.filter((field) => !isWording(field)).map(inputOf)}
      {wording.length > 0 && (
        <Wording key={kind} places={places} typed={typed} isFaulty={wording.some((field) => faultIn(field) !== null)}>
          {wording.map(inputOf)}
        </Wording>
      )}
      <QuietField quiet={quiet} onChange={setQuiet} />
      {channel !== null && (
        <label className="row">
          <input type="checkbox" checked={isOn} onChange={({ target }) => setOn(target.checked)} />
          {t('channels.isOn')}
        </label>
      )}
      {channel !== null && canRotate(kind) && <RotateSecret channel={channel} />}
      <div className="row end">
        <Button onClick={onClose}>{t('action.cancel')}</Button>
        <Button type="submit" look="primary" disabled={save.isPending}>
          {t(channel === null ? 'channels.add' : 'action.save')}
        </Button>
      </div>
    </form>
  )
}

function shownFields(kinds: readonly Kind[], kind: string): FormField[] {
  const found = kinds.find((each) => each.kind === kind)
  if (found === undefined) return []
  return fieldsOf(found)
}

function mayBeEmpty(
  field: FormField,
  { kind, channel }: { kind: string; channel: Channel | null },
): 'made' | 'kept' | null {
  if (field.part !== 'secrets') return null
  if (channel === null) return isMade(kind, field) ? 'made' : null
  return 'kept'
}

interface RemovalState {
  removed: ReadonlySet<string>
  setRemoved: (removed: ReadonlySet<string>) => void
}

/** Null: the channel cannot be without it. */
function removalOf(field: FormField, { removed, setRemoved }: RemovalState): Removal | null {
  if (field.part !== 'secrets' || field.isRequired) return null
  return {
    isRemoved: removed.has(field.key),
    onChange: (isRemoved) => {
      const others = [...removed].filter((key) => key !== field.key)
      setRemoved(new Set(isRemoved ? [...others, field.key] : others))
    },
  }
}

interface SaveOptions extends Pick<FormProps, 'channel' | 'onMade' | 'onClose'> {
  fields: readonly FormField[]
}

interface SaveGiven {
  name: string
  kind: string
  isDisabled: boolean
  quiet: Channel['quiet']
  typed: Typed
  /** Keys of secrets that are taken away. */
  removed: ReadonlySet<string>
}

function useSave({ channel, fields, onMade, onClose }: SaveOptions) {
  const api = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (given: SaveGiven) => {
      const { name, kind, isDisabled, quiet, typed, removed } = given
      const settings = valuesOf(fields, 'settings', typed)
      const times = quiet === (channel?.quiet ?? null) ? {} : { quiet }
      const texts = Object.entries(valuesOf(fields, 'secrets', typed)).map(([key, value]) => [key, String(value)])
      const added: Record<string, string> = Object.fromEntries(texts)
      if (channel === null) {
        const body = { name, kind, settings, ...times, ...(texts.length > 0 && { secrets: added }) }
        return api.call('addChannel', { body })
      }
      const gone = fields.filter(({ key }) => removed.has(key)).map((field) => [field.name, null] as const)
      const secrets = { ...Object.fromEntries(gone), ...added }
      const emptied = Object.fromEntries(Object.keys(channel.settings).map((key) => [key, null]))
      const body = {
        ...{ name, settings: { ...emptied, ...settings }, ...times, isDisabled },
        ...(Object.keys(secrets).length > 0 && { secrets }),
      }
      await api.call('changeChannel', { params: { id: channel.id }, body })
      return null
    },
    onSuccess: async (made) => {
      await queries.invalidateQueries({ queryKey: channelsKey })
      if (made === null) onClose()
      else onMade(made)
    },
  })
}

interface Refusals {
  fields: ReadonlyMap<string, Said>
  others: readonly Said[]
}

/** What the service has against single fields; null: it says no more than that it refuses. */
function refusalsOf(error: Error | null, fields: readonly FormField[], translator: Translator): Refusals | null {
  const errors = isStatus(error, 400) ? (error.problem?.errors ?? []) : []
  if (errors.length === 0) return null
  const said = errors.map(({ pointer = '', detail }) => ({
    field: fieldAt(fields, pointer),
    said: saidBy(detail, translator),
  }))
  return {
    fields: new Map(said.flatMap((each) => (each.field === null ? [] : [[each.field.key, each.said]]))),
    others: said.filter(({ field }) => field === null).map((each) => each.said),
  }
}

function Others({ said }: { said: readonly Said[] }) {
  if (said.length === 0) return null
  return (
    <Notice tone="bad">
      {said.map((each) => (
        <p key={each.text}>
          <SaidText said={each} />
        </p>
      ))}
    </Notice>
  )
}

function focusFirstFault(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
}

interface KindFieldProps {
  groups: ReturnType<typeof groupedKinds>
  kind: string
  onChange: (kind: string) => void
}

function KindField({ groups, kind, onChange }: KindFieldProps) {
  const { t, find } = useTranslator()
  return (
    <Field label={t('channels.kind')} hint={find(`channelKindText.${kind}`) ?? t('channels.kindHint')}>
      {(props) => (
        <select {...props} className="input" value={kind} onChange={({ target }) => onChange(target.value)}>
          {groups.map(({ title, kinds }) => (
            <optgroup key={title} label={t(title)}>
              {kinds.map((each) => (
                <option key={each.kind} value={each.kind}>
                  {find(`channelKind.${each.kind}`) ?? each.kind}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  )
}
