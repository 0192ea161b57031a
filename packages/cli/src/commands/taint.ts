import { defineCommand } from '../command/command.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'
import { decidedHere } from '../host/decided-here.ts'
import { openHost } from '../host/host-link.ts'
import { ago } from '../host/show.ts'
import { counted } from '../output/counted.ts'
import { tableLines } from '../output/table.ts'

const columns = [
  { title: 'client', style: 'name' },
  { title: 'has read' },
  { title: 'data' },
  { title: 'read' },
  { title: 'project' },
] as const

/** `trunkline taint`: what clients have read that makes the host ask before data can leave. */
export const taintCommand = defineCommand({
  name: 'taint',
  group: 'host',
  needs: { '': 'nothing', '?': 'terminal' },
  summary: 'Lists what clients have read that makes the host ask before data leaves; or clears it',
  usage: ['', 'forget [CLIENT]'],
  options: {},
  json: '`{ mode, items: […] }`; forget prints `{ removed }`',
  examples: [
    { line: 'trunkline taint', shows: 'which client has read private or untrusted data, and when' },
    { line: 'trunkline taint forget cursor', shows: 'clears the list of one client' },
  ],
  async run({ output, words, terminal, signal }) {
    const [verb, client] = words
    if (verb === 'forget') {
      const whose = client === undefined ? 'clients have' : `"${client}" has`
      if (!(await decidedHere(terminal, `Forget what ${whose} read?`, signal))) {
        throw new Failure('Nothing is forgotten', { code: 'Refused', exit: exitCodes.denied })
      }
      const { removed } = await (await openHost()).call('forgetTaint', client === undefined ? {} : { client })
      output.result({ removed }, () => [`Forgotten: ${counted(removed, 'source')}`])
      return undefined
    }
    const taint = await (await openHost()).call('taint')
    const rows = taint.items.map(({ client: name, server, data, at, project = '' }) => [
      name,
      server,
      data,
      `${ago(at)} ago`,
      project,
    ])
    const nothing = `No client has read anything that counts (policy.taint is "${taint.mode}")`
    output.result(taint, () => (rows.length === 0 ? [nothing] : tableLines(columns, rows, output.width)))
    return undefined
  },
})
