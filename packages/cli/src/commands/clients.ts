import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { openHost } from '../host/host-link.ts'
import { ago } from '../host/show.ts'
import { tableLines } from '../output/table.ts'

/** `trunkline clients`: the programs that may call. */
export const clientsCommand = defineCommand({
  name: 'clients',
  group: 'host',
  summary: 'Lists the programs that may call, gives one a token, or ends it',
  usage: ['', 'add NAME', 'revoke NAME'],
  options: { approver: { type: 'boolean', summary: 'A person sits in front of it, so its answers count' } },
  json: '`{ items: [{ name, isApprover, usedAt }] }`; add prints `{ name, token }`, revoke `{ revoked }`',
  examples: [
    { line: 'trunkline clients', shows: 'every program with its last use' },
    { line: 'trunkline clients add my-agent', shows: 'a token, shown once' },
    { line: 'trunkline clients revoke my-agent', shows: 'the end of that token, at once' },
  ],
  async run({ options, output, words }) {
    const { call } = await openHost()
    const [verb, name] = words
    if (verb === undefined) {
      const { items } = await call('clients')
      const columns = [{ title: 'client', style: 'name' }, { title: 'last use' }, { title: 'may approve' }] as const
      const rows = items.map(({ name: client, usedAt, isApprover }) => [
        client,
        usedAt === undefined ? 'never' : `${ago(usedAt)} ago`,
        isApprover ? 'yes' : 'no',
      ])
      output.result({ items }, () => tableLines(columns, rows, output.width))
      return undefined
    }
    if (name === undefined || (verb !== 'add' && verb !== 'revoke')) {
      throw usageFailure(`Cannot do "${words.join(' ')}"`, 'Write: trunkline clients add NAME, or revoke NAME')
    }
    if (verb === 'add') {
      const { token } = await call('addClient', { name, isApprover: options.approver === true })
      output.result({ name, token }, () => [token])
      return undefined
    }
    await call('revoke', { name })
    output.result({ revoked: name }, () => [`"${name}" cannot call any more`])
    return undefined
  },
})
