// A curve the size of a word. What it says stands in text beside it.

export function Sparkline({
  values,
  width = 96,
  height = 24,
}: {
  values: readonly number[]
  width?: number
  height?: number
}) {
  const most = Math.max(...values, 1e-9)
  const x = (i: number) => (i / Math.max(values.length - 1, 1)) * width
  const y = (value: number) => height - 1.5 - (value / most) * (height - 3)
  const points = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`)
  return (
    <svg className="spark" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <polygon
        points={`0,${height} ${points.join(' ')} ${width},${height}`}
        style={{ fill: 'color-mix(in srgb, var(--series-1) 14%, transparent)' }}
      />
      <polyline points={points.join(' ')} fill="none" style={{ stroke: 'var(--series-1)' }} strokeWidth="1.5" />
    </svg>
  )
}
