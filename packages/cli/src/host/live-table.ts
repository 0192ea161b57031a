import type { RunningHost } from '@trunkline/host'
import { serverNameOf } from '@trunkline/host/config'
import { counted } from '../output/counted.ts'
import type { Output } from '../output/output.ts'
import { type Line, styled } from '../output/span.ts'
import { tableLines } from '../output/table.ts'
import { ago, inOneLine, remarkOn, stateColumn, stateInWords } from './show.ts'

/** The table is drawn at most so often, whatever happens. */
const drawEveryMs = 250
/** Times in it move on by themselves. */
const tickMs = 1_000

const columns = [
  { title: 'server', style: 'name' },
  stateColumn,
  { title: 'for' },
  { title: 'tools' },
  { title: 'calls' },
  { title: 'under way' },
  { title: 'why' },
] as const

/** Shows every server of a running host at the end of the screen, as it is at the moment; nothing where there is none. */
export function liveTable({ host }: RunningHost, output: Output): Disposable | undefined {
  const done = new Map<string, number>()
  const lines = output.live(() => shown(host, done, output.width))
  if (!lines) return undefined
  let pending: NodeJS.Timeout | undefined
  const soon = (): void => {
    pending ??= setTimeout(() => {
      pending = undefined
      lines.draw()
    }, drawEveryMs)
  }
  const stopLines = host.ledger.onLine(({ line: { kind, server } }) => {
    if (kind !== 'ended' || server === undefined) return
    done.set(server, (done.get(server) ?? 0) + 1)
    soon()
  })
  const stopOffers = host.catalogue.onChange(soon)
  const tick = setInterval(soon, tickMs)
  lines.draw()
  return {
    [Symbol.dispose]() {
      clearInterval(tick)
      clearTimeout(pending)
      stopLines()
      stopOffers()
      lines.end()
    },
  }
}

function shown(host: RunningHost['host'], done: ReadonlyMap<string, number>, width: number): readonly Line[] {
  const { status } = host.servers
  const rows = status.map(({ name, state, since, calls, why }) => [
    serverNameOf(name),
    stateInWords(state),
    ago(since),
    String(
      host.catalogue.entries(name).filter(({ kind, standing }) => kind === 'tool' && standing === 'usable').length,
    ),
    String(done.get(name) ?? 0),
    String(calls),
    inOneLine(remarkOn({ state, why })),
  ])
  const waiting = host.inbox.open.length
  return [
    '',
    ...tableLines(columns, rows, width),
    ...(waiting > 0 ? [styled('warning', `${counted(waiting, 'question')} to answer: trunkline inbox`)] : []),
    styled('faint', 'Ctrl-C ends the host'),
  ]
}
