// From nothing to the first event: the first user, flows, the first site. The step is in the address, so that a reload loses nothing.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../shared/api/api.ts'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import { Button, Card, Notice } from '../../shared/ui/basics.tsx'
import { Mark } from '../../shared/ui/mark.tsx'
import { Code } from '../../shared/ui/overlays.tsx'
import { TellMe } from '../alerts/tell-me.tsx'
import { useIdentityRefetch } from '../second-factor/required.tsx'
import { SetUp } from '../second-factor/set-up.tsx'
import { sessionQuery, setupKey } from '../session/session.ts'
import { AddSites } from '../sites/add-sites.tsx'
import { attackableSitesQuery } from '../sites/queries.ts'
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
          {steps.map((each, i) => {
            const isPast = i < steps.indexOf(step)
            const name = (
              <>
                <i>{isPast ? <Check size={12} aria-hidden /> : i + 1}</i>
                {t(`setup.step.${each}`)}
              </>
            )
            return (
              <li key={each} aria-current={each === step ? 'step' : undefined}>
                {/* There is one account: that step is not gone back to. */}
                {isPast && each !== 'account' ? (
                  <Link to="/setup" search={{ step: each }}>
                    {name}
                  </Link>
                ) : (
                  name
                )}
              </li>
            )
          })}
        </ol>
      </header>
      <main>
        {step === 'account' ? (
          <FocusedStep key={step}>
            <Account
              code={search.code ?? ''}
              onDone={(secret) => {
                setToken(secret)
                go('flows')
              }}
            />
          </FocusedStep>
        ) : (
          <SignedIn>
            <FocusedStep key={step}>
              {step === 'flows' && <Flows token={token} onNext={() => go('site')} />}
              {step === 'site' && <FirstSite onNext={() => go('done')} />}
              {step === 'done' && <Done onSites={() => go('site')} />}
            </FocusedStep>
          </SignedIn>
        )}
      </main>
    </div>
  )
}

/** Whoever comes to a step can type at once: its first field has the focus, or else its heading. */
function FocusedStep({ children }: { children: React.ReactNode }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const target = element.current?.querySelector<HTMLElement>('input, select, textarea') ?? null
    if (target !== null) return target.focus({ preventScroll: true })
    const heading = element.current?.querySelector('h1')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus()
  }, [])
  return (
    <div ref={element} className="stack">
      {children}
    </div>
  )
}

/** The later steps are for whoever has made the account. */
function SignedIn({ children }: { children: React.ReactNode }) {
  const { t } = useTranslator()
  const { data, error } = useQuery(sessionQuery(useApi()))
  const refetch = useIdentityRefetch()
  if (data?.secondFactor === 'missing') {
    return (
      <>
        <h1>{t('factor.title')}</h1>
        <p className="lead">{t('factor.required')}</p>
        <Card className="padded account">
          <SetUp onDone={refetch} />
        </Card>
      </>
    )
  }
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
  const { data } = useQuery({ queryKey: setupKey, queryFn: ({ signal }) => api.call('getSetup', { signal }) })
  return (
    <>
      <h1>{t('setup.title')}</h1>
      {data?.state === 'done' ? (
        <Notice>
          <p>{t('setup.isDone')}</p>
          <p>
            <Link to="/">{t('session.signIn')}</Link>
          </p>
        </Notice>
      ) : data?.state === 'expired' ? (
        <>
          <Notice tone="warn">{t('setup.expired')}</Notice>
          <OtherWays />
        </>
      ) : (
        <>
          <p className="lead">{t('setup.lead')}</p>
          <Card className="padded account">
            <AccountForm code={code} onDone={onDone} />
          </Card>
          <OtherWays />
        </>
      )}
    </>
  )
}

/** For who has an account already: owners of sites may sign in while no admin can. */
function OtherWays() {
  const { t } = useTranslator()
  return (
    <div className="quiet">
      <p>
        <Link to="/sign-in">{t('setup.hasAccount')}</Link>
      </p>
      <p>{t('setup.linkLost')}</p>
    </div>
  )
}

function Flows({ token, onNext }: { token: string | null; onNext: () => void }) {
  const { t } = useTranslator()
  return (
    <>
      <h1>{t('setup.flowsTitle')}</h1>
      <p className="lead">{t('setup.flowsLead')}</p>
      <div className="setup-columns">
        <VendorConfiguration />
        <Diagnosis />
      </div>
      {token !== null && (
        <details className="setup-token">
          <summary>{t('setup.showToken')}</summary>
          <p>{t('setup.token')}</p>
          <Code text={token} />
        </details>
      )}
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
  const [isAdded, setAdded] = useState(false)
  return (
    <>
      <h1>{t('setup.siteTitle')}</h1>
      <p className="lead">{t('setup.siteLead')}</p>
      <Card className="padded">
        <AddSites onDone={onNext} onAdded={() => setAdded(true)} />
      </Card>
      {!isAdded && (
        <div className="row end">
          <Button look="ghost" onClick={onNext}>
            {t('setup.later')}
          </Button>
        </div>
      )}
    </>
  )
}

function Done({ onSites }: { onSites: () => void }) {
  const { t } = useTranslator()
  const { data } = useQuery(attackableSitesQuery(useApi()))
  const [chosen, setChosen] = useState<string | null>(null)
  const hosts = data?.hosts ?? []
  const host = hosts.find((each) => each === chosen) ?? hosts[0]
  return (
    <>
      <h1>{t('setup.doneTitle')}</h1>
      <p className="lead">{t('setup.doneLead')}</p>
      <TellMe />
      {host !== undefined ? (
        <Card title={t('simulation.title')}>
          <Simulation key={host} host={host} hosts={hosts} onHost={setChosen} />
        </Card>
      ) : (
        data !== undefined &&
        data.total > 0 && (
          <Card title={t('simulation.title')}>
            <div className="stack">
              <p>{t('simulation.nowhere')}</p>
              <div className="row">
                <Button onClick={onSites}>{t('simulation.addAddress')}</Button>
              </div>
            </div>
          </Card>
        )
      )}
      <div className="row">
        <Link to="/" className={host === undefined ? 'button primary' : 'button'}>
          {t('setup.toConsole')}
        </Link>
        <Link to="/sources" className="button">
          {t('nav.sources')}
        </Link>
      </div>
    </>
  )
}
