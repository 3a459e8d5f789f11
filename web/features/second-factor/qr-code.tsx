// A QR code, drawn in the page: what it says leaves the browser for nowhere.
import { encode } from 'uqr'
import { useTranslator } from '../../shared/i18n/i18n.tsx'
import './qr-code.css'

/** Modules of light around the dark ones: ISO/IEC 18004 asks for four. */
const border = 4

export function QrCode({ text }: { text: string }) {
  const { t } = useTranslator()
  const { data, size } = encode(text, { ecc: 'M', border })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    // Dark on light in dark colours too: not every camera reads the reverse.
    <svg
      className="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t('factor.qr')}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
