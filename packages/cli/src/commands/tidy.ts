import type { RouteAnswer } from '@trunkline/host/api'
import { defineCommand } from '../command/command.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import { noSuchOf } from '../failure/no-such.ts'
import { decidedHere } from '../host/decided-here.ts'
import { type HostLink, openHost } from '../host/host-link.ts'
import { ago } from '../host/show.ts'
import { counted } from '../output/counted.ts'
import { type Line, styled } from '../output/span.ts'
import { tableLines } from '../output/table.ts'

type Entry = RouteAnswer<'catalogue'>['items'][number]

/** `trunkline tidy`: hides unused tools. */
export const tidyCommand = defineCommand({
  name: 'tidy',
  group: 'host',
  needs: { '': 'nothing', '?': 'terminal' },
  summary: 'Hides tools that were not called in 30 days, after showing how many tokens that saves',
  usage: ['[SERVER…]', '--undo [SERVER…]'],
  details: [
    'A hidden tool is not offered to any client, so it costs no tokens in conversations. Nothing is deleted: --undo offers it again. With --json only the plan is printed.',
  ],
  options: { undo: { type: 'boolean', summary: 'Offer again what was hidden' } },
  json: '`{ tools: […], tokens }`',
  examples: [
    { line: 'trunkline tidy', shows: 'the tools to hide, the tokens that saves, and one question' },
    { line: 'trunkline tidy --undo github', shows: 'all tools of a server again' },
  ],
  async run({ options, output, words, terminal, signal }) {
    const { call } = await openHost()
    const known = (await call('servers')).items.map(({ name }) => name)
    const stray = words.find((word) => !known.includes(word))
    if (stray !== undefined) throw await noSuchOf(`There is no server "${stray}"`, stray, known)
    const { items } = await call('catalogue')
    const isMeant = options.undo ? isHidden : isUnused
    const entries = items.filter((entry) => isMeant(entry) && (words.length === 0 || words.includes(entry.server)))
    const tokens = entries.reduce((sum, entry) => sum + entry.tokens, 0)
    const tools = entries.map(({ server, original, class: kind, tokens: own }) => ({
      server,
      tool: original,
      class: kind,
      tokens: own,
    }))
    const show = (): readonly Line[] => planLines(entries, output.width, options.undo === true)
    if (output.json || entries.length === 0) {
      output.result({ tools, tokens }, show)
      return undefined
    }
    for (const line of [...show(), ...(options.undo ? [] : await newLines(call, entries))]) output.note(line)
    const question = options.undo
      ? `Offer ${counted(entries.length, 'tool')} again?`
      : `Hide ${counted(entries.length, 'tool')}?`
    if (!(await decidedHere(terminal, question, signal))) {
      throw new Failure('Nothing was changed', { code: 'Refused', exit: exitCodes.denied })
    }
    for (const { server, original: tool } of entries) {
      await call('changeEntry', { server, tool, isHidden: !options.undo })
    }
    const done = options.undo ? 'offered again' : 'hidden; offer them again: trunkline tidy --undo'
    output.result({ tools, tokens }, () => [`${counted(entries.length, 'tool')} ${done}`])
    return undefined
  },
})

const weekMs = 7 * 24 * 60 * 60_000

/** Note on servers accepted less than a week ago, which had little time to be used. */
async function newLines(call: HostLink['call'], entries: readonly Entry[]): Promise<readonly Line[]> {
  const { items } = await call('ledger', { kind: 'accepted', since: Date.now() - weekMs, most: 1_000 })
  const since = new Map(items.map(({ at, line }) => [line.server, at]))
  return [...new Set(entries.map(({ server }) => server))].flatMap((server) => {
    const at = since.get(server)
    return at === undefined ? [] : [styled('warning', `"${server}" was accepted ${ago(at)} ago: it had little time`)]
  })
}

function isUnused({ kind, standing, callsIn30Days }: Entry): boolean {
  return kind === 'tool' && (standing === 'usable' || standing === 'changed') && callsIn30Days === 0
}

function isHidden({ kind, standing }: Entry): boolean {
  return kind === 'tool' && standing === 'hidden'
}

function planLines(entries: readonly Entry[], width: number, isUndo: boolean): readonly Line[] {
  if (entries.length === 0) return [isUndo ? 'No tool is hidden' : 'Every tool that is offered was used in 30 days']
  const columns = [
    { title: 'server' },
    { title: 'tool', style: 'name' },
    { title: 'class' },
    { title: 'tokens' },
  ] as const
  const rows = entries.map((entry) => [entry.server, entry.original, entry.class, String(entry.tokens)])
  const tokens = entries.reduce((sum, entry) => sum + entry.tokens, 0)
  const said = isUndo ? 'take' : 'save'
  return [...tableLines(columns, rows, width), `They ${said} about ${tokens} tokens in each conversation`]
}
