// A simulated attack on a site: begun, followed until its event is there, stopped.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import type { Simulation as Simulated } from '../../../client/types.ts'
import {
  type SimulationVectorName,
  simulationVectorNames,
  simulationVectors,
} from '../../../src/contract/simulation-vectors.ts'
import { isStatus, reasonOf, useApi } from '../../shared/api/api.ts'
import { useNow } from '../../shared/format/moments.tsx'
import { formatDuration } from '../../shared/format/times.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Bar, Button, Field, Notice } from '../../shared/ui/basics.tsx'
import { Dialog } from '../../shared/ui/overlays.tsx'
import { channelsQuery } from '../alerts/queries.ts'
import { attackName } from '../events/vectors.ts'
import { simulationQuery } from './queries.ts'
import { ToldChannels } from './told-channels.tsx'

const lengths = [10, 30, 60, 300]
const lengthDefault = 30

export function SimulateButton({ host }: { host: string }) {
  const { t } = useTranslator()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <FlaskConical size={14} aria-hidden />
        {t('simulation.title')}
      </Button>
      {isOpen && (
        <Dialog title={t('simulation.title')} onClose={() => setOpen(false)}>
          <Simulation host={host} />
        </Dialog>
      )}
    </>
  )
}

export interface SimulationProps {
  host: string
  /** Others that it could be instead, with this one among them. */
  hosts?: readonly string[]
  onHost?: (host: string) => void
}

export function Simulation({ host, hosts = [], onHost }: SimulationProps) {
  const translator = useTranslator()
  const { t } = translator
  const { simulation, change } = useSimulation(host)
  const [vector, setVector] = useState<SimulationVectorName>('ntp')
  const [seconds, setSeconds] = useState(lengthDefault)
  const [alerts, setAlerts] = useState(false)
  const { data: channels = [] } = useQuery(channelsQuery(useApi()))
  const isRunning = simulation?.state === 'running'
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate({ vector, seconds, alerts })
      }}
    >
      <p>{t('simulation.lead')}</p>
      <div className="row">
        {onHost !== undefined && (
          <Choice
            label={t('simulation.site')}
            values={hosts}
            value={host}
            textOf={(each) => each}
            isFixed={isRunning}
            onChange={onHost}
          />
        )}
        <Choice
          label={t('simulation.vector')}
          values={simulationVectorNames}
          value={vector}
          textOf={(name) => attackName(simulationVectors[name], translator)}
          onChange={setVector}
        />
        <Choice
          label={t('simulation.seconds')}
          values={lengths}
          value={seconds}
          textOf={(each) => formatDuration(each, translator)}
          onChange={setSeconds}
        />
      </div>
      {channels.length > 0 && (
        <label className="row">
          <input
            type="checkbox"
            checked={alerts}
            disabled={isRunning}
            onChange={({ target }) => setAlerts(target.checked)}
          />
          {t('simulation.alerts')}
        </label>
      )}
      <WhyRefused error={change.error} host={host} />
      <div role="status">{simulation !== null && <HowItWent simulation={simulation} />}</div>
      <div className="row end">
        {isRunning && (
          <Button onClick={() => change.mutate(null)} disabled={change.isPending}>
            {t('simulation.stop')}
          </Button>
        )}
        <Button type="submit" look="primary" disabled={isRunning || change.isPending}>
          {t(simulation === null ? 'simulation.start' : 'simulation.again')}
        </Button>
      </div>
    </form>
  )
}

/** The last simulated attack on a site; null: there was none. `change` begins one, or with null stops it. */
function useSimulation(host: string) {
  const api = useApi()
  const queries = useQueryClient()
  const query = simulationQuery(api, host)
  const { data: simulation = null } = useQuery(query)
  const change = useMutation({
    mutationFn: (attack: { vector: SimulationVectorName; seconds: number; alerts: boolean } | null) =>
      attack === null
        ? api.call('stopSimulation', { params: { host } })
        : api.call('startSimulation', { params: { host }, body: attack }),
    onSuccess: (answer) => queries.setQueryData(query.queryKey, answer.simulation),
  })
  return { simulation, change }
}

function WhyRefused({ error, host }: { error: Error | null; host: string }) {
  const translator = useTranslator()
  const { t } = translator
  if (error === null) return null
  return (
    <Notice tone="bad">{isStatus(error, 409) ? t('simulation.refused', { host }) : reasonOf(error, translator)}</Notice>
  )
}

interface ChoiceProps<Value> {
  label: string
  values: readonly Value[]
  value: Value
  textOf: (value: Value) => string
  isFixed?: boolean
  onChange: (value: Value) => void
}

function Choice<Value extends string | number>({
  label,
  values,
  value,
  textOf,
  isFixed,
  onChange,
}: ChoiceProps<Value>) {
  return (
    <Field label={label}>
      {(props) => (
        <select
          {...props}
          className="input"
          value={value}
          disabled={isFixed}
          onChange={({ target }) => onChange(values[target.selectedIndex])}
        >
          {values.map((each) => (
            <option key={each} value={each}>
              {textOf(each)}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

function HowItWent({ simulation: { state, address, startedAt, endsAt, event, alerts } }: { simulation: Simulated }) {
  const translator = useTranslator()
  const { t } = translator
  const now = useNow()
  if (event !== null) {
    const duration = formatDuration(Math.max(1, event.afterSeconds), translator)
    return (
      <div className="stack">
        <Notice tone="good">
          <p>{t('simulation.found', { duration })}</p>
          <p>
            <Link to="/events/$id" params={{ id: event.id }}>
              {t('simulation.event')}
            </Link>
          </p>
        </Notice>
        {alerts !== null && <ToldChannels channels={alerts} />}
      </div>
    )
  }
  if (state === 'over') return <Notice tone="warn">{t('simulation.missed')}</Notice>
  const [fromMs, toMs] = [Date.parse(startedAt), Date.parse(endsAt)]
  const duration = formatDuration(Math.max(0, Math.min(now, toMs) - fromMs) / 1000, translator)
  return (
    <>
      <p>{t('simulation.waiting', { address, duration })}</p>
      <Bar share={(now - fromMs) / (toMs - fromMs)} />
    </>
  )
}
