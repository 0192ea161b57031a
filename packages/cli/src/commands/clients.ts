import { defineCommand } from '../command/command.ts'
import { onlyOptions } from '../command/only-options.ts'
import { usageFailure } from '../failure/failure.ts'
import { openHost } from '../host/host-link.ts'
import { ago } from '../host/show.ts'
import { tableLines } from '../output/table.ts'

/** `trunkline clients`: the programs that may call. */
export const clientsCommand = defineCommand({
  name: 'clients',
  group: 'host',
  summary: 'Lists the clients that may connect, adds one with a token, or revokes it',
  usage: ['', 'add NAME', 'revoke NAME'],
  options: {
    approver: { type: 'boolean', summary: 'add: a person uses this client, so its answers count as approvals' },
  },
  json: '`{ items: [{ name, isApprover, usedAt }] }`; add prints `{ name, token }`, revoke `{ revoked }`',
  examples: [
    { line: 'trunkline clients', shows: 'every client with its last use' },
    { line: 'trunkline clients add my-agent', shows: 'a token, shown once' },
    { line: 'trunkline clients revoke my-agent', shows: 'ends that token at once' },
  ],
  async run({ options, output, words }) {
    const [verb, name] = words
    if (verb !== undefined && name === undefined) {
      throw usageFailure(`Cannot ${verb} a client: none is named`, `Write: trunkline clients ${verb} NAME`)
    }
    onlyOptions(options, { verb: `clients ${verb ?? ''}`.trim(), takes: verb === 'add' ? ['approver'] : [] })
    const { call } = await openHost()
    if (name === undefined) {
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
