import { readFile } from 'node:fs/promises'
import type { RouteAnswer } from '@trunkline/host/api'
import { defineCommand, type Invocation } from '../command/command.ts'
import { onlyOptions } from '../command/only-options.ts'
import { exitCodes } from '../failure/exit-code.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { openHost } from '../host/host-link.ts'
import { exportToFile, ledgerLines } from '../host/ledger-export.ts'
import { isWanted, ledgerFilter } from '../host/ledger-filter.ts'
import { listAndFollow, missedLine } from '../host/list-and-follow.ts'
import { counted } from '../output/counted.ts'
import { visibleJson } from '../output/json.ts'
import { type Line, styled } from '../output/span.ts'

type LedgerLine = RouteAnswer<'ledger'>['items'][number]

const auditOptions = {
  server: { type: 'string', value: 'NAME', summary: 'Only lines about this server' },
  tool: { type: 'string', value: 'NAME', summary: 'Only lines about this tool, prompt or resource' },
  client: { type: 'string', value: 'NAME', summary: 'Only what this client did' },
  kind: {
    type: 'string',
    value: 'WORD',
    choices: ['began', 'ended', 'refused', 'decided', 'accepted', 'changed', 'started', 'stopped'],
    summary: 'Only lines of this kind',
  },
  outcome: { type: 'string', value: 'WORD', summary: 'Only this outcome: ok, error, denied, refused, cancelled' },
  since: { type: 'string', value: 'TIME', summary: 'Only from this time on: 30m, 12h, 7d, or a date' },
  until: { type: 'string', value: 'TIME', summary: 'Only up to this time' },
  most: { type: 'string', value: 'NUMBER', summary: 'At most this many lines; 100 by default' },
  act: {
    type: 'string',
    value: 'ID',
    summary: 'Everything about one act, with its arguments and result if they were kept',
  },
  output: { type: 'string', short: 'o', value: 'FILE', summary: 'export: write to this new file' },
} as const

type AuditInvocation = Invocation<typeof auditOptions>

const chosenBy = ['server', 'tool', 'client', 'kind', 'outcome', 'since', 'most'] as const
const takes: { readonly [verb: string]: readonly string[] } = {
  query: [...chosenBy, 'until', 'act'],
  tail: chosenBy,
  export: ['output'],
}

const verbs: { readonly [verb: string]: (invocation: AuditInvocation) => Promise<void> } = {
  query,
  tail,
  verify,
  export: exportAll,
}

/** `trunkline audit`: what was done, by whom, and why it was allowed. */
export const auditCommand = defineCommand({
  name: 'audit',
  group: 'host',
  summary: 'Shows, follows, exports or verifies the ledger of everything that was done',
  usage: ['[query]', 'tail', 'export [-o FILE]', 'verify [FILE]'],
  details: [
    '"export" prints every line as it was written, with the hash of the line before it. "verify FILE" checks such an export on any machine, without a host.',
  ],
  options: auditOptions,
  json: 'one line `{ number, at, hash, previous, line }` per entry, for query, tail and export; with --act `{ lines, payloads }`; verify prints `{ lines, broken }`, and export -o `{ file, lines }`',
  examples: [
    { line: 'trunkline audit --outcome denied --since 7d', shows: 'what the policy denied in a week' },
    { line: 'trunkline audit tail', shows: 'what happens, as it happens' },
    { line: 'trunkline audit export -o ledger.jsonl', shows: 'the whole ledger in a file' },
    { line: 'trunkline audit verify', shows: 'whether the ledger was changed; the exit code is 3 if so' },
  ],
  async run(invocation) {
    const [verb = 'query', ...rest] = invocation.words
    onlyOptions(invocation.options, { verb: `audit ${verb}`, takes: takes[verb] ?? [] })
    await verbs[verb]?.({ ...invocation, words: rest })
    return undefined
  },
})

async function query({ options, output }: AuditInvocation): Promise<void> {
  const host = await openHost()
  const { act } = options
  if (act !== undefined) {
    const told = await host.call('act', { act })
    if (told.lines.length === 0) throw usageFailure(`There is no act "${act}"`)
    output.result(told, () => [
      ...told.lines.toReversed().map(shownLine),
      ...Object.entries(told.payloads).flatMap(([part, value]) => [`${part}:`, ...visibleJson(value, 2).split('\n')]),
    ])
    return
  }
  const { items } = await host.call('ledger', ledgerFilter(options))
  for (const line of items.toReversed()) output.event(line, () => shownLine(line))
}

async function tail({ options, output, signal }: AuditInvocation): Promise<void> {
  const host = await openHost()
  const filter = ledgerFilter(options)
  output.endsWhenStopped('Stopped')
  const lines = listAndFollow({
    host,
    list: async () => (await host.call('ledger', filter)).items.toReversed(),
    added: (event) => (event.event === 'line' && isWanted(event.line, filter) ? [event.line] : []),
    onMissed: (count) => output.note(missedLine(count)),
    signal,
  })
  for await (const line of lines) output.event(line, () => shownLine(line))
}

async function verify({ output, words: [file] }: AuditInvocation): Promise<void> {
  const { lines, broken } = file === undefined ? await (await openHost()).call('verify') : await verifyFile(file)
  output.result({ lines, broken }, () => [
    broken ?? `${counted(lines, 'line')}, and every one follows from the one before`,
  ])
  if (broken === undefined) return
  throw new Failure('The ledger is not whole', { code: 'Broken', exit: exitCodes.protocolError })
}

async function verifyFile(file: string): Promise<{ readonly lines: number; readonly broken: string | undefined }> {
  const texts = (await readFile(file, 'utf8')).split('\n')
  const { verifyExport } = await import('@trunkline/host')
  try {
    const { lines, broken } = verifyExport(texts)
    return { lines, broken: broken?.why }
  } catch {
    throw usageFailure(`Cannot read "${file}": it is no export of a ledger`)
  }
}

async function exportAll({ options, output, signal }: AuditInvocation): Promise<void> {
  const host = await openHost()
  if (options.output !== undefined) {
    const lines = await exportToFile(host, options.output)
    output.result({ file: options.output, lines }, () => [`${counted(lines, 'line')} in ${options.output}`])
    return
  }
  for await (const line of ledgerLines(host)) {
    signal.throwIfAborted()
    // lines of JSON in both outputs; what hides is written as an escape, which reads as the same text
    output.bytes(Buffer.from(`${visibleJson(JSON.parse(line))}\n`))
  }
}

function shownLine({ at, line }: LedgerLine): Line {
  const { kind, server, target, principal, outcome, ms, why, by } = line
  const what = [server, target].filter((part) => part !== undefined).join(':')
  const parts = [outcome, by && `by ${by}`, ms === undefined ? undefined : `${ms} ms`, why]
  const how = parts.filter((part) => part !== undefined).join(', ')
  return [
    styled('faint', new Date(at).toISOString()),
    ` ${kind} `,
    styled('name', what),
    principal === undefined ? '' : ` for ${principal}`,
    how === '' ? '' : `: ${how}`,
  ]
}
