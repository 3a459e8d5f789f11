// What lies above the page: dialogs, menus, short notes, and the button that copies.
import { Check, Copy, X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { useTranslator } from '../i18n/i18n.tsx'
import { Button } from './basics.tsx'

export function Dialog({
  title,
  onClose,
  children,
  bare = false,
}: {
  title: string
  onClose: () => void
  children: ReactNode
  /** Without a head: the title is read out only. */
  bare?: boolean
}) {
  const { t } = useTranslator()
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (element.current?.open !== false) return
    element.current.showModal()
    // A browser would choose the button that closes it.
    element.current.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea)')?.focus()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
    <dialog
      ref={element}
      className="dialog"
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === element.current && onClose()}
    >
      {!bare && (
        <div className="dialog-head">
          <h2>{title}</h2>
          <Button look="ghost" label={t('action.close')} onClick={onClose}>
            <X size={16} aria-hidden />
          </Button>
        </div>
      )}
      <div className={bare ? '' : 'dialog-body'}>{children}</div>
    </dialog>
  )
}

/** A button with a list below it, which closes when something else is wanted. */
export function Menu({
  button,
  children,
  up = false,
}: {
  button: (props: { onClick: () => void; 'aria-expanded': boolean; 'aria-haspopup': 'true' }) => ReactNode
  children: ReactNode
  up?: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const close = (event: Event) => {
      if (event instanceof KeyboardEvent ? event.key === 'Escape' : !element.current?.contains(asNode(event.target))) {
        setOpen(false)
      }
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('keydown', close)
    return () => {
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('keydown', close)
    }
  }, [isOpen])
  return (
    <div className="menu" ref={element}>
      {button({ onClick: () => setOpen(!isOpen), 'aria-expanded': isOpen, 'aria-haspopup': 'true' })}
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside are what acts; here the list closes after one.
        // biome-ignore lint/a11y/useKeyWithClickEvents: a key on a button is a click.
        <div className={up ? 'menu-list up' : 'menu-list'} onClick={() => setOpen(false)}>
          {children}
        </div>
      )}
    </div>
  )
}

function asNode(target: EventTarget | null): Node | null {
  return target instanceof Node ? target : null
}

/** What a note offers to do about what it says. */
export interface ToastAction {
  label: string
  onClick: () => void
}

type Tell = (text: string, action?: ToastAction) => void
const ToastContext = createContext<Tell>(() => {})
export const useToast = () => useContext(ToastContext)

/** How long a toast stays once nobody points at it, and how long one with an action. */
const toastMs = 5_000
const actionMs = 12_000
const toastsMax = 3

interface Toast {
  id: number
  text: string
  action: ToastAction | undefined
}

export function Toasts({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Toast[]>([])
  const next = useRef(0)
  const take = useCallback((id: number) => setShown((before) => before.filter((toast) => toast.id !== id)), [])
  const tell = useCallback<Tell>((text, action) => {
    const id = next.current++
    setShown((before) => [...before, { id, text, action }].slice(-toastsMax))
  }, [])
  return (
    <ToastContext value={tell}>
      {children}
      <div className="toasts" role="status">
        {shown.map((toast) => (
          <ToastNote key={toast.id} toast={toast} take={take} />
        ))}
      </div>
    </ToastContext>
  )
}

/** It stays while the pointer is over it or it has the focus: who is about to act has the time to (WCAG 2.2.1). Newer ones push it out even so. */
function ToastNote({ toast: { id, text, action }, take }: { toast: Toast; take: (id: number) => void }) {
  const [isPointedAt, setPointedAt] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  const isHeld = isPointedAt || hasFocus
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => take(id), action === undefined ? toastMs : actionMs)
    return () => clearTimeout(timer)
  }, [isHeld, id, action, take])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside is what acts; here the note only waits.
    <div
      className="toast"
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
    >
      <span>{text}</span>
      {action !== undefined && (
        <Button
          onClick={() => {
            take(id)
            action.onClick()
          }}
        >
          {action.label}
        </Button>
      )}
    </div>
  )
}

/** Without HTTPS browsers have no clipboard for scripts: the text is selected for the reader to copy instead. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useTranslator()
  const tell = useToast()
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    if (!(await copied(text))) return tell(t('action.copyFailed'))
    setDone(true)
    setTimeout(() => setDone(false), 1_500)
  }
  const icon = isDone ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />
  return label === undefined ? (
    <Button look="ghost" label={t(isDone ? 'action.copied' : 'action.copy')} onClick={copy}>
      {icon}
    </Button>
  ) : (
    <Button onClick={copy}>
      {icon}
      {isDone ? t('action.copied') : label}
    </Button>
  )
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.className = 'sr-only'
    const parent = document.activeElement?.closest('dialog') ?? document.body
    parent.append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    return isCopied
  }
}

export function Code({ text }: { text: string }) {
  return (
    <div className="copyable">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre className="code" tabIndex={0}>
        {text}
      </pre>
      <CopyButton text={text} />
    </div>
  )
}
