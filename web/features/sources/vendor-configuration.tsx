// The lines to paste into a router, for this installation.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Response } from '../../../src/contract/endpoints.ts'
import { useApi } from '../../shared/api/api.ts'
import { formatCount } from '../../shared/format/rates.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Card, Field } from '../../shared/ui/basics.tsx'
import { Code } from '../../shared/ui/overlays.tsx'
import { statusQuery } from '../overview/queries.ts'
import { protocolName } from './protocols.ts'
import { vendors } from './vendors.ts'
import './vendor-configuration.css'

const samplings = [1, 100, 500, 1000, 2000, 4096]
const samplingDefault = 1000
const portsDefault = { netflow: 2055, ipfix: 4739, sflow: 6343 }

/** What may stand in a line that is pasted into a router: an address or a name. */
const hostPattern = /^[\w.:-]{1,253}$/

type Listeners = NonNullable<Response<'getStatus'>['installation']>['listeners']

function portsOf(listeners: Listeners): typeof portsDefault {
  const own = listeners.map(({ protocol, port }) => [protocol, port] as const)
  return { ...portsDefault, ...Object.fromEntries(own) }
}

/** Where the console was found, or an address of the machine: a router can't reach a loopback address. */
function hostOf(addresses: readonly string[]): string {
  const isLoopback = /^(?:localhost|127\.|\[::1\])/.test(location.hostname)
  return (isLoopback ? addresses.find((address) => !address.includes(':')) : undefined) ?? location.hostname
}

export function VendorConfiguration() {
  const { t, language } = useTranslator()
  const [chosen, setChosen] = useState(vendors[0].id)
  const [given, setHost] = useState<string | null>(null)
  const installation = useQuery(statusQuery(useApi())).data?.installation
  const host = given ?? hostOf(installation?.addresses ?? [])
  const [sampling, setSampling] = useState(samplingDefault)
  const vendor = vendors.find(({ id }) => id === chosen) ?? vendors[0]
  const isHost = hostPattern.test(host)
  const text = vendor.lines({ host: isHost ? host : 'HOST', ports: portsOf(installation?.listeners ?? []), sampling })
  return (
    <Card title={t('configure.title')}>
      <div className="stack">
        <div className="fields">
          <Field label={t('configure.vendor')}>
            {(props) => (
              <select {...props} className="input" value={chosen} onChange={(event) => setChosen(event.target.value)}>
                {vendors.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field
            label={t('configure.host')}
            hint={t('configure.hostHint')}
            error={isHost ? null : t('configure.hostWrong')}
          >
            {(props) => (
              <input
                {...props}
                className="input mono"
                value={host}
                onChange={(event) => setHost(event.target.value.trim())}
              />
            )}
          </Field>
          <Field label={t('configure.sampling')} hint={t('configure.samplingHint')}>
            {(props) => (
              <select
                {...props}
                className="input"
                value={sampling}
                onChange={(event) => setSampling(Number(event.target.value))}
              >
                {samplings.map((rate) => (
                  <option key={rate} value={rate}>
                    1:{formatCount(rate, language)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <p className="quiet">{t('configure.lead', { protocol: protocolName(vendor.protocol) })}</p>
        <Code text={text} />
      </div>
    </Card>
  )
}
