import { defineCommand } from '../command/command.ts'
import { onlyOptions } from '../command/only-options.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { decidedHere } from '../host/decided-here.ts'
import { openHost } from '../host/host-link.ts'
import { ago } from '../host/show.ts'
import { visibleJson } from '../output/json.ts'
import { tableLines } from '../output/table.ts'

/** `trunkline clients`: the programs that may call. */
export const clientsCommand = defineCommand({
  name: 'clients',
  group: 'host',
  needs: { '': 'nothing', add: 'person', revoke: 'person', '?': 'terminal' },
  summary: 'Lists the clients that may connect, adds one with a token, or revokes it',
  usage: ['', 'add NAME', 'revoke NAME'],
  details: [
    'A client that you add is bound to the first program that connects under its name with "trunkline stdio", and "started by" shows it. Another program under that name, and a client that was never added, wait in "trunkline inbox". Over HTTP the token is the identity, and no program is bound.',
    'A program that is connected to the host cannot add a client. Only a person in a terminal can let in a client that was revoked, or one whose answers count as approvals.',
  ],
  options: {
    approver: { type: 'boolean', summary: 'add: a person uses this client, so its answers count as approvals' },
  },
  json: '`{ items: [{ name, isApprover, usedAt, programs }], revoked: [name] }`; add prints `{ name, token, entry }`, revoke `{ revoked }`',
  examples: [
    { line: 'trunkline clients', shows: 'every client with its last use' },
    { line: 'trunkline clients add my-agent', shows: 'a token, shown once, and an entry to paste' },
    { line: 'trunkline clients revoke my-agent', shows: 'ends that token at once' },
  ],
  async run({ options, output, words, terminal, signal }) {
    const [verb, name] = words
    if (verb !== undefined && name === undefined) {
      throw usageFailure(`Cannot ${verb} a client: none is named`, `Write: trunkline clients ${verb} NAME`)
    }
    onlyOptions(options, { verb: `clients ${verb ?? ''}`.trim(), takes: verb === 'add' ? ['approver'] : [] })
    const { call } = await openHost()
    if (name === undefined) {
      const { items, revoked } = await call('clients')
      const columns = [
        { title: 'client', style: 'name' },
        { title: 'last use' },
        { title: 'may approve' },
        { title: 'started by' },
      ] as const
      const rows = items.map(({ name: client, usedAt, isApprover, programs }) => [
        client,
        usedAt === undefined ? 'never' : `${ago(usedAt)} ago`,
        isApprover ? 'yes' : 'no',
        programs.join(', '),
      ])
      const gone = revoked.length === 0 ? [] : [`Revoked: ${revoked.join(', ')}`]
      output.result({ items, revoked }, () => [...tableLines(columns, rows, output.width), ...gone])
      return undefined
    }
    if (verb === 'add') {
      const question = questionAbout(name, options.approver === true, (await call('clients')).revoked)
      if (question !== undefined && !(await decidedHere(terminal, question, signal))) {
        throw new Failure(`"${name}" is not added`, { code: 'Refused', exit: exitCodes.denied })
      }
      const { token } = await call('addClient', { name, isApprover: options.approver === true })
      const { mcp: url } = await call('status')
      const entry = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } }
      output.result({ name, token, entry: { trunkline: entry } }, () => [token])
      // apart from the token, which scripts read
      output.note('The token is shown once. An entry for the file in which the client keeps its servers:')
      for (const line of visibleJson({ mcpServers: { trunkline: entry } }, 2).split('\n')) output.note(line)
      output.note(`A client that starts programs needs no token; its entry runs: trunkline stdio --client ${name}`)
      return undefined
    }
    await call('revoke', { name })
    output.result({ revoked: name }, () => [`"${name}" cannot call any more`])
    return undefined
  },
})

/** Question to confirm before a client is added; undefined if a script may add it. */
function questionAbout(name: string, isApprover: boolean, revoked: readonly string[]): string | undefined {
  if (isApprover) return `Answers given in "${name}" will count as yours. Add it?`
  return revoked.includes(name) ? `"${name}" was revoked. Let it in again?` : undefined
}
