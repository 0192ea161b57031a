import type { RouteAnswer } from '@trunkline/host/api'
import { pageLines } from '../asking/page-address.ts'
import { type Line, type Style, styled } from '../output/span.ts'
import { type Column, tableLines } from '../output/table.ts'
import { offeredLines } from './definition-change.ts'

export type ServerSummary = RouteAnswer<'servers'>['items'][number]
export type DisabledEntry = RouteAnswer<'servers'>['disabled'][number]
export type ShownQuestion = RouteAnswer<'inbox'>['items'][number]

/** Style of each state. */
export const stateStyles: { readonly [State in ServerSummary['state']]: Style } = {
  ready: 'good',
  waiting: 'faint',
  starting: 'warning',
  failing: 'bad',
  stopped: 'faint',
  'needs you': 'warning',
}

const stateWords: { readonly [state: string]: string } = { waiting: 'idle', failing: 'failed' }

/** State of a server in the word that people use: one that sleeps is idle, for only a person is waited for. */
export function stateInWords(state: ServerSummary['state']): string {
  return stateWords[state] ?? state
}

const stylesByWord = new Map(
  Object.entries(stateStyles).map(([state, style]) => [stateInWords(state as ServerSummary['state']), style]),
)

/** The column of a table that says how a server is doing, by the words for it. */
export const stateColumn: Column = { title: 'state', style: (word) => stylesByWord.get(word) }

