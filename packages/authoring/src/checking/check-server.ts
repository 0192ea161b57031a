import { type KnownClient, startTimeouts } from '@trunkline/host/config'
import { checkSchemas } from './check-schemas.ts'
import { checkToolNames, sourceOf } from './check-tool-names.ts'
import type { CheckedServer, ClientFinding } from './client-finding.ts'

/** All that a client will refuse or change of a server, worst first. */
export function checkServer(server: CheckedServer, client: KnownClient): readonly ClientFinding[] {
  const order = ['refused', 'cut', 'note']
  return [
    ...checkToolNames(server, client),
    ...checkSchemas(server, client),
    ...checkCount(server, client),
    ...checkAnnotations(server, client),
    ...checkTokens(server, client),
    ...checkStart(server, client),
  ].sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level))
}

function checkCount({ tools }: CheckedServer, { maxTools }: KnownClient): readonly ClientFinding[] {
  if (maxTools === undefined || tools.length <= maxTools.value) return []
  const problem = `${tools.length} tools, and it offers ${maxTools.value} of all servers together`
  return [
    { level: 'refused', about: 'tools', problem, fix: 'offer fewer, or join some of them', ...sourceOf(maxTools) },
  ]
}

function checkAnnotations({ tools }: CheckedServer, { asksFirst }: KnownClient): readonly ClientFinding[] {
  const silent = tools.filter(
    ({ annotations }) => annotations?.readOnlyHint === undefined && annotations?.destructiveHint === undefined,
  )
  const torn = tools.filter(
    ({ annotations }) => annotations?.readOnlyHint === true && annotations.destructiveHint === true,
  )
  const asks = asksFirst?.value === false ? '' : ', and somebody is asked before each call'
  return [
    ...torn.map(
      ({ name }): ClientFinding => ({
        level: 'cut',
        about: 'annotations',
        tool: name,
        problem: 'it says that it only reads and that it destroys; what only reads cannot destroy',
        fix: 'take one of readOnlyHint and destructiveHint away',
      }),
    ),
    ...(silent.length === 0
      ? []
      : [
          {
            level: 'note' as const,
            about: 'annotations' as const,
            problem: `${silent.length} tools do not say what they do, so they count as destructive${asks}`,
            fix: 'give them readOnlyHint, or destructiveHint: false',
          },
        ]),
  ]
}

/** From here on definitions crowd out what a conversation is about. */
const manyTokens = 10_000

function checkTokens({ tokens }: CheckedServer, { searchesTools }: KnownClient): readonly ClientFinding[] {
  if (tokens <= manyTokens || searchesTools?.value === true) return []
  const problem = `its tools take about ${tokens} tokens of every conversation`
  return [{ level: 'note', about: 'tokens', problem, fix: 'shorten descriptions and schemas, or offer fewer tools' }]
}

function checkStart({ startMs }: CheckedServer, { id }: KnownClient): readonly ClientFinding[] {
  const limit = startTimeouts[id]
  if (limit === undefined || startMs <= limit.value) return slowStart(startMs)
  const problem = `it took ${Math.round(startMs)} ms to start, and ${limit.value} are the most`
  return [
    {
      level: 'refused',
      about: 'start',
      problem,
      fix: 'answer first, and load what takes long when it is used',
      ...sourceOf(limit),
    },
  ]
}

/** Start time that is reported as slow: a client waits for its slowest server when it opens. */
const slowMs = 5_000

function slowStart(startMs: number): readonly ClientFinding[] {
  if (startMs <= slowMs) return []
  const problem = `it took ${Math.round(startMs)} ms to start, and whoever opens the client waits for it`
  return [{ level: 'note', about: 'start', problem, fix: 'answer first, and load what takes long when it is used' }]
}
