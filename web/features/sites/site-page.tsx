// One site: where it leads, what of that is seen in flows, what has hit it.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ChevronLeft, Eye, EyeOff, HelpCircle, Lock } from 'lucide-react'
import { useState } from 'react'
import type { SiteReport } from '../../../client/types.ts'
import { useApi } from '../../shared/api/api.ts'
import { Ago } from '../../shared/format/moments.tsx'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Pill } from '../../shared/ui/basics.tsx'
import { Scroll } from '../../shared/ui/scroll.tsx'
import { Failure, SkeletonLines } from '../../shared/ui/states.tsx'
import { SureButton } from '../../shared/ui/sure-button.tsx'
import { SilenceButton, SilencedMark } from '../alerts/silences/silence-button.tsx'
import { EventRows } from '../events/list/event-rows.tsx'
import { eventsQuery } from '../events/queries.ts'
import { useMayChange } from '../session/session.ts'
import { siteQuery } from './queries.ts'
import { SimulateButton } from './simulation.tsx'
import { useSiteChange } from './site-changes.tsx'
import { SiteProof } from './site-proof.tsx'
import { SiteTraffic } from './site-traffic.tsx'
import { SuggestedNames } from './suggested-names.tsx'

type SiteAddress = SiteReport['addresses'][number]

export function SitePage() {
  const { t } = useTranslator()
  const { host } = useParams({ from: '/shell/sites/$host' })
  const { data, error, refetch } = useQuery(siteQuery(useApi(), host))
  const mayChange = useMayChange()
  return (
    <>
      <div className="page-head">
        <div>
          <p className="crumb">
            <Link to="/sites">
              <ChevronLeft size={14} aria-hidden />
              {t('nav.sites')}
            </Link>
          </p>
          <h1 className="event-title">
            {host}
            {data?.isEnabled === false && <Pill tone="warn">{t('site.disabled')}</Pill>}
            {data?.isEnabled === true && !data.isWatched && <Pill tone="warn">{t('site.unproved')}</Pill>}
            <SilencedMark site={host} />
          </h1>
        </div>
        {data !== undefined && mayChange && <Actions site={data} />}
      </div>
      {data === undefined ? (
        <Card flush>{error === null ? <SkeletonLines /> : <Failure error={error} retry={refetch} />}</Card>
      ) : (
        <>
          <SiteProof site={data} />
          <SiteTraffic host={data.host} />
          <Addresses site={data} />
          <SuggestedNames suggestions={data.suggestedNames} />
          <Events host={data.host} />
        </>
      )}
    </>
  )
}

function Actions({ site: { host, isEnabled, isWatched, addresses } }: { site: SiteReport }) {
  const { t } = useTranslator()
  const change = useSiteChange()
  const navigate = useNavigate()
  return (
    <div className="row">
      {isEnabled && isWatched && addresses.some(({ isOwn }) => isOwn) && <SimulateButton host={host} />}
      <SilenceButton site={host} />
      <Button onClick={() => change.mutate({ name: isEnabled ? 'disableSites' : 'enableSites', hosts: [host] })}>
        {t(isEnabled ? 'sites.disable' : 'sites.enable')}
      </Button>
      <SureButton
        label={t('sites.delete')}
        title={t('sites.deleteTitle', { count: 1 })}
        text={t('sites.deleteText')}
        onSure={() =>
          change.mutate({ name: 'deleteSites', hosts: [host] }, { onSuccess: () => void navigate({ to: '/sites' }) })
        }
      />
    </div>
  )
}

function Addresses({ site }: { site: SiteReport }) {
  const { t } = useTranslator()
  const { addresses, addressesOmitted, isEnabled } = site
  const [isAll, setAll] = useState(addresses.length <= addressesShown)
  const seen = addresses.filter(({ traffic }) => traffic === 'seen').length
  const foreign = addresses.filter(({ isOwn }) => !isOwn).length
  // People look for the addresses of a network that have traffic.
  const shown = isAll ? addresses : addresses.toSorted(bySight).slice(0, Math.max(seen, addressesShown))
  return (
    <Card title={t('site.addresses', { count: addresses.length + addressesOmitted, seen })} flush>
      {addresses.length === 0 ? (
        <p className="card-note">{t(isEnabled ? 'site.noAddress' : 'site.disabledText')}</p>
      ) : (
        <Scroll label={t('site.address')}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{t('site.address')}</th>
                <th scope="col">{t('site.traffic')}</th>
                <th scope="col">{t('site.names')}</th>
                <th scope="col">{t('site.confirmed')}</th>
                <th scope="col">{t('site.shared')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((address) => (
                <tr key={address.address}>
                  <td>
                    <Link to="/addresses" search={{ address: address.address }} className="mono row-link">
                      {address.address}
                    </Link>
                  </td>
                  <td>{address.isOwn ? <Traffic address={address} /> : <NotOwn />}</td>
                  <td>{address.names.join(', ')}</td>
                  <td className="nowrap">{address.confirmedAt === null ? '–' : <Ago at={address.confirmedAt} />}</td>
                  <td>{address.sharedWith.join(', ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {shown.length < addresses.length && (
        <Button look="ghost" className="more" onClick={() => setAll(true)}>
          {t('list.all', { count: addresses.length })}
        </Button>
      )}
      {foreign > 0 && <p className="card-note">{t('site.foreign', { count: foreign })}</p>}
    </Card>
  )
}

const addressesShown = 16

function bySight(a: SiteAddress, b: SiteAddress): number {
  return Number(b.traffic === 'seen') - Number(a.traffic === 'seen')
}

const traffics = {
  seen: { tone: 'good', Icon: Eye },
  none: { tone: 'warn', Icon: EyeOff },
  unknown: { tone: 'plain', Icon: HelpCircle },
} as const

function Traffic({ address: { traffic, lastTrafficAt } }: { address: SiteAddress }) {
  const { t } = useTranslator()
  const { tone, Icon } = traffics[traffic]
  return (
    <>
      <Pill tone={tone} icon={<Icon size={12} aria-hidden />} title={t(`site.trafficText.${traffic}`)}>
        {t(`site.traffic.${traffic}`)}
      </Pill>{' '}
      {lastTrafficAt !== null && (
        <span className="quiet">
          <Ago at={lastTrafficAt} />
        </span>
      )}
    </>
  )
}

function NotOwn() {
  const { t } = useTranslator()
  return (
    <Pill icon={<Lock size={12} aria-hidden />} title={t('site.notOwnText')}>
      {t('site.notOwn')}
    </Pill>
  )
}

function Events({ host }: { host: string }) {
  const { t } = useTranslator()
  const { data, error, refetch } = useQuery(eventsQuery(useApi(), { site: host, last: 90 }))
  return (
    <Card
      title={t('site.events')}
      flush
      actions={
        <Link to="/events" search={{ site: host, tab: 'all', last: 90 }}>
          {t('site.allEvents')}
        </Link>
      }
    >
      {data === undefined ? (
        error === null ? (
          <SkeletonLines lines={3} />
        ) : (
          <Failure error={error} retry={refetch} />
        )
      ) : data.length === 0 ? (
        <p className="card-note">{t('site.noEvents')}</p>
      ) : (
        <EventRows events={data.slice(0, 20)} />
      )}
    </Card>
  )
}