/** The time since a moment, as people say it. */
export function ago(at: number, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000))
  if (seconds === 0) return 'less than a second'
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`
  if (seconds < 86_400) return `${Math.round(seconds / 3_600)} h`
  return `${Math.round(seconds / 86_400)} d`
}

/** Command to run for a server that does not work. */
export function nextCommand(server: ServerSummary): string | undefined {
  const { name, state, why, signInAt } = server
  if (waitsToBeAccepted(server)) return `trunkline accept ${name}`
  if (signInAt !== undefined) return `trunkline login ${name}`
  if (state === 'stopped') return `trunkline restart ${name}`
  // it looks closer than the host did: at the program, its variables, its port
  if (state === 'needs you' || state === 'failing') return advice.exec(why)?.[1] ?? `trunkline doctor ${name}`
  return undefined
}

/** The command to type with which a reason may end: `…; keep one: trunkline secret set github`. */
const advice = /; [^;"]*"?(trunkline [^;"]+)"?$/

/**
 * Cause of a server's failure, without its output and the command to type, which stand apart; empty if it is ready and
 * has nothing to say.
 */
export function stateCause(server: ServerSummary): string {
  if (server.differences) return changedLine(server.differences)
  if (waitsToBeAccepted(server)) return 'You have not accepted it yet, so it was not started'
  return remarkOn(server)
    .replace(/, after writing to stderr:\n[\s\S]*/, '')
    .replace(advice, '')
}

function waitsToBeAccepted({ isAccepted, needs }: ServerSummary): boolean {
  return !isAccepted && needs === undefined
}

/** An accepted server that would run something else than what was accepted. */
export function changedLine(differences: readonly string[]): string {
  return `It is not what you accepted: ${differences.join('; ')}`
}

function whyOf(server: ServerSummary): string {
  if (server.differences) return `${changedLine(server.differences)}: ${nextCommand(server)}`
  return waitsToBeAccepted(server) ? `not accepted yet: ${nextCommand(server)}` : inOneLine(remarkOn(server))
}

/** Every server in a line. */
export function serverTable(servers: readonly ServerSummary[], width: number): readonly Line[] {
  if (servers.length === 0) return ['No server is configured. Add what other clients have: trunkline init']
  const columns = [
    { title: 'server', style: 'name' },
    stateColumn,
    { title: 'tools' },
    { title: 'tokens' },
    { title: 'calls' },
    { title: 'why' },
  ] as const
  const rows = servers.map((server) => [
    server.name,
    stateInWords(server.state),
    String(server.tools),
    String(server.tokens),
    String(server.callsIn30Days),
    whyOf(server),
  ])
  return tableLines(columns, rows, width)
}

/** Remark on the state of a server; empty if it is ready and has nothing to say. */
export function remarkOn({ state, why }: { readonly state: string; readonly why: string }): string {
  return state === 'ready' ? why.replace(/^ready(?:[,;] )?/, '') : why
}

/** A reason may quote what a program wrote. */
export function inOneLine(why: string): string {
  return why.replace(/\s*\n\s*/g, ' ')
}

/** A question in full. */
export function questionLines(question: ShownQuestion): readonly Line[] {
  const { id, kind, server, target, principal, why, detail, askedAt } = question
  if (kind === 'file' || kind === 'programs') return changeLines(question)
  const shown = editablePart(question) ?? detail
  const body = kind === 'definition' ? offeredLines(server, detail) : JSON.stringify(shown, null, 2).split('\n')
  return [
    [
      styled('strong', titles[kind]),
      ' ',
      styled('name', kind === 'start' ? server : kind === 'client' ? target : `${server}:${target}`),
    ],
    [styled('faint', `asked ${ago(askedAt)} ago${kind === 'call' ? ` for ${principal}` : ''}, because ${why}`)],
    ...abandonedLines(question),
    ...body,
    ...(kind === 'call' ? previewLines(detail.preview) : []),
    ...(kind === 'page' || kind === 'sign-in' ? pageLines(String(detail.url ?? detail.page)) : []),
    [styled('faint', `question ${id}`)],
  ]
}

/** Note on a call whose caller does not wait any more. */
function abandonedLines({ abandoned }: ShownQuestion): readonly Line[] {
  if (!abandoned) return []
  const minutes = Math.round(abandoned.approvalMs / 60_000)
  const then = `if you allow it, the next call with the same arguments within ${minutes} min runs without asking`
  return [styled('warning', `Its caller does not wait any more: nothing runs now; ${then}`)]
}

/** Effects that a call would have, as its server declares them. */
function previewLines(preview: unknown): readonly Line[] {
  if (!Array.isArray(preview) || preview.length === 0) return []
  return [[styled('strong', 'It says that it would:')], ...preview.map((effect): Line => `- ${effect}`)]
}

/** The part of a question that a person may change before they let it pass. */
export function editablePart({ kind, detail }: ShownQuestion): { readonly [key: string]: unknown } | undefined {
  const part = kind === 'call' ? detail.arguments : kind === 'prompt' ? detail.request : undefined
  const found = kind === 'result' ? detail.result : part
  return found as { readonly [key: string]: unknown } | undefined
}

/** Question about a file: the changes it would make, as a diff, or the files of servers. */
function changeLines({ id, kind, target, project, why, detail, askedAt }: ShownQuestion): readonly Line[] {
  const changes = Array.isArray(detail.changes) ? detail.changes.map(String) : []
  return [
    [styled('strong', titles[kind]), ' ', styled('name', target)],
    [styled('faint', `asked ${ago(askedAt)} ago for ${project ?? 'no project'}, because ${why}`)],
    ...changes.map((line): Line => styled(line.startsWith('-') ? 'bad' : 'good', line)),
    [styled('faint', `question ${id}`)],
  ]
}

const titles: { readonly [Kind in ShownQuestion['kind']]: string } = {
  call: 'May this call run?',
  result: 'May this result pass?',
  form: 'A server asks for',
  page: 'A server asks you to visit',
  prompt: 'May this go to a model?',
  definition: 'Accept what changed of',
  start: 'May this server be started?',
  client: 'May this program call as',
  file: 'May what this file of a project permits count?',
  programs: 'Are these the servers and clients that you accepted earlier?',
  'sign-in': 'Sign in to',
}

/** One line per disabled server, with where its entry is and what enables it again. */
export function disabledLines(servers: readonly DisabledEntry[]): readonly Line[] {
  return servers.map(
    ({ name, source }): Line => [
      styled('name', name),
      ' ',
      styled('faint', `disabled: its entry at ${source} has "disabled": true; use it again: trunkline enable ${name}`),
    ],
  )
}

/** A disabled server in full. */
export function disabledServer({ name, source }: DisabledEntry): readonly Line[] {
  return [
    [styled('name', name), ' ', styled('faint', 'disabled')],
    `Its entry at ${source} has "disabled": true, so it is not started and no client sees it`,
    ['Next: ', styled('strong', `trunkline enable ${name}`)],
  ]
}
