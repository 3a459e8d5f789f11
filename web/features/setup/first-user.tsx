// From nothing to the first event: the first user, flows, the first site. The step is in the address, so that a reload loses nothing.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Notice } from '../../shared/ui/basics.tsx'
import { Mark } from '../../shared/ui/mark.tsx'
import { Code } from '../../shared/ui/overlays.tsx'
import { sessionQuery } from '../session/session.ts'
import { AddSites } from '../sites/add-sites.tsx'
import { firstSiteQuery } from '../sites/queries.ts'
import { Simulation } from '../sites/simulation.tsx'
import { Diagnosis } from '../sources/diagnosis.tsx'
import { VendorConfiguration } from '../sources/vendor-configuration.tsx'
import { AccountForm } from './account-form.tsx'
import './setup.css'

const steps = ['account', 'flows', 'site', 'done'] as const
type Step = (typeof steps)[number]

export function FirstUser() {
  const { t } = useTranslator()
  const search = useSearch({ from: '/setup' })
  const navigate = useNavigate({ from: '/setup' })
  const [token, setToken] = useState<string | null>(null)
  const step = steps.find((each) => each === search.step) ?? 'account'
  const go = (to: Step) => void navigate({ search: { step: to } })
  return (
    <div className="setup">
      <header>
        <p className="brand">
          <Mark />
          Floodgauge
        </p>
        <ol className="setup-steps">
          {steps.map((each, i) => (
            <li key={each} aria-current={each === step ? 'step' : undefined}>
              <i>{i < steps.indexOf(step) ? <Check size={12} aria-hidden /> : i + 1}</i>
              {t(`setup.step.${each}`)}
            </li>
          ))}
        </ol>
      </header>
      <main className="stack">
        {step === 'account' ? (
          <Account
            code={search.code ?? ''}
            onDone={(secret) => {
              setToken(secret)
              go('flows')
            }}
          />
        ) : (
          <SignedIn>
            {step === 'flows' && <Flows token={token} onNext={() => go('site')} />}
            {step === 'site' && <FirstSite onNext={() => go('done')} />}
            {step === 'done' && <Done />}
          </SignedIn>
        )}
      </main>
    </div>
  )
}

/** The later steps are for whoever has made the account. */
function SignedIn({ children }: { children: React.ReactNode }) {
  const { t } = useTranslator()
  const { data, error } = useQuery(sessionQuery(useApi()))
  if (data !== undefined) return children
  return error === null ? null : (
    <Notice tone="warn">
      <Link to="/sign-in">{t('session.signIn')}</Link>
    </Notice>
  )
}

function Account({ code, onDone }: { code: string; onDone: (token: string) => void }) {
  const { t } = useTranslator()
  const api = useApi()
  const { data } = useQuery({ queryKey: ['setup'], queryFn: ({ signal }) => api.call('getSetup', { signal }) })
  return (
    <>
      <h1>{t('setup.title')}</h1>
      {data?.state === 'done' ? (
        <Notice>
          <p>{t('setup.isDone')}</p>
          <p>
            <Link to="/">{t('setup.toConsole')}</Link>
          </p>
        </Notice>
      ) : data?.state === 'expired' ? (
        <Notice tone="warn">{t('setup.expired')}</Notice>
      ) : (
        <>
          <p className="lead">{t('setup.lead')}</p>
          <Card className="padded">
            <AccountForm code={code} onDone={onDone} />
          </Card>
        </>
      )}
    </>
  )
}

function Flows({ token, onNext }: { token: string | null; onNext: () => void }) {
  const { t } = useTranslator()
  return (
    <>
      <h1>{t('setup.flowsTitle')}</h1>
      <p className="lead">{t('setup.flowsLead')}</p>
      {token !== null && (
        <Notice tone="good">
          <p>{t('setup.token')}</p>
          <Code text={token} />
        </Notice>
      )}
      <VendorConfiguration />
      <Diagnosis />
      <div className="row end">
        <Button look="primary" onClick={onNext}>
          {t('setup.next')}
        </Button>
      </div>
    </>
  )
}

function FirstSite({ onNext }: { onNext: () => void }) {
  const { t } = useTranslator()
  return (
    <>
      <h1>{t('setup.siteTitle')}</h1>
      <p className="lead">{t('setup.siteLead')}</p>
      <Card className="padded">
        <AddSites onDone={onNext} />
      </Card>
      <div className="row end">
        <Button look="ghost" onClick={onNext}>
          {t('setup.later')}
        </Button>
      </div>
    </>
  )
}

function Done() {
  const { t } = useTranslator()
  const host = useQuery(firstSiteQuery(useApi())).data
  return (
    <>
      <h1>{t('setup.doneTitle')}</h1>
      <p className="lead">{t('setup.doneLead')}</p>
      {typeof host === 'string' && (
        <Card title={t('simulation.title')}>
          <Simulation host={host} />
        </Card>
      )}
      <div className="row">
        <Link to="/" className="button primary">
          {t('setup.toConsole')}
        </Link>
        <Link to="/sources" className="button">
          {t('nav.sources')}
        </Link>
      </div>
    </>
  )
}
