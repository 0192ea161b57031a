import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'

export interface PlotSeries {
  readonly label: string
  /** A colour of the design tokens. */
  readonly color: string
  readonly isFilled?: boolean
}

export interface PlotProps {
  readonly className: string | undefined
  /** Seconds since 1970. */
  readonly at: readonly number[]
  /** One list for each series; null where there is no value. */
  readonly values: readonly (readonly (number | null)[])[]
  readonly series: readonly PlotSeries[]
}

const height = 112
/** There is no half of a call. */
const wholeSteps = Array.from({ length: 8 }, (_, power) => [1, 2, 5].map((one) => one * 10 ** power)).flat()

/** Curves over time; what they show is said in words beside them. */
export function Plot({ className, at, values, series }: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot>(undefined)
  const data = [at, ...values] as unknown as UPlot.AlignedData
  const newest = useRef(data)
  newest.current = data
  useEffect(() => {
    const element = place.current
    if (!element) return
    const made = new UPlot(optionsOf(series, element.clientWidth), newest.current, element)
    plot.current = made
    const resized = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    resized.observe(element)
    const redraw = () => {
      tokens.clear()
      made.redraw()
    }
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', redraw)
    const themed = new MutationObserver(redraw)
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    return () => {
      resized.disconnect()
      themed.disconnect()
      dark.removeEventListener('change', redraw)
      made.destroy()
    }
  }, [series])
  useEffect(() => plot.current?.setData([at, ...values] as unknown as UPlot.AlignedData), [at, values])
  return <div ref={place} className={className} aria-hidden="true" />
}

function optionsOf(series: readonly PlotSeries[], width: number): UPlot.Options {
  const axis = {
    stroke: () => token('--ink-faint'),
    grid: { stroke: () => token('--line'), width: 1 },
    ticks: { show: false },
    font: `11px ${token('--sans')}`,
  }
  return {
    width,
    height,
    // room for half of a time at the edge
    padding: [8, 18, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, max) * 1.1] } },
    axes: [
      { ...axis, size: 24, values: (_plot, times) => times.map(clock) },
      { ...axis, size: 46, incrs: wholeSteps },
    ],
    series: [
      {},
      ...series.map(({ label, color, isFilled }) => ({
        label,
        stroke: () => token(color),
        width: 1.5,
        // one value between none is a point, and not a line
        points: { show: !isFilled, size: 4, fill: () => token(color) },
        spanGaps: !isFilled,
        ...(isFilled && { fill: () => `color-mix(in srgb, ${token(color)} 14%, transparent)` }),
      })),
    ],
  }
}

/** Design tokens as they are at the moment: each curve asks for them at each drawing. */
const tokens = new Map<string, string>()

function token(name: string): string {
  const known = tokens.get(name) ?? readToken(name)
  tokens.set(name, known)
  return known
}

function readToken(name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color, fontFamily } = getComputedStyle(probe)
  probe.remove()
  return name === '--sans' ? fontFamily : color
}

function clock(seconds: number): string {
  return new Date(seconds * 1_000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}
