import type { RouteAnswer } from '@trunkline/host/page-api'
import type { ActRow } from '../../host/acts.ts'

type WireSpan = RouteAnswer<'timeline'>['spans'][number]

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue: string }
}

/** A span as OTLP writes it in JSON. */
interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code: number; readonly message?: string }
}

const kinds = { internal: 1, server: 2, client: 3 } as const
const codes = { ok: 1, error: 2 } as const

/** Acts that have ended as traces of OpenTelemetry: a span for each, with waits and requests below it. */
export function otlpTraces(rows: readonly ActRow[], wire: readonly WireSpan[]) {
  const ended = rows.filter((row) => row.act !== undefined && row.trace !== undefined && row.to !== undefined)
  const spans = ended.flatMap((row) => spansOf(row, wire))
  const resource = { attributes: [attribute('service.name', 'trunkline')] }
  return { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'trunkline' }, spans }] }] }
}

function spansOf(row: ActRow, wire: readonly WireSpan[]): readonly OtlpSpan[] {
  const { act = '', trace = '', at, to = at, actKind = 'act', outcome } = row
  const isOk = outcome === 'ok'
  const root: OtlpSpan = {
    ...timed(trace, act.replaceAll('-', '').slice(-16), { from: at, to }),
    name: `${actKind} ${row.target}`,
    kind: kinds.server,
    attributes: [
      attribute('mcp.server.name', row.server),
      ...(actKind === 'call' ? [attribute('gen_ai.tool.name', row.target)] : []),
      attribute('trunkline.act', act),
      attribute('trunkline.client', row.principal),
      attribute('trunkline.outcome', outcome),
    ],
    status: isOk ? { code: codes.ok } : { code: codes.error, message: row.why ?? outcome },
  }
  const below = (times: { readonly from: number; readonly to: number }) => ({
    ...timed(trace, randomId(), times),
    parentSpanId: root.spanId,
  })
  const waits = row.waits.map((wait) => ({
    ...below(wait),
    name: 'waits for a person',
    kind: kinds.internal,
    attributes: [attribute('trunkline.decision', wait.outcome)],
    status: { code: codes.ok },
  }))
  const requests = wire.flatMap(({ act: of, from, to: end, kind, name, hop, isError }) =>
    of !== act || end === undefined
      ? []
      : [
          {
            ...below({ from, to: end }),
            name: `${kind} ${name}`,
            kind: hop === 'server' ? kinds.client : kinds.server,
            attributes: [attribute('trunkline.hop', hop)],
            status: { code: isError ? codes.error : codes.ok },
          },
        ],
  )
  return [root, ...waits, ...requests]
}

function timed(traceId: string, spanId: string, { from, to }: { readonly from: number; readonly to: number }) {
  return { traceId, spanId, startTimeUnixNano: nanoseconds(from), endTimeUnixNano: nanoseconds(Math.max(from, to)) }
}

function nanoseconds(ms: number): string {
  return (BigInt(Math.round(ms * 1_000)) * 1_000n).toString()
}

function attribute(key: string, stringValue: string): Attribute {
  return { key, value: { stringValue } }
}

function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
