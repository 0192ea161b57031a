import type { RouteAnswer } from '@trunkline/host/api'
import { defineCommand, type Invocation } from '../command/command.ts'
import { onlyOptions } from '../command/only-options.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { openHost } from '../host/host-link.ts'
import { anchorsFile, putAnchor } from '../host/ledger-anchor.ts'
import { exportToFile, ledgerLines } from '../host/ledger-export.ts'
import { isWanted, ledgerFilter } from '../host/ledger-filter.ts'
import {
  compareAnchors,
  lineNumber,
  moreLines,
  verifiedSentence,
  verifyFile,
  verifyHost,
} from '../host/ledger-verify.ts'
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
  search: {
    type: 'string',
    value: 'WORDS',
    summary: 'Only acts with all these words in their names, reasons, recorded arguments or results',
  },
  most: { type: 'string', value: 'NUMBER', summary: 'At most this many lines; 100 by default' },
  act: {
    type: 'string',
    value: 'ID',
    summary: 'Everything about one act, with its arguments and result if they were kept',
  },
  output: { type: 'string', short: 'o', value: 'FILE', summary: 'export: write to this new file' },
  after: { type: 'string', value: 'LINE', summary: 'verify: only the lines after this one' },
  anchor: { type: 'string', value: 'FILE', summary: 'verify: compare with the anchors in this file as well' },
  key: { type: 'string', value: 'KEY', summary: 'verify: require this key, as "anchor" and "verify" print it' },
  append: { type: 'string', value: 'FILE', summary: 'anchor: append it to this file' },
  git: { type: 'string', value: 'FOLDER', summary: `anchor: commit it to this git repository, in ${anchorsFile}` },
  webhook: { type: 'string', value: 'URL', summary: 'anchor: send it to this address; https, or this machine' },
} as const

type AuditInvocation = Invocation<typeof auditOptions>

const chosenBy = ['server', 'tool', 'client', 'kind', 'outcome', 'since', 'most'] as const
const takes: { readonly [verb: string]: readonly string[] } = {
  query: [...chosenBy, 'until', 'search', 'act'],
  tail: chosenBy,
  export: ['output'],
  verify: ['after', 'anchor', 'key'],
  anchor: ['append', 'git', 'webhook'],
}

const verbs: { readonly [verb: string]: (invocation: AuditInvocation) => Promise<void> } = {
  query,
  tail,
  verify,
  export: exportAll,
  anchor,
}

/** `trunkline audit`: what was done, by whom, and why it was allowed. */
export const auditCommand = defineCommand({
  name: 'audit',
  group: 'host',
  needs: 'nothing',
  summary: 'Shows, follows, exports, verifies or anchors the ledger of what was done',
  usage: ['[query]', 'tail', 'export [-o FILE]', 'verify [FILE]', 'anchor'],
  details: [
    '"export" prints every line as it was written, with the hash of the line before it, and ends with a signature over all of them. "verify FILE" checks such an export on any machine, without a host. Compare the key that it prints with the one you know, or name it with --key.',
    '"anchor" prints the end of the ledger with a signature. Kept where this user cannot change it, it shows later with "verify --anchor FILE" that no line up to it was altered or removed from the end since.',
  ],
  options: auditOptions,
  json: 'one line `{ number, at, hash, previous, line }` per entry, for query, tail and export; with --act `{ lines, payloads }`; verify prints `{ lines, broken, signedUpTo, unsignedUpTo, key, anchors }`, anchor prints the anchor, and export -o `{ file, lines }`',
  examples: [
    { line: 'trunkline audit --outcome denied --since 7d', shows: 'what the policy denied in a week' },
    {
      line: 'trunkline audit --search "oslo invoice" --since 2026-11-16T14:30 --until 2026-11-16T15:30',
      shows: 'the acts of an afternoon with these words in their arguments, results or names',
    },
    { line: 'trunkline audit tail', shows: 'what happens, as it happens' },
    { line: 'trunkline audit export -o ledger.jsonl', shows: 'the whole ledger in a file' },
    { line: 'trunkline audit verify', shows: 'whether the ledger is as it was signed; the exit code is 3 if not' },
    { line: 'trunkline audit anchor --git ~/anchors', shows: 'a commit with the end of the ledger, to push elsewhere' },
    { line: 'trunkline audit verify --anchor anchors.jsonl', shows: 'whether it still holds what was anchored' },
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
  const { items, isIndexed } = await host.call('ledger', ledgerFilter(options))
  if (!isIndexed) output.note('The newest lines cannot be searched yet; try again in a while')
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

async function verify({ options, output, words: [file] }: AuditInvocation): Promise<void> {
  const after = lineNumber(options.after)
  if (file !== undefined && after !== undefined)
    throw usageFailure('An export is verified as a whole: leave --after out')
  const checked = file === undefined ? await verifyHost(after) : await verifyFile(file)
  const { key: wanted, anchor: anchorFile } = options
  const isOther = wanted !== undefined && checked.key !== wanted
  const anchors = anchorFile === undefined ? undefined : await compareAnchors(checked, anchorFile, after)
  const { lines, broken: chain, signedUpTo, unsignedUpTo, key } = checked
  const broken = chain ?? (isOther ? `it is signed by ${key ?? 'no key'}, not by ${wanted}` : anchors?.broken)
  const told = { lines, broken, signedUpTo, unsignedUpTo, key, ...(anchors && { anchors: anchors.matching }) }
  output.result(told, () => [broken ?? verifiedSentence(checked), ...(broken ? [] : moreLines(checked, anchors))])
  if (broken === undefined) return
  throw new Failure('The ledger is not whole', { code: 'Broken', exit: exitCodes.protocolError })
}

async function anchor({ options, output }: AuditInvocation): Promise<void> {
  const tip = await (await openHost()).call('ledgerTip')
  for (const where of await putAnchor(tip, options)) output.note(`Line ${tip.number} was ${where}`)
  output.event(tip, () => visibleJson(tip))
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
  // the reason of a server that is ready begins with that word
  const told = outcome !== undefined && why?.startsWith(outcome) ? undefined : outcome
  const parts = [told, by && `by ${by}`, ms === undefined ? undefined : `${ms} ms`, why]
  const how = parts.filter((part) => part !== undefined).join(', ')
  return [
    styled('faint', new Date(at).toISOString()),
    ` ${kind} `,
    styled('name', what),
    principal === undefined ? '' : ` for ${principal}`,
    how === '' ? '' : `: ${how}`,
  ]
}
